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
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the service finds in the live log is what {@code thermocline mine} finds in the same log
 * afterwards.
 */
class MinedOnlineTest {

  private static final long SEED = 20261122;
  private static final double HOT_SHARE = 0.1;
  private static final int GROUPS = 20;
  private static final int GROUP = 4;
  private static final int CHUNK = 997;

  @Test
  void onlineAndOfflineFindTheSame(@TempDir Path directory) throws Exception {
    Path log = Files.writeString(directory.resolve("hdfs-audit.log"), log());
    MiningSettings settings = MiningSettings.defaults().withWindow(Duration.ofSeconds(2));

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
    for (GroupKeeper.Found found : mining.found(block -> null, HOT_SHARE)) {
      List<String> paths = new ArrayList<>(found.paths());
      online.add(words(found.group(), key -> paths.remove(0)));
    }
    assertTrue(offline.size() >= GROUPS / 2, offline::toString);
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

  /** Groups, some hot, and single files between them, by clients of their own. */
  private static String log() {
    SplittableRandom random = new SplittableRandom(SEED);
    StringBuilder lines = new StringBuilder();
    long millis = 0;
    for (int i = 0; i < 3_000; i++) {
      millis += 400 + random.nextInt(3_000);
      if (random.nextInt(3) > 0) {
        int group = Math.min(random.nextInt(GROUPS), random.nextInt(GROUPS));
        for (int member = 0; member < GROUP; member++) {
          lines.append(line(millis + 100L * member, i, "/w/group-" + group + "/" + member));
        }
      } else {
        lines.append(line(millis, i, "/w/single-" + random.nextInt(200)));
      }
    }
    return lines.toString();
  }

  private static String line(long millis, int client, String path) {
    return String.format(
        Locale.ROOT,
        "2026-11-20 %02d:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=u%d (auth:SIMPLE)\tip=/10.0.0.1"
            + "\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc\n",
        millis / 3_600_000,
        millis / 60_000 % 60,
        millis / 1000 % 60,
        millis % 1000,
        client,
        path);
  }
}
