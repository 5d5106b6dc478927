// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import io.thermocline.tiering.sim.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Knows all reads that will come, and makes the most hits of it that a greedy choice can. A file's cost is
 * the room that it takes until its next read: bytes times the distance. What costs most leaves first, and
 * nothing enters in whose favour something cheaper would have to leave (Belady's rule, weighed by size, with
 * bypass). It moves only files that have been accessed, as everybody else can: so the first read of a file
 * is no hit.
 *
 * <p>With files of one size, each access a decision, no policy hits more (Belady, IBM Systems Journal 5,
 * 1966; bypass: McFarling, SIGARCH 1989). With any sizes the best choice is NP-hard (Berger, Beckmann and
 * Harchol-Balter, Practical bounds on optimal caching with variable object sizes, 2018), and this is a close
 * one.
 */
final class Clairvoyant implements TieringPolicy {
  private static final double MICROS = 1e6;

  private final FutureReads future;
  private final long unseenFrom;
  private final BitSet readTwice = new BitSet();
  private final BitSet read = new BitSet();
  private final Set<Integer> coming = new LinkedHashSet<>();
  private final double bytesPerMicro;

  /**
   * @param unseenFrom files of at least so many bytes are known only from their second access on
   */
  Clairvoyant(Trace trace, List<SimTier> tiers, int home, long unseenFrom) {
    this.unseenFrom = unseenFrom;
    future = new FutureReads(trace);
    SimTier fastest = tiers.get(tiers.size() - 1);
    bytesPerMicro =
        Math.min(tiers.get(home).readBytesPerSecond(), fastest.writeBytesPerSecond()) / MICROS;
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    future.advance();
    readTwice.set(access.file(), read.get(access.file()));
    read.set(access.file());
    if (isSeen(access.file(), tiers) && future.isComing(access.file())) {
      coming.add(access.file());
    } else {
      coming.remove(access.file());
    }
  }

  private boolean isSeen(int file, TierState tiers) {
    return tiers.bytes(file) < unseenFrom || readTwice.get(file);
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    int file = access.file();
    int fast = tiers.fastest();
    if (!isSeen(file, tiers)
        || !future.isComing(file)
        || tiers.tierOf(file) == fast
        || tiers.bytes(file) > tiers.capacity(fast)) {
      return;
    }
    while (tiers.free(fast) < tiers.bytes(file)) {
      int dearest = dearest(tiers);
      if (cost(dearest, tiers) <= cost(file, tiers)) {
        return;
      }
      moves.move(dearest, tiers.home());
    }
    moves.move(file, fast);
  }

  private int dearest(TierState tiers) {
    int dearest = tiers.fileOn(tiers.fastest(), 0);
    for (int i = 1; i < tiers.filesOn(tiers.fastest()); i++) {
      int file = tiers.fileOn(tiers.fastest(), i);
      if (cost(file, tiers) > cost(dearest, tiers)) {
        dearest = file;
      }
    }
    return dearest;
  }

  private double cost(int file, TierState tiers) {
    return future.isComing(file)
        ? (double) future.accessesUntil(file) * Math.max(1, tiers.bytes(file))
        : Double.POSITIVE_INFINITY;
  }

  /** Live: a file that isn't there can be hit only after its copy has had its time. */
  private record Ranked(int file, double cost) {}

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    List<Ranked> ranking = new ArrayList<>();
    for (int file : coming) {
      long ready = tiers.nowMicros();
      if (tiers.tierOf(file) != tiers.fastest()) {
        ready += (long) (tiers.bytes(file) / bytesPerMicro);
      }
      long read = future.readFrom(file, ready);
      if (read != Long.MAX_VALUE) {
        double wait = 1 + read - tiers.nowMicros();
        ranking.add(new Ranked(file, wait * Math.max(1, tiers.bytes(file))));
      }
    }
    ranking.sort(Comparator.comparingDouble(Ranked::cost).thenComparingInt(Ranked::file));
    FastTierFill.of(ranking.stream().map(Ranked::file).toList(), tiers, 1)
        .request(moves, file -> {});
  }
}
