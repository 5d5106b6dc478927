// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;
import java.util.Map;

/**
 * What would have been done on one day, what that would have brought, and what it would have cost. Types are names of
 * storage types; times are UTC, ISO 8601. A read stands for one of the whole file.
 *
 * @param day in the zone of the logs
 * @param updated when it was written last
 * @param plans made on that day
 * @param moves of replicas by from and to, "DISK to SSD"
 * @param actions how often a file would have been cached, or been given more or fewer replicas, by cause
 * @param served which types served the reads, estimated from the NameNodes' read order
 * @param otherReads of files that no plan was made of yet, or that aren't managed
 * @param seconds of time, of readers and of devices
 * @param storage how full types are, and would be
 * @param slowReads files that were read from slow types, most reads first
 */
public record ShadowReport(
    String day,
    String updated,
    long plans,
    Map<String, Flow> moves,
    // As above.
    @JsonAlias("levers") Map<String, Integer> actions,
    Map<String, Served> served,
    long otherReads,
    Seconds seconds,
    Map<String, Room> storage,
    // Its name in day files of earlier versions.
    @JsonAlias("regrets") List<SlowRead> slowReads) {

  public ShadowReport {
    moves = Map.copyOf(moves);
    actions = Map.copyOf(actions);
    served = Map.copyOf(served);
    storage = Map.copyOf(storage);
    slowReads = List.copyOf(slowReads);
  }

  /** The sentence that sums it up. */
  public String headline() {
    return Figures.headline(this);
  }

  /** What it would have cost, as a sentence. */
  public String cost() {
    return Figures.cost(this);
  }

  static ShadowReport begin(String day, String now) {
    return new ShadowReport(
        day, now, 0, Map.of(), Map.of(), Map.of(), 0, new Seconds(0, 0, 0), Map.of(), List.of());
  }

  /** Replicas that would have gone one way. */
  public record Flow(long moves, long bytes) {
    Flow plus(Flow other) {
      return new Flow(moves + other.moves, bytes + other.bytes);
    }
  }

  /**
   * Reads and their bytes of one type.
   *
   * @param reads as it was
   * @param readsIf as it would have been
   */
  public record Served(double reads, double bytes, double readsIf, double bytesIf) {
    Served plus(Served other) {
      return new Served(
          reads + other.reads,
          bytes + other.bytes,
          readsIf + other.readsIf,
          bytesIf + other.bytesIf);
    }
  }

  /**
   * By the speeds of decide.benefit, for one reader at a time.
   *
   * @param read that readers waited
   * @param readIf that they would have
   * @param copied that devices would have spent on moves
   */
  public record Seconds(double read, double readIf, double copied) {
    Seconds plus(Seconds other) {
      return new Seconds(read + other.read, readIf + other.readIf, copied + other.copied);
    }
  }

  /** Bytes of one type, at the last plan of the day. */
  public record Room(long used, long usedIf, long capacity) {}

  /**
   * A file that was read from a slow type.
   *
   * @param reads from there
   * @param from the type
   * @param readsIf how many of them would have been from a fast one
   * @param why what keeps it from a fast type at the last plan
   */
  public record SlowRead(
      String path, long length, long reads, String from, long readsIf, String why) {}
}
