// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.function.LongSupplier;

/** Asks after each access; what is wanted happens at once. */
final class ImmediateMover implements Mover {
  private final FileTable files;
  private final Tally tally;
  private final TieringPolicy policy;

  ImmediateMover(FileTable files, Tally tally, TieringPolicy policy) {
    this.files = files;
    this.tally = tally;
    this.policy = policy;
  }

  @Override
  public void advance(long micros, LongSupplier nanos) {
    // Nothing takes time here.
  }

  @Override
  public void accessed(FileAccess access, LongSupplier nanos) {
    long begin = nanos.getAsLong();
    policy.react(access, files, this::move);
    tally.decided(nanos.getAsLong() - begin);
  }

  @Override
  public void end(LongSupplier nanos) {
    // All was moved at once.
  }

  private boolean move(int file, int tier) {
    int source = files.tierOf(file);
    if (!files.reserve(file, tier)) {
      tally.refused();
      return false;
    }
    files.complete(file);
    tally.moved(files.bytes(file), source, tier, files.nowMicros());
    return true;
  }
}
