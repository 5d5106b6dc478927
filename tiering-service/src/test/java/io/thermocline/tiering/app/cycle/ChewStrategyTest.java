// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.decide.ChewDecider;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.pools.BlockParts;
import io.thermocline.tiering.heat.BlockTally;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.SeenAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChewStrategyTest {
  private static final long FILE = 256L << 20;
  private static final Duration EPOCH = Duration.ofMinutes(20);
  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(StorageType.SSD, new TierLimits(1, 1, 0), StorageType.DISK, new TierLimits(1, 1, 0));

  private final Scene scene =
      new Scene().nodes(4, Map.of(StorageType.SSD, 2 * FILE, StorageType.DISK, 100 * FILE));
  private final HotFile hot =
      new HotFile(scene.file("/hot", FILE, "n1-DISK", "n2-DISK", "n3-DISK"), 1);
  private final HotFile idle =
      new HotFile(scene.file("/idle", FILE, "n1-DISK", "n2-DISK", "n3-DISK"), 0);
  private final Heat heat =
      new Heat(new HeatSettings(Duration.ofHours(1), 1 << 16, 100, 100, 100), "ns");
  private Instant now = Instant.parse("2026-11-20T00:00:00Z");

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  /** Read in the first epoch only; decided at the end of each of seven. */
  private List<Boolean> promotedAfterOneEpochOfReads(int window, Optional<BlockTally> tally)
      throws Exception {
    ChewConfig config = ChewFile.read(Path.of("../conf/chew.yaml"));
    ChewDecider.Rules rules =
        new ChewDecider.Rules(
            config.library().withFit(Optional.empty()),
            config.split(),
            window,
            config.smallBelow(),
            config.volumes(),
            BlockParts.Plugin.ABSENT);
    ChewStrategy strategy =
        ChewStrategy.following(Tiering.plain(LIMITS, 0), rules, heat, tally, clock);
    List<Boolean> promoted = new ArrayList<>();
    for (int epoch = 0; epoch < 7; epoch++) {
      if (epoch == 0) {
        for (int i = 0; i < 40; i++) {
          heat.accept(SeenAccess.of(Access.Kind.READ, "/hot").at(now.plusMillis(1000L * i)));
        }
      }
      now = now.plus(EPOCH);
      DecideStrategy.Ruling ruling =
          strategy.decide(List.of(hot, idle), Situation.of(scene.cluster()));
      promoted.add(!ruling.decisions().isEmpty());
    }
    return promoted;
  }

  @Test
  void whatWasReadCountsAsLongAsItIsInTheWindow() throws Exception {
    assertEquals(
        List.of(true, false, false, false, false, false, false),
        promotedAfterOneEpochOfReads(1, Optional.empty()));
  }

  @Test
  void windowMovesOnByOneEpoch() throws Exception {
    assertEquals(
        List.of(true, true, true, true, false, false, false),
        promotedAfterOneEpochOfReads(4, Optional.empty()));
  }

  /** Where clienttrace is read: of the epoch before the last, both the opens and the bytes are known. */
  @Test
  void windowEndsAnEpochEarlierWithClienttrace() throws Exception {
    assertEquals(
        List.of(false, true, true, true, true, false, false),
        promotedAfterOneEpochOfReads(4, Optional.of(new BlockTally())));
  }
}
