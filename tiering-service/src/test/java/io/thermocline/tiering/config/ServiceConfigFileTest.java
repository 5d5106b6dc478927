// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Requirement;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.decide.PrefetchLimits;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.FirstParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The file as a whole: what is shipped, what is left out, what is wrong. */
class ServiceConfigFileTest extends ConfigFileCase {

  @Test
  void readsWhereAMoverIs() throws Exception {
    assertEquals(
        new ServiceConfig.MoverAt(
            Path.of("/run/thermocline-mover/mover.sock"), "thermocline-mover"),
        read(LEAST + "mover: {}\n").hdfs().mover());
    String all =
        String.join(
            "\n",
            problems(
                LEAST
                    + "mover: {socket: mover.sock, usr: x}\n"
                    + "act: {backEnd: satisfier}\n"
                    + "decide: {actions: {groups: {maxBytes: 1 GB}}}\n"));
    for (String expected :
        List.of(
            "mover.socket expected an absolute path of at most 107 characters",
            "mover.usr is no key: did you mean mover.user?",
            "act.backEnd expected directed, as a mover knows no other",
            "decide.actions with groups need a service that is superuser itself")) {
      assertTrue(all.contains(expected), () -> expected + " in\n" + all);
    }
  }

  @Test
  void readsTheExampleAsItIs() throws ConfigException {
    ServiceConfig config = ServiceConfigFile.read(EXAMPLE);

    assertEquals(
        new ServiceConfig(
            new ServiceConfig.Hdfs(null, Path.of("/etc/hadoop/conf"), null, null, null, null),
            new ServiceConfig.Observe(
                List.of(
                    new ServiceConfig.LogFile(
                        null, Path.of("/var/log/hadoop/hdfs/hdfs-audit.log"), null)),
                LogStart.END,
                Duration.ofSeconds(1),
                AccessSettings.defaults(AccessSettings.Ignored.nothing()),
                ZoneId.systemDefault(),
                0.9,
                null,
                List.of(),
                null),
            new ServiceConfig.Learning(
                HeatSettings.forFiles(Duration.ofHours(6), 4_000_000), null, Duration.ofMinutes(1)),
            new ServiceConfig.Manage(
                List.of("/warehouse"), 1_000_000, List.of(), List.of(), List.of(), null),
            new ServiceConfig.Decide(
                Optional.of(Duration.ofMinutes(5)),
                0.2,
                ServiceConfig.Thresholds.LEARNED,
                false,
                Promotion.ONE_OR_ALL,
                Map.of(
                    StorageType.NVDIMM, new TierLimits(0.8, 0.9, 4),
                    StorageType.SSD, new TierLimits(0.8, 0.9, 2),
                    StorageType.DISK, new TierLimits(0.75, 0.85, 1),
                    StorageType.ARCHIVE, new TierLimits(0.85, 0.9, 0)),
                new ServiceConfig.Benefit(
                    Duration.ofDays(1),
                    1,
                    Map.of(
                        StorageType.NVDIMM, new TierSpeed(2000L << 20, 1000L << 20, 0.00001),
                        StorageType.SSD, new TierSpeed(450L << 20, 400L << 20, 0.0001),
                        StorageType.DISK, new TierSpeed(150L << 20, 140L << 20, 0.008),
                        StorageType.ARCHIVE, new TierSpeed(100L << 20, 90L << 20, 0.012))),
                new Stability(Duration.ofMinutes(30), 4, Duration.ofDays(1)),
                List.of(),
                Map.of(),
                new Budget(1000, 100L << 30, 0.95),
                ServiceConfig.Actions.OFF,
                Optional.empty(),
                FirstParts.Settings.OFF,
                ServiceConfig.FillNewNodes.OFF),
            new ServiceConfig.Act(
                ServiceConfig.Mode.SHADOW,
                ServiceConfig.Mover.DIRECTED,
                new ActLimits(
                    256, 4, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(5)),
                new Pacing(100L << 20, Map.of(), 500, Duration.ofMinutes(10)),
                Windows.of(List.of(), ZoneId.systemDefault()),
                new ServiceConfig.Yielding(
                    Set.of("/system/mover.id", "/system/balancer.id"),
                    new Surroundings.Bounds(0, 1024, 20, 1.5),
                    Duration.ofSeconds(10),
                    0),
                "/system/thermocline/mover.id",
                new ServiceConfig.Review(ServiceConfig.Approval.NONE, Duration.ofHours(1)),
                List.of(),
                List.of()),
            Path.of("/var/lib/thermocline"),
            new HintConfig(
                false,
                HintSettings.DEFAULT,
                1000,
                new PrefetchLimits(10L << 30, 1L << 30),
                StaticHints.Level.OFF,
                StaticHints.TABLE_2_2,
                10L << 20,
                new HintOperations(
                    new HintOperations.Wakeups(
                        Map.of(), null, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                    new HintOperations.Timer(Duration.ZERO, 1000, 128L << 20, List.of()),
                    new HintOperations.Redirect(
                        0, Map.of(Requirement.LOW_LATENCY, "ONE_SSD", Requirement.CHEAP, "COLD")))),
            new ServiceConfig.Api("127.0.0.1", 8480, ApiSecuritySection.NONE, List.of()),
            new ServiceConfig.Shared(null, Duration.ofDays(90), null)),
        config);
  }

  @Test
  void saysWhatEachKeyComesTo() throws IOException, ConfigException {
    List<ConfigResource.Setting> settings =
        read(LEAST + "act: {maxConcurrentCopies: 3}\napi: {}\n").api().settings();
    assertTrue(
        settings.contains(setting("act.maxConcurrentCopies", "3", ConfigResource.Source.FILE)));
    assertTrue(
        settings.contains(
            setting("act.maxConcurrentCopiesPerNode", "4", ConfigResource.Source.DEFAULT)));
    assertTrue(settings.contains(setting("decide.every", "1m", ConfigResource.Source.DEFAULT)));
    assertTrue(settings.contains(setting("decide.margin", "20 %", ConfigResource.Source.DEFAULT)));
    assertTrue(
        settings.contains(setting("api.listen", "127.0.0.1:8480", ConfigResource.Source.DEFAULT)));
  }

  private static ConfigResource.Setting setting(
      String key, String value, ConfigResource.Source source) {
    return new ConfigResource.Setting(key, value, source);
  }

  @Test
  void saysWhatReplacedTheListOfDirectoriesWithQuotas() throws IOException {
    String text =
        Files.readString(EXAMPLE)
            .replace("  override: []", "  override: []\n  quotaDirectories: [/q]");
    ConfigException refused = assertThrows(ConfigException.class, () -> read(text));
    assertTrue(refused.getMessage().contains("finds the quotas"), refused.getMessage());
  }

  @Test
  void boundsPatternsOfPaths() throws IOException {
    String longOne = "[/" + "*a".repeat(500) + "]";
    for (String key : List.of("ignorePaths", "ignore", "pin", "override", "apply")) {
      String text =
          Files.readString(EXAMPLE).replace("  " + key + ": []", "  " + key + ": " + longOne);
      ConfigException refused = assertThrows(ConfigException.class, () -> read(text), key);
      assertTrue(
          refused.getMessage().contains(key + " expected at most 1000 characters, found 1001"),
          refused.getMessage());
    }
  }

  @Test
  void masksWhatMayBeSecret() throws IOException, ConfigException {
    String kafka =
        LEAST.replace(
            "  auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]\n",
            """
              kafka:
                topics: [t]
                bootstrapServers: ['k:9092']
                client: {sasl.jaas.config: hunter2, max.poll.records: 7}
            """);
    String shown = read(kafka).api().settings().toString();
    assertFalse(shown.contains("hunter2"), shown);
    assertTrue(shown.contains("sasl.jaas.config, value=***"), shown);
    assertTrue(shown.contains("max.poll.records, value=7"), shown);
  }

  /** Every "key: value" of the example, left out by itself, changes nothing. */
  @Test
  void takesWhatTheExampleShowsForKeysThatAreLeftOut() throws IOException, ConfigException {
    ServiceConfig whole = ServiceConfigFile.read(EXAMPLE);
    String text = Files.readString(EXAMPLE).replaceAll("(?m)^\\s*#.*\\n", "");
    // Limits of a plan grow with the cluster where they are left out, and the time to the next one
    // with what it takes.
    Set<String> withoutDefault =
        Set.of(
            "auditLogs",
            "paths",
            "directory",
            "configuration",
            "NVDIMM",
            "SSD",
            "DISK",
            "ARCHIVE",
            "moves",
            "bytes");
    Matcher pair =
        Pattern.compile("(\\w+): *(\\{[^}]*}|\\[[^\\]]*]|[^\\n,{}]+)(, *)?").matcher(text);
    List<String> left = new ArrayList<>();
    for (int from = 0; pair.find(from); ) {
      String key = pair.group(1);
      if (withoutDefault.contains(key) || pair.group().startsWith("every: 5m")) {
        // A tier's own keys stand inside its braces.
        from = pair.group(2).startsWith("{") ? pair.start(2) : pair.end();
        continue;
      }
      from = pair.end();
      String without = text.substring(0, pair.start()) + text.substring(pair.end());
      assertEquals(whole, read(without), "without " + pair.group());
      left.add(key);
    }
    String perType = ".*Watermark|threshold|demoteBelow|read|write|latencyMillis";
    assertEquals(16 + 12, left.stream().filter(key -> key.matches(perType)).count());
    assertEquals(
        List.of(
            "nameNodeWebs",
            "minCompleteness",
            "start",
            "poll",
            "openWindow",
            "scanFiles",
            "scanWindow",
            "ignoreUsers",
            "ignoreCallerContexts",
            "ignorePaths",
            "halfLife",
            "files",
            "checkpointEvery",
            "pageCache",
            "maxFiles",
            "ignore",
            "pin",
            "override",
            "strategy",
            "margin",
            "thresholds",
            "admission",
            "promotion",
            "horizon",
            "factor",
            "stability",
            "takenBackFactor",
            "caps",
            "flashWritesPerDay",
            "fillNewNodes",
            "fill",
            "mode",
            "apply",
            "approval",
            "approveWithin",
            "backEnd",
            "maxConcurrentCopiesPerNode",
            "maxConcurrentCopies",
            "bandwidthPerNode",
            "perType",
            "exclude",
            "nameNodeOperations",
            "attempts",
            "retryAfter",
            "beginWithin",
            "verifyEvery",
            "verifyWithin",
            "windows",
            "throttle",
            "mutex",
            "keep",
            "enabled",
            "hot",
            "warm",
            "maxLease",
            "maxPerOwner",
            "maxTotal",
            "askBefore",
            "unusedAfter",
            "answerWithin",
            "scanPerPlan",
            "prefetch",
            "operationsPerOwner",
            "webhooks",
            "every",
            "timeout",
            "timer",
            "redirectAbove",
            "redirect",
            "static",
            "sizes",
            "smallBelow",
            "listen"),
        left.stream().filter(key -> !key.matches(perType)).toList());
  }

  @Test
  void tellsAllProblemsAtOnce() throws IOException {
    String text =
        """
        hdfs:
          nameNode: nameservice1
        observe:
          audtLogs: [/var/log/hdfs-audit.log]
          start: now
          poll: 1 second
        heat:
          halfLife: 10ms
          files: 10
        manage:
          paths: [/a, warehouse]
          maxFiles: many
        decide:
          every: 0s
          margin: 0.2
          tiers:
            SDD: {lowerWatermark: 80 %}
            SSD: {lowerWatermark: 95 %, upperWatermark: 90 %, treshold: 2}
            DISK: {lowerWatermark: 101 %, threshold: -1}
          perPlan:
            bytes: 100 gigs
        act:
          mode: aply
          maxConcurrentCopies: 0
          mutex: mover.id
          attempts: [4]
        jurnal:
          directory: /var/lib/thermocline
        """;

    assertEquals(
        List.of(
            ":2:13: hdfs.nameNode expected a URI like hdfs://nameservice1, found 'nameservice1'",
            ": observe.auditLogs is missing: expected the audit log of every NameNode, for"
                + " instance [/var/log/hadoop/hdfs/hdfs-audit.log], or a section observe.kafka",
            ":5:10: observe.start expected one of beginning, end, found 'now'",
            ":6:9: observe.poll expected a duration like 30s, 5m or 2h, found '1 second'",
            ":4:3: observe.audtLogs is no key: did you mean observe.auditLogs?",
            ":8:13: heat.halfLife expected at least 1s",
            ":9:10: heat.files expected a whole number from 1000 to 1000000000, found '10'",
            ":11:10: manage.paths expected absolute paths like /warehouse, found 'warehouse'",
            ":12:13: manage.maxFiles expected a whole number from 1 to 2147483647, found 'many'",
            ":14:10: decide.every expected a duration like 30s, 5m or 2h, found '0s'",
            ":15:11: decide.margin expected a percentage like 90 %, found '0.2'",
            ":19:28: decide.tiers.DISK.lowerWatermark expected a percentage like 90 %, found '101"
                + " %'",
            ":19:46: decide.tiers.DISK.threshold expected a number of at least 0, found '-1'",
            ":18:55: decide.tiers.SSD.treshold is no key: did you mean"
                + " decide.tiers.SSD.threshold?",
            ":18:27: decide.tiers.SSD.lowerWatermark expected more than 0 % and at most the"
                + " upperWatermark",
            ":17:5: decide.tiers.SDD is no key: did you mean decide.tiers.SSD?",
            ":21:12: decide.perPlan.bytes expected a size like 64 MB or 2 TB, found '100 gigs'",
            ":23:9: act.mode expected one of shadow, apply, found 'aply'",
            ":24:24: act.maxConcurrentCopies expected a whole number from 1 to 1000, found '0'",
            ":26:13: act.attempts expected a whole number from 1 to 20, found a list",
            ":25:10: act.mutex expected an absolute path in HDFS, found 'mover.id'",
            ": journal.directory is missing: expected for instance /var/lib/thermocline",
            ":27:1: jurnal is no key: did you mean journal?"),
        problems(text));
  }

  @Test
  void tellsWhichKeysThereAreWhereNoneIsNear() throws IOException {
    assertEquals(
        List.of(
            ":7:1: speed is no key: expected one of hdfs, mover, observe, heat, manage, decide, act,"
                + " journal, hints, api, ha"),
        problems(LEAST + "speed: 3\n"));
  }

  @Test
  void namesWhatReplacedAKey() throws IOException {
    assertEquals(
        List.of(
            ":8:3: act.copies was renamed: use act.maxConcurrentCopies",
            ":9:3: act.copiesPerNode was renamed: use act.maxConcurrentCopiesPerNode",
            ":10:3: act.leastCopies was renamed: use act.maxConcurrentCopiesPerNode, with which each"
                + " DataNode begins",
            ":11:3: act.yield was renamed: use act.throttle, with waitFor instead of to",
            ":13:10: decide.caps[1].max is missing: expected how much they may take, for instance"
                + " 10 TB",
            ":13:31: decide.caps[1].most was renamed: use decide.caps[].max",
            ":14:3: decide.worth was renamed: use decide.admission",
            ":15:3: decide.levers was renamed: use decide.actions, with maxBytes or max instead of"
                + " most",
            ":16:9: hints.take was renamed: use hints.enabled",
            ":16:30: hints.prefetch.most was renamed: use hints.prefetch.maxBytes",
            ":17:7: api.rates was renamed: use api.rateLimits, with anonymous instead of stranger"),
        problems(
                LEAST
                    + """
                    act:
                      copies: 4
                      copiesPerNode: 4
                      leastCopies: 1
                      yield: {to: [none]}
                    decide:
                      caps: [{user: a, type: ssd, most: 1 TB}]
                      worth: on
                      levers: {replicas: {most: 5}}
                    hints: {take: on, prefetch: {most: 1 GB}}
                    api: {rates: {stranger: 5}}
                    """)
            .stream()
            .sorted(
                Comparator.comparing((String line) -> Integer.parseInt(line.split(":")[1]))
                    .thenComparing(line -> Integer.parseInt(line.split(":")[2])))
            .toList());
    assertTrue(
        problems(LEAST.replace("observe:", "observe:\n  leastCompleteness: 90 %"))
            .toString()
            .contains("observe.leastCompleteness was renamed: use observe.minCompleteness"));
  }

  @Test
  void refusesAKeyThatStandsTwice() throws IOException {
    assertEquals(
        List.of(":9:3: heat.halfLife is given twice: keep one"),
        problems(LEAST + "heat:\n  halfLife: 1h\n  halfLife: 2h\n"));
  }

  @Test
  void refusesToRedirectToWhereFilesGoAnyway() throws IOException {
    List<String> problems = problems(LEAST + "hints:\n  redirect: {throughput: HOT}\n");
    assertEquals(1, problems.size());
    assertTrue(
        problems.get(0).contains("hints.redirect.throughput HOT is where new files go anyway"),
        problems.get(0));
  }

  @Test
  void refusesWhatIsNotYaml() throws IOException {
    List<String> problems = problems(LEAST + "heat: {halfLife: 1h\nact:\n");

    assertEquals(1, problems.size());
    assertTrue(problems.get(0).matches(":8:\\d+: not YAML: .+"), problems.get(0));
    assertEquals(List.of(": expected sections like 'observe:' at the top"), problems("- a\n- b\n"));
    assertEquals(1, problems("observe:\n\tstart: end\n").size());
  }

  @Test
  void saysThatAnEmptyFileMissesWhatIsRequired() throws IOException {
    assertEquals(3, problems("").size(), problems("").toString());
    assertEquals(3, problems("# nothing\n").size());
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Path missing = directory.resolve("none.yaml");

    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ServiceConfigFile.read(missing));

    assertEquals(List.of(missing + ": no such file: correct the path"), refusal.problems());
  }
}
