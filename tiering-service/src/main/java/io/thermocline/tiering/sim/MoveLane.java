// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Moves one after the other, each at the bandwidth that both tiers have. All devices of a tier work on a
 * move together, so one at a time is what many at once would take.
 */
final class MoveLane {
  static final long NEVER = Long.MAX_VALUE;
  private static final double MICROS = 1e6;

  private final FileTable files;
  private final Tally tally;
  private final double share;
  private final Consumer<ServiceModel.Transfer> begun;
  private final Queue<Wanted> waiting = new ArrayDeque<>();
  private int moving = -1;
  private long endsAt = NEVER;

  private record Wanted(int file, int tier) {}

  /**
   * @param share of the tiers' bandwidth that moves may take, above 0, to 1
   * @param begun is told of each move
   */
  MoveLane(FileTable files, Tally tally, double share, Consumer<ServiceModel.Transfer> begun) {
    this.files = files;
    this.tally = tally;
    this.share = share;
    this.begun = begun;
  }

  void forgetWaiting() {
    waiting.clear();
  }

  boolean ask(int file, int tier) {
    return files.isMovable(file, tier) && waiting.add(new Wanted(file, tier));
  }

  /** When the running move ends; {@link #NEVER} if none runs. */
  long endsAt() {
    return endsAt;
  }

  void complete() {
    files.complete(moving);
    moving = -1;
    endsAt = NEVER;
  }

  /** Begins the next move, unless one runs; those that have no room, or are there by now, are dropped. */
  void begin(long now) {
    while (moving < 0 && !waiting.isEmpty()) {
      Wanted next = waiting.remove();
      int source = files.tierOf(next.file());
      if (files.reserve(next.file(), next.tier())) {
        tally.moved(files.bytes(next.file()), source, next.tier());
        moving = next.file();
        endsAt = now + micros(next, source);
        begun.accept(
            new ServiceModel.Transfer(
                moving, files.bytes(moving), source, next.tier(), now, endsAt));
      } else {
        tally.refused();
      }
    }
  }

  private long micros(Wanted move, int source) {
    double bandwidth =
        share
            * Math.min(
                files.tier(source).readBytesPerSecond(),
                files.tier(move.tier()).writeBytesPerSecond());
    return (long) Math.ceil(files.bytes(move.file()) / bandwidth * MICROS);
  }
}
