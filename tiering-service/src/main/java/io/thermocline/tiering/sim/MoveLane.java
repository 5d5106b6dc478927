// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Moves one after the other, each at the bandwidth that both tiers have. All devices of a tier work on a
 * move together, so one at a time is what many at once would take.
 */
final class MoveLane implements Moves {
  static final long NEVER = Long.MAX_VALUE;
  private static final double MICROS = 1e6;

  private final FileTable files;
  private final Tally tally;
  private final double share;
  private final Consumer<ServiceModel.Transfer> begun;
  private final Queue<Wanted> waiting = new ArrayDeque<>();
  private Wanted moving;
  private long endsAt = NEVER;

  /** @param copy null: it is the whole file */
  private record Wanted(int file, int tier, Copy copy) {}

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

  @Override
  public boolean move(int file, int tier) {
    return files.isMovable(file, tier) && waiting.add(new Wanted(file, tier, null));
  }

  @Override
  public void copy(Copy copy) {
    waiting.add(new Wanted(copy.file(), copy.target(), copy));
  }

  /** When the running move ends; {@link #NEVER} if none runs. */
  long endsAt() {
    return endsAt;
  }

  void complete() {
    if (moving.copy() == null) {
      files.complete(moving.file());
    } else {
      double[] serves = moving.copy().done().get();
      if (moving.file() < files.files()) {
        files.serve(moving.file(), serves);
      }
    }
    moving = null;
    endsAt = NEVER;
  }

  /** Begins the next move, unless one runs; those that have no room, or are there by now, are dropped. */
  void begin(long now) {
    while (moving == null && !waiting.isEmpty()) {
      Wanted next = waiting.remove();
      Copy copy = next.copy();
      int source = copy == null ? files.tierOf(next.file()) : copy.source();
      if (copy == null && !files.reserve(next.file(), next.tier())) {
        tally.refused();
        continue;
      }
      long bytes = copy == null ? files.bytes(next.file()) : copy.bytes();
      tally.moved(bytes, source, next.tier(), now);
      moving = next;
      endsAt = now + micros(bytes, source, next.tier());
      begun.accept(new ServiceModel.Transfer(next.file(), bytes, source, next.tier(), now, endsAt));
    }
  }

  private long micros(long bytes, int source, int target) {
    double bandwidth =
        share
            * Math.min(
                files.tier(source).readBytesPerSecond(), files.tier(target).writeBytesPerSecond());
    return (long) Math.ceil(bytes / bandwidth * MICROS);
  }
}
