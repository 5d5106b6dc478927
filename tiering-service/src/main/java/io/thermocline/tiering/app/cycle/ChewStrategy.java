// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.decide.ChewDecider;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.pools.Granularity;
import io.thermocline.tiering.decide.pools.SlidingWindow;
import io.thermocline.tiering.heat.BlockReads;
import io.thermocline.tiering.heat.BlockTally;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Profile;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * By patterns (ChewAnalyzer), as seen in the last epochs. An epoch is from one plan to the next. Keeps what it needs of them:
 * profiles as they were, reads of blocks, and which files are split. One thread.
 */
public final class ChewStrategy implements DecideStrategy {

  /*
   * The DataNodes' logs are read up to the last plan, by whose blocks they are known. So with them a plan is about the epoch
   * before the last and those before it: of these both the opens and the bytes are known. Without them it is about the last
   * ones. Nothing is decided before a whole epoch was seen: all would look cold.
   */

  private final Map<StorageType, TierLimits> limits;
  private final ChewDecider decider;
  private final Heat heat;
  private final Optional<BlockTally> tally;
  private final Clock clock;
  private final SlidingWindow<Epoch> recent;
  private Granularity granularity = Granularity.WHOLE;

  /** As it was at the plan before the last; null where there was none. */
  private Seen older;

  private Seen newer;

  private record Seen(Map<String, Profile> profiles, long millis) {}

  /**
   * @param told by clienttrace; empty where none is read
   */
  private record Epoch(Seen from, Seen to, Optional<Map<Long, BlockReads>> told) {}

  private ChewStrategy(
      Tiering tiering,
      ChewDecider.Rules rules,
      Heat heat,
      Optional<BlockTally> tally,
      Clock clock) {
    this.limits = tiering.limits();
    this.decider = new ChewDecider(tiering, rules);
    this.heat = heat;
    this.tally = tally;
    this.clock = clock;
    this.recent = new SlidingWindow<>(rules.window());
    this.newer = seen();
  }

  /**
   * For a service that goes on: by what happens from now on.
   *
   * @param tally of the reads of blocks that clienttrace tells; empty where none is read
   */
  public static ChewStrategy following(
      Tiering tiering,
      ChewDecider.Rules rules,
      Heat heat,
      Optional<BlockTally> tally,
      Clock clock) {
    return new ChewStrategy(tiering, rules, heat, tally, clock);
  }

  /** For one look: by all that the profiles have, since they began. */
  public static ChewStrategy once(
      Tiering tiering, ChewDecider.Rules rules, Heat heat, Clock clock, Duration atLeast) {
    ChewStrategy strategy = new ChewStrategy(tiering, rules, heat, Optional.empty(), clock);
    strategy.newer = new Seen(Map.of(), clock.millis() - atLeast.toMillis());
    return strategy;
  }

  @Override
  public Map<StorageType, TierLimits> limits() {
    return limits;
  }

  @Override
  public Ruling decide(List<HotFile> files, Situation situation) {
    Seen now = seen();
    Epoch last =
        tally.isEmpty()
            ? new Epoch(newer, now, Optional.empty())
            : new Epoch(older, newer, tally.map(BlockTally::take));
    older = newer;
    newer = now;
    if (last.from == null || last.to.millis <= last.from.millis) {
      List<String> notes = List.of("no whole epoch was seen yet, so nothing is decided");
      return new Ruling(
          List.of(),
          (path, other) -> new Explanation(path, null, Optional.empty(), Map.of(), notes),
          notes,
          file -> List.of());
    }
    ChewDecider.Chewed chewed =
        decider.decide(files, situation, window(recent.moveOn(last)), granularity);
    granularity = chewed.next();
    return new Ruling(
        chewed.decisions(),
        (path, other) ->
            decider.explain(path, chewed, DecideStrategy.with(files, other), situation),
        chewed.assignment().notes(),
        decider.patterns(chewed));
  }

  private static HdfsChunks.Window window(List<Epoch> epochs) {
    Seen from = epochs.get(0).from;
    Epoch last = epochs.get(epochs.size() - 1);
    return new HdfsChunks.Window(
        from.profiles,
        last.to.profiles,
        last.told.map(told -> told(epochs)),
        last.to.millis,
        Duration.ofMillis(last.to.millis - from.millis));
  }

  private static Map<Long, BlockReads> told(List<Epoch> epochs) {
    Map<Long, BlockReads> sum = new HashMap<>();
    for (Epoch epoch : epochs) {
      epoch.told.orElseThrow().forEach((block, reads) -> sum.merge(block, reads, BlockReads::plus));
    }
    return sum;
  }

  private Seen seen() {
    return new Seen(
        heat.profiles().stream()
            .collect(Collectors.toUnmodifiableMap(Profile::path, Function.identity())),
        clock.millis());
  }
}
