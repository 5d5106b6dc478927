// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the service finds in the live log is what {@code thermocline mine} finds in the same log
 * afterwards.
 */
class MinedOnlineTest {

  private static final long SEED = 20261122;
  private static final double HOT_SHARE = 0.1;
  private static final int CHUNK = 9_973;

  @ParameterizedTest
  @EnumSource(GeneratedSets.Marks.class)
  void onlineAndOfflineFindTheSame(GeneratedSets.Marks marks, @TempDir Path directory)
      throws Exception {
    GeneratedSets sets = new GeneratedSets(100, 8, 64, 24_000, 0.5, 0, 0, 1, marks, SEED);
    Path log = Files.writeString(directory.resolve("hdfs-audit.log"), log(sets));
    MiningSettings settings = MiningSettings.ofFiles();

    MinedReads reads = new MinedReads();
    reads.add(log, ZoneOffset.UTC);
    CorrelationMiner miner = new CorrelationMiner(settings);
    reads.into(miner);
    List<String> offline = new ArrayList<>();
    for (ObjectGroup group : miner.groups(HOT_SHARE)) {
      offline.add(words(group, reads::name));
    }

    GroupMining mining = new GroupMining(config(settings), List.of("/"), 0);
    List<String> online = new ArrayList<>();
    try (AuditSource source =
        new AuditSource(
            List.of(new AuditLog("", log, ZoneOffset.UTC, null)),
            LogStart.BEGINNING,
            AccessSettings.defaults(AccessSettings.Ignored.nothing()),
            SourceCheckpoint.none(),
            Clock.systemUTC())) {
      while (source.poll(mining::accept, CHUNK)) {
        // Groups are looked at while reads come in.
        mining.found(block -> null, HOT_SHARE);
      }
    }
    for (GroupReconciler.Found found : mining.found(block -> null, HOT_SHARE)) {
      List<String> paths = new ArrayList<>(found.paths());
      online.add(words(found.group(), key -> paths.remove(0)));
    }
    FoundSets truth = FoundSets.of(sets, miner.groups(HOT_SHARE), reads::name);
    assertTrue(truth.foundPercent() >= 95 && truth.wrongPercent() <= 2, truth::toString);
    assertEquals(offline, online);
  }

  private static String words(ObjectGroup group, LongFunction<String> names) {
    List<String> members = new ArrayList<>();
    group.members().forEach(each -> members.add(names.apply(each.key()) + " x " + each.reads()));
    return group.pattern() + " " + group.distance() + " " + members;
  }

  private static GroupsConfig config(MiningSettings settings) {
    return new GroupsConfig(
        settings,
        OptionalDouble.empty(),
        Duration.ofMillis(10),
        "/system/thermocline/groups",
        Duration.ofMinutes(1),
        Duration.ofDays(1),
        1,
        1,
        1,
        1,
        0.1,
        new GroupsConfig.Raise(0, 1));
  }

  /** Of 64 clients at once, whose reads the service also takes for scans. */
  private static String log(GeneratedSets sets) {
    DateTimeFormatter times =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
    StringBuilder lines = new StringBuilder();
    sets.each(
        (set, file, client, millis) ->
            lines
                .append(sets.line(set, file, client, times.format(Instant.ofEpochMilli(millis))))
                .append('\n'));
    return lines.toString();
  }
}
