// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts accesses for an epoch, and at its end fills the fast tier from the highest rate on. Between the
 * ends it holds to what it wanted.
 */
final class EpochTiering implements TieringPolicy {
  private final Epochs epochs;
  private final int[] counts;
  private final double[] rates;
  private List<Integer> ranking = List.of();
  private long nextEnd;
  private int ended;
  private boolean isNew;

  /**
   * How it counts.
   *
   * @param micros length of an epoch
   * @param newest weight of the newest epoch in the smoothed rate, above 0, to 1
   * @param rank what is ranked
   * @param last how many epochs it decides after; then what it wanted stays for good
   */
  record Epochs(long micros, double newest, Rank rank, int last) {}

  /** What is ranked. */
  enum Rank {
    /** Accesses. */
    RATE,
    /** Accesses by byte. */
    RATE_PER_BYTE
  }

  EpochTiering(Epochs epochs, int files) {
    this.epochs = epochs;
    counts = new int[files];
    rates = new double[files];
    nextEnd = epochs.micros();
  }

  /** The administrator who looks for a while and then sets storage policies, once. */
  static EpochTiering manual(int files, long trialMicros) {
    return new EpochTiering(new Epochs(trialMicros, 1, Rank.RATE, 1), files);
  }

  /** Dynamic tiering by the accesses of the last epoch alone. */
  static EpochTiering byAccesses(int files, long epochMicros) {
    return new EpochTiering(new Epochs(epochMicros, 1, Rank.RATE, Integer.MAX_VALUE), files);
  }

  /**
   * EDT, as far as it concerns one fast tier (Guerra et al., Cost effective storage using extent based dynamic
   * tiering, FAST 2011): what demands most accesses for its room goes where these are cheap, by a smoothed rate.
   */
  static EpochTiering edt(int files, long epochMicros) {
    return new EpochTiering(
        new Epochs(epochMicros, 0.5, Rank.RATE_PER_BYTE, Integer.MAX_VALUE), files);
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    endEpochs(access.atMicros(), tiers);
    counts[access.file()]++;
  }

  private void endEpochs(long now, TierState tiers) {
    if (now < nextEnd || ended == epochs.last()) {
      return;
    }
    while (now >= nextEnd && ended < epochs.last()) {
      for (int file = 0; file < counts.length; file++) {
        rates[file] += epochs.newest() * (counts[file] - rates[file]);
        counts[file] = 0;
      }
      nextEnd += epochs.micros();
      ended++;
    }
    isNew = true;
    ranking =
        IntStream.range(0, rates.length)
            .filter(file -> rates[file] > 0)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(file -> -rank(file, tiers))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
  }

  private double rank(int file, TierState tiers) {
    return epochs.rank() == Rank.RATE ? rates[file] : rates[file] / Math.max(1, tiers.bytes(file));
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    if (isNew) {
      request(tiers, moves);
      isNew = false;
    }
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    endEpochs(tiers.nowMicros(), tiers);
    request(tiers, moves);
  }

  private void request(TierState tiers, Moves moves) {
    if (!ranking.isEmpty()) {
      FastTierFill.of(ranking, tiers, 1).request(moves, file -> {});
    }
  }
}
