// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.util.Optional;

/**
 * How far the journal is, as an attribute in HDFS that only superusers see: a journal that is lost, or replaced by an older
 * copy, is behind it. Written after the journal, so that the journal is never behind by itself.
 */
public interface JournalMark {

  String ATTRIBUTE = "trusted.thermocline.journal";

  /**
   * What a journal says of itself; later ones say more.
   *
   * @param epoch how often it was taken up
   * @param plan the last one
   * @param changes how many of its entries say whose something is; 0 in marks of versions that didn't count them
   * @param began when the journal did; empty in marks of versions that didn't record it
   */
  record Reached(long epoch, long plan, long changes, String began) {

    /** Whether a journal that says this says all that the other says. */
    public boolean includes(Reached other) {
      return isOf(other) && !isBehind(other);
    }

    /** Whether any number is lower than the other's. */
    boolean isBehind(Reached other) {
      return epoch < other.epoch || plan < other.plan || changes < other.changes;
    }

    /** Whether both may be of the same journal. */
    public boolean isOf(Reached other) {
      return other.began.isEmpty() || other.began.equals(began);
    }

    @Override
    public String toString() {
      return "start " + epoch + ", plan " + plan + " and change " + changes;
    }
  }

  /**
   * Empty where no journal was ever marked there, or attributes are disabled.
   *
   * @throws IOException where it can't be read: that is no sign that there is none
   * @throws HeldBackException where a mover apart has it, and doesn't answer
   */
  Optional<Reached> read() throws IOException;

  /**
   * @throws IOException where what is there has a higher number, too: the numbers of a journal that was accepted go on from
   *     the mark's
   */
  void write(Reached now) throws IOException;
}
