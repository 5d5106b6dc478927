// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.HintConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.admission.ForecastScore;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Opens;
import io.thermocline.tiering.hints.Expectation;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How hot files are, and what was learned of them where worth is on. One thread plans, and has it learn; any may ask.
 */
final class FileHeat {

  private static final Logger LOG = LoggerFactory.getLogger(FileHeat.class);

  private final Heat heat;
  private final ReadCalibration calibration;
  private final Duration halfLife;

  /** Null where it isn't learned, and so are the next two. */
  private final LearnedAdmission admission;

  private final StaticHints names;
  private final HintRates rates;
  private volatile HintsInForce hints = HintsInForce.NONE;
  private LearnedAdmission.Asked asked;
  private volatile ForecastScore score;
  private long forgotten;

  /**
   * @param hinting how hints count
   */
  FileHeat(
      Heat heat,
      ReadCalibration calibration,
      Duration halfLife,
      LearnedAdmission admission,
      HintConfig hinting) {
    this.names = hinting.names();
    this.rates = hinting.settings().rates();
    this.heat = heat;
    this.calibration = calibration;
    this.halfLife = halfLife;
    this.admission = admission;
  }

  /**
   * A pass over all files begins.
   *
   * @param inForce the hints until the next one
   */
  void begin(HintsInForce inForce) {
    hints = inForce;
    if (admission != null) {
      asked = admission.ask();
      score = admission.score();
    }
  }

  /** How reads lose weight, in words. */
  String decay() {
    return "a read of "
        + Quantities.seconds(halfLife.toSeconds())
        + " ago counts half (heat.halfLife)";
  }

  /** There is such a file. */
  void passed(FileView file) {
    if (admission != null) {
      asked.tell(file.path(), file.length());
    }
  }

  /**
   * The pass is over: learns from the reads before it, of the files that passed.
   *
   * @param limits of the types that take part
   * @param reach share of its file's reads that a fast copy serves: of files that are read from fast types alone, these
   *     hold so much fewer
   */
  void learn(ClusterView cluster, Map<StorageType, TierLimits> limits, double reach) {
    if (admission == null) {
      return;
    }
    double fast = 0;
    for (Map.Entry<StorageType, ClusterView.Occupancy> type : cluster.occupancy().entrySet()) {
      TierLimits limit = limits.get(type.getKey());
      if (limit != null && type.getKey().isFast()) {
        fast += limit.lowerWatermark() * type.getValue().capacity();
      }
    }
    admission.learn(asked, (long) (fast * reach));
    score = admission.score();
    long lost = admission.forgotten();
    if (lost > forgotten) {
      LOG.warn("{} reads came too fast between two plans to learn from them", lost - forgotten);
      forgotten = lost;
    }
  }

  /** What was planned, for the price of moves; not again what was known when it was saved. */
  void planned(String path, Decision.Cause cause, Instant at) {
    if (admission == null || !admission.isNews(at.toEpochMilli())) {
      return;
    }
    switch (cause) {
      case PROMOTED -> admission.moved(path);
      case DISPLACED, COLD_MIGRATION -> admission.displaced(path, at.toEpochMilli());
      case RECALLED,
          ARCHIVED,
          DEMOTED,
          RULED_DOWN,
          RULED_UP,
          ORDERED_DOWN,
          ORDERED_UP,
          CACHED,
          UNCACHED,
          MORE_COPIES,
          FEWER_COPIES,
          TO_NEW_NODE,
          UNDONE -> {
        // Between DISK and ARCHIVE, within a type, by patterns, rules or undo, or no move at all.
      }
    }
  }

  /** All that was planned up to a time was told. */
  void plannedUpTo(Instant at) {
    if (admission != null) {
      admission.told(at.toEpochMilli());
    }
  }

  /** How many reads of the whole file an open of it stands for at present. */
  ToDoubleFunction<FileView> readsOfAnOpen() {
    return file -> {
      Opens opens = heat.opens(file.path());
      double all = opens.whole() + opens.parts();
      return all == 0 ? 1 : calibration.opened(file, opens).heat() / all;
    };
  }

  /** A file as decisions take it. */
  HotFile of(FileView file, Instant now) {
    Opens opens = heat.opens(file.path());
    HotFile hot = calibration.opened(file, opens);
    if (score != null) {
      // Of opens that share a file, the first alone is learned from.
      double each = opens.whole() > 0 ? hot.heat() / opens.whole() : 1;
      hot = hot.with(admission.estimate(file.path(), now.toEpochMilli()), score, each, halfLife);
    }
    Optional<Expectation> given = hints.of(file.path());
    if (given.isPresent()) {
      return hot.with(given.get(), hints.asked(file.path()), halfLife);
    }
    Optional<Expectation> named = names.expectation(file.path(), file.length(), rates);
    return named.isPresent() ? hot.with(named.get(), List.of(), halfLife) : hot;
  }
}
