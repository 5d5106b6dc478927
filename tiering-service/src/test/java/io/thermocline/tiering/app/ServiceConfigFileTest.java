// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.LeverLimits;
import io.thermocline.tiering.decide.PrefetchLimits;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LogGlob;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.FirstParts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceConfigFileTest {

  private static final Path EXAMPLE =
      Path.of(System.getProperty("project.root"), "conf", "thermocline.yaml");

  /** All that has no default. */
  private static final String LEAST =
      """
      observe:
        auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
      manage:
        paths: [/warehouse]
      journal:
        directory: /var/lib/thermocline
      """;

  @TempDir Path directory;

  @Test
  void readsWhereAMoverIs() throws Exception {
    assertEquals(
        new ServiceConfig.MoverAt(
            Path.of("/run/thermocline-mover/mover.sock"), "thermocline-mover"),
        ServiceConfigFile.read(write(LEAST + "mover: {}\n")).hdfs().mover());
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () ->
                ServiceConfigFile.read(
                    write(
                        LEAST
                            + "mover: {socket: mover.sock, usr: x}\n"
                            + "act: {backEnd: satisfier}\n"
                            + "decide: {levers: {groups: {most: 1 GB}}}\n")));
    String all = refused.getMessage();
    for (String expected :
        List.of(
            "mover.socket expected an absolute path of at most 107 characters",
            "mover.usr is no key: did you mean mover.user?",
            "act.backEnd expected directed, as a mover knows no other",
            "decide.levers with groups need a service that is superuser itself")) {
      assertTrue(all.contains(expected), () -> expected + " in\n" + all);
    }
  }

  @Test
  void readsTheExampleAsItIs() throws ConfigException {
    ServiceConfig config = ServiceConfigFile.read(EXAMPLE);

    assertEquals(
        new ServiceConfig(
            new ServiceConfig.Hdfs(null, Path.of("/etc/hadoop/conf"), null, null, null),
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
                List.of("/warehouse"), 1_000_000, List.of(), List.of(), List.of(), List.of(), null),
            new ServiceConfig.Decide(
                Duration.ofMinutes(5),
                0.2,
                ServiceConfig.Thresholds.LEARNED,
                ServiceConfig.Worth.ON,
                Promotion.ONE_COPY,
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
                ServiceConfig.Levers.OFF,
                Optional.empty(),
                FirstParts.Settings.OFF),
            new ServiceConfig.Act(
                ServiceConfig.Mode.SHADOW,
                ServiceConfig.Mover.DIRECTED,
                new ActLimits(
                    16, 4, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(5)),
                new Pacing(100L << 20, Map.of(), 500, Duration.ofMinutes(10)),
                Windows.of(List.of(), ZoneId.systemDefault()),
                new ServiceConfig.Yielding(
                    Set.of("/system/mover.id", "/system/balancer.id"),
                    new Surroundings.Bounds(0, 1024, 20),
                    Duration.ofSeconds(10)),
                "/system/thermocline/mover.id",
                new ServiceConfig.Review(ServiceConfig.Approval.NONE, Duration.ofHours(1)),
                List.of()),
            Path.of("/var/lib/thermocline"),
            new HintConfig(
                HintConfig.Take.OFF,
                HintSettings.DEFAULT,
                1000,
                new PrefetchLimits(10L << 30, 1L << 30),
                StaticHints.Level.OFF,
                10L << 20,
                new HintOperations(
                    1000,
                    new HintOperations.Wakeups(
                        Map.of(), null, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                    new HintOperations.Timer(Duration.ZERO, 1000, List.of()),
                    new HintOperations.Redirect(0))),
            new ServiceConfig.Api("127.0.0.1", 8480, ApiSecuritySection.NONE, List.of()),
            new ServiceConfig.Shared(null, Duration.ofDays(90), null)),
        config);
  }

  @Test
  void saysWhatEachKeyComesTo() throws IOException, ConfigException {
    List<ConfigResource.Setting> settings =
        read(LEAST + "act: {copies: 3}\napi: {}\n").api().settings();
    assertTrue(settings.contains(setting("act.copies", "3", ConfigResource.Source.FILE)));
    assertTrue(settings.contains(setting("act.copiesPerNode", "4", ConfigResource.Source.DEFAULT)));
    assertTrue(settings.contains(setting("decide.every", "5m", ConfigResource.Source.DEFAULT)));
    assertTrue(settings.contains(setting("decide.margin", "20 %", ConfigResource.Source.DEFAULT)));
    assertTrue(
        settings.contains(setting("api.listen", "127.0.0.1:8480", ConfigResource.Source.DEFAULT)));
  }

  private static ConfigResource.Setting setting(
      String key, String value, ConfigResource.Source source) {
    return new ConfigResource.Setting(key, value, source);
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

  @Test
  void listensOnThisHostAlone() throws IOException, ConfigException {
    assertEquals(null, read(LEAST).api().host());
    assertEquals("::1", read(LEAST + "api: {listen: '[::1]:0'}\n").api().host());
    for (String elsewhere : List.of("0.0.0.0:8480", "node1:8480")) {
      ConfigException refused =
          assertThrows(
              ConfigException.class, () -> read(LEAST + "api: {listen: '" + elsewhere + "'}\n"));
      assertTrue(refused.getMessage().contains("without authentication"), refused.getMessage());
    }
    for (String odd : List.of("8480", "localhost:", "localhost:99999")) {
      ConfigException refused =
          assertThrows(ConfigException.class, () -> read(LEAST + "api: {listen: '" + odd + "'}\n"));
      assertTrue(refused.getMessage().contains("expected host:port"), refused.getMessage());
    }
  }

  @Test
  void readsHowMovesAreHeldBack() throws IOException, ConfigException {
    ServiceConfig.Act act =
        read(LEAST
                + """
                act:
                  backEnd: satisfier
                  bandwidthPerNode: 10 MB
                  perType: {ARCHIVE: {copies: 2, bandwidth: 1 MB}, SSD: {copies: 9}}
                  nameNodeOperations: 50
                  beginWithin: 1h
                  windows: [mon-fri 20:00-06:00]
                  timeZone: Europe/Berlin
                  yield: {lowRedundancy: 3, transfers: 9, rpcQueue: 5ms, lookEvery: 1s}
                """)
            .act();

    assertEquals(ServiceConfig.Mover.SATISFIER, act.backEnd());
    assertEquals(
        new Pacing(
            10 << 20,
            Map.of(
                StorageType.ARCHIVE,
                new Pacing.OfType(2, 1 << 20),
                StorageType.SSD,
                new Pacing.OfType(9, Double.POSITIVE_INFINITY)),
            50,
            Duration.ofHours(1)),
        act.pacing());
    assertEquals(
        Windows.of(List.of("mon-fri 20:00-06:00"), ZoneId.of("Europe/Berlin")), act.windows());
    assertEquals(
        new ServiceConfig.Yielding(
            Set.of("/system/balancer.id"), new Surroundings.Bounds(3, 9, 5), Duration.ofSeconds(1)),
        act.yielding());
    List<String> problems =
        problems(
            LEAST + "act: {windows: [nights], timeZone: Mars, yield: {to: [movr]}, backEnd: sps}");
    assertEquals(4, problems.size(), problems::toString);
  }

  @Test
  void pathsToApplyAreForShadowMode() throws IOException, ConfigException {
    assertEquals(List.of("/w/a"), read(LEAST + "act: {apply: [/w/a]}\n").act().apply());
    assertTrue(read(LEAST + "act: {apply: [/w/a]}\n").act().changes());
    assertFalse(read(LEAST).act().changes());
    for (String bad : List.of("{mode: apply, apply: [/w/a]}", "{apply: [w]}")) {
      ConfigException e =
          assertThrows(ConfigException.class, () -> read(LEAST + "act: " + bad + "\n"));
      assertTrue(e.getMessage().contains("act.apply"), e.getMessage());
    }
  }

  @Test
  void readsTheLibraryOfPatterns() throws IOException, ConfigException {
    String shipped = EXAMPLE.resolveSibling("chew.yaml").toString();
    String chew = LEAST + "decide:\n  strategy: chew\n";
    assertEquals(
        ChewFile.read(Path.of(shipped)),
        read(chew + "  chew: " + shipped + "\n").decide().chew().orElseThrow());
    // Named, and not chosen.
    assertEquals(
        Optional.empty(), read(LEAST + "decide:\n  chew: /nowhere.yaml\n").decide().chew());
    assertEquals(
        List.of(
            ":8:3: decide.chew is missing: expected the pattern library, for instance"
                + " /etc/thermocline/chew.yaml"),
        problems(chew));
    assertTrue(
        problems(chew + "  chew: /nowhere.yaml\n").get(0).contains("/nowhere.yaml: no such file"));
    Path tape = directory.resolve("tape.yaml");
    Files.writeString(tape, Files.readString(Path.of(shipped)).replace("NVDIMM", "TAPE"));
    assertTrue(
        problems(chew + "  chew: " + tape + "\n")
            .get(0)
            .endsWith("names pool 'TAPE', which is no type of storage"));
  }

  /** Every "key: value" of the example, left out by itself, changes nothing. */
  @Test
  void takesWhatTheExampleShowsForKeysThatAreLeftOut() throws IOException, ConfigException {
    ServiceConfig whole = ServiceConfigFile.read(EXAMPLE);
    String text = Files.readString(EXAMPLE).replaceAll("(?m)^\\s*#.*\\n", "");
    Set<String> withoutDefault =
        Set.of(
            "auditLogs", "paths", "directory", "configuration", "NVDIMM", "SSD", "DISK", "ARCHIVE");
    Matcher pair =
        Pattern.compile("(\\w+): *(\\{[^}]*}|\\[[^\\]]*]|[^\\n,{}]+)(, *)?").matcher(text);
    List<String> left = new ArrayList<>();
    for (int from = 0; pair.find(from); ) {
      String key = pair.group(1);
      if (withoutDefault.contains(key)) {
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
            "leastCompleteness",
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
            "maxFiles",
            "ignore",
            "pin",
            "override",
            "quotaDirectories",
            "every",
            "strategy",
            "margin",
            "thresholds",
            "worth",
            "promotion",
            "horizon",
            "factor",
            "stability",
            "caps",
            "flashWritesPerDay",
            "moves",
            "bytes",
            "fill",
            "mode",
            "apply",
            "approval",
            "approveWithin",
            "backEnd",
            "copies",
            "leastCopies",
            "copiesPerNode",
            "bandwidthPerNode",
            "perType",
            "nameNodeOperations",
            "attempts",
            "retryAfter",
            "beginWithin",
            "verifyEvery",
            "verifyWithin",
            "windows",
            "yield",
            "mutex",
            "keep",
            "take",
            "hot",
            "warm",
            "maxLease",
            "maxPerOwner",
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
            "static",
            "smallBelow",
            "listen"),
        left.stream().filter(key -> !key.matches(perType)).toList());
  }

  @Test
  void readsLogsOfSeveralNameservicesAndTheirZone() throws IOException, ConfigException {
    ServiceConfig.Observe observe =
        read(LEAST.replace(
                "[/var/log/hadoop/hdfs/hdfs-audit.log]",
                "[/a/hdfs-audit.log, 'ns2:/b:/hdfs-audit.log']\n  timeZone: UTC"
                    + "\n  nameNodeWebs: [http://nn1:9870, https://nn2:9871]"))
            .observe();

    assertEquals(
        List.of(
            new ServiceConfig.LogFile(
                null, Path.of("/a/hdfs-audit.log"), URI.create("http://nn1:9870")),
            new ServiceConfig.LogFile(
                "ns2", Path.of("/b:/hdfs-audit.log"), URI.create("https://nn2:9871"))),
        observe.auditLogs());
    assertEquals(ZoneId.of("UTC"), observe.zone());
    assertEquals(Duration.ofSeconds(10), observe.accesses().openWindow());
    assertEquals(
        Duration.ZERO,
        read(LEAST.replace("\nmanage:", "\n  openWindow: 0s\nmanage:"))
            .observe()
            .accesses()
            .openWindow());
  }

  @Test
  void readsTopicsInPlaceOfLogsAndWhereElseToLook() throws IOException, ConfigException {
    ServiceConfig.Observe observe =
        read(LEAST.replace(
                "  auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]\n",
                """
                  kafka:
                    topics: [hdfs-audit, 'ns2:other.audit']
                    bootstrapServers: [kafka1:9092, 'kafka2:9092']
                    nameNodeWebs: ['http://nn1:9870', 'http://nn2:9870']
                    client:
                      security.protocol: SASL_SSL
                      max.poll.records: 2000
                      config.providers: file
                  clientTraceLogs: [/logs/*/datanode.log]
                  image: {from: 'http://nn1:9870'}
                """))
            .observe();

    assertEquals(List.of(), observe.auditLogs());
    assertEquals(
        List.of(
            new ServiceConfig.Topic(null, "hdfs-audit"),
            new ServiceConfig.Topic("ns2", "other.audit")),
        observe.kafka().topics());
    assertEquals(
        Map.of(
            "bootstrap.servers", "kafka1:9092,kafka2:9092",
            "group.id", "thermocline",
            "security.protocol", "SASL_SSL",
            "max.poll.records", "2000",
            "config.providers", "file"),
        observe.kafka().client());
    assertEquals(
        List.of(URI.create("http://nn1:9870"), URI.create("http://nn2:9870")),
        observe.kafka().webs());
    assertFalse(observe.toString().contains("SASL_SSL"), "it may have been a password");
    assertEquals(List.of(new LogGlob("/logs/*/datanode.log")), observe.clientTraceLogs());
    assertEquals(
        new ServiceConfig.Image(URI.create("http://nn1:9870"), null, Duration.ofHours(1)),
        observe.image());
    assertEquals(
        new ServiceConfig.Image(null, Path.of("/img/fsimage_1"), Duration.ofDays(1)),
        read(LEAST.replace("\nmanage:", "\n  image: {from: /img/fsimage_1, useFor: 1d}\nmanage:"))
            .observe()
            .image());
  }

  /** What the example has behind # is what holds, and can be taken as it is. */
  @Test
  void takesTheExamplesOtherSourcesAsTheyStand() throws IOException, ConfigException {
    String text = Files.readString(EXAMPLE);
    for (String key :
        List.of(
            "kafka:",
            "  topics: [hdfs-audit]",
            "  bootstrapServers: [kafka1:9092]",
            "  group: thermocline",
            "  client: {}",
            "clientTraceLogs: []",
            "image:",
            "  from: http://namenode1:9870",
            "  useFor: 1h")) {
      String indent = key.startsWith(" ") ? "    " : "  ";
      String commented = "\n" + indent + "# " + key.strip() + "\n";
      assertTrue(text.contains(commented), commented);
      text = text.replace(commented, "\n  " + key + "\n");
    }
    String withoutLogs = text.replaceFirst("\n  auditLogs: .*", "");
    ServiceConfig.Observe observe = read(withoutLogs).observe();

    assertEquals(
        read(withoutLogs.replace("    group: thermocline\n", "").replace("    client: {}\n", ""))
            .observe()
            .kafka(),
        observe.kafka());
    assertEquals(
        read(withoutLogs.replace("    useFor: 1h\n", "")).observe().image(), observe.image());
    assertEquals(List.of(), observe.clientTraceLogs());
    assertEquals(1, problems(text).size(), "logs and topic of one nameservice");
  }

  @Test
  void tellsWhatIsWrongWithTheOtherSources() throws IOException {
    assertEquals(
        List.of(
            ":5:15: observe.kafka.topics expected topics like hdfs-audit or ns2:hdfs-audit, found"
                + " 'a b'",
            ":5:15: observe.kafka.topics 'a b' carries the lines of a nameservice whose logs are"
                + " among observe.auditLogs: each access would count twice",
            ":6:25: observe.kafka.bootstrapServers expected brokers like kafka1:9092, found"
                + " 'kafka1'",
            ":8:32: observe.kafka.client.sasl.mechanizm is no setting of Kafka's consumer: did you"
                + " mean sasl.mechanism?",
            ":9:21: observe.kafka.client.group.id can't be set here: it is observe.kafka.group",
            ":7:7: observe.kafka.grup is no key: did you mean observe.kafka.group?",
            ":10:20: observe.clientTraceLogs expected paths like"
                + " /var/log/datanodes/*/hadoop-hdfs-datanode.log, found '/logs/dn[1.log':"
                + " 'dn[1.log' is no glob, Missing ']",
            ":10:20: observe.clientTraceLogs expected paths like"
                + " /var/log/datanodes/*/hadoop-hdfs-datanode.log, found 'logs/*.log': it doesn't"
                + " begin with /",
            ":13:15: observe.image.useFor expected a duration like 30s, 5m or 2h, found 'long'",
            ":12:13: observe.image.from expected the web address of a NameNode like"
                + " http://nn1:9870, or the absolute path of an image, found 'nn1:9870'"),
        problems(
            LEAST.replace(
                "\nmanage:",
                """

                  #
                  kafka:
                      topics: ['a b']
                      bootstrapServers: [kafka1]
                      grup: x
                      client: {sasl.mechanizm: PLAIN,
                          group.id: x}
                  clientTraceLogs: ['/logs/dn[1.log', 'logs/*.log']
                  image:
                      from: nn1:9870
                      useFor: long
                manage:\
                """)));
    assertEquals(
        List.of(
            ":3:10: observe.kafka.topics is missing: expected what carries the audit lines, for"
                + " instance [hdfs-audit]",
            ":3:10: observe.kafka.bootstrapServers is missing: expected Kafka's brokers, for"
                + " instance [kafka1:9092]",
            ":4:10: observe.image.from is missing: expected the web address of a NameNode like"
                + " http://nn1:9870, or the path of an image"),
        problems(
            LEAST.replace("\nmanage:", "\n  kafka: {group: x}\n  image: {useFor: 1h}\nmanage:")));
  }

  @Test
  void aTierThatIsNotListedTakesNoPart() throws IOException, ConfigException {
    ServiceConfig config = read(LEAST + "decide:\n  tiers:\n    SSD:\n");

    assertEquals(Map.of(StorageType.SSD, new TierLimits(0.8, 0.9, 2)), config.decide().tiers());
    assertEquals(Map.of(), read(LEAST).decide().tiers());
  }

  @Test
  void readsWhatDecisionsKeepTo() throws IOException, ConfigException {
    ServiceConfig.Decide decide =
        read(LEAST
                + """
                decide:
                  thresholds: fixed
                  promotion: gradual
                  tiers:
                    SSD: {threshold: 3, demoteBelow: 1.5}
                  stability: {residency: 0s, flaps: 1, window: 2h}
                  caps:
                    - {user: alice, type: ssd, most: 10 TB}
                    - {path: /tenants/a, type: nvdimm, most: 64 GB}
                  flashWritesPerDay: {SSD: 20 TB}
                """)
            .decide();

    assertEquals(new TierLimits(0.8, 0.9, 3, 1.5), decide.tiers().get(StorageType.SSD));
    assertEquals(new Stability(Duration.ZERO, 1, Duration.ofHours(2)), decide.stability());
    assertEquals(
        List.of(
            new Cap(new Cap.Scope.Owner("alice"), StorageType.SSD, 10L << 40, Cap.COUNTED),
            new Cap(new Cap.Scope.Below("/tenants/a"), StorageType.NVDIMM, 64L << 30, Cap.COUNTED)),
        decide.caps());
    assertEquals(Map.of(StorageType.SSD, 20L << 40), decide.flashWritesPerDay());
    assertEquals(
        List.of(
            ":6:44: decide.tiers.SSD.demoteBelow expected at most the threshold",
            ":7:48: decide.stability.window expected at least the residency",
            ":11:7: decide.caps expected a list of sections, found 'x' in it",
            ":9:14: decide.caps[1].user expected one of user, group and an absolute path",
            ":10:25: decide.caps[2].most expected a size like 64 MB or 2 TB, found 'all'"),
        problems(
            LEAST.replaceFirst("journal:\n.*\n", "")
                + """
                decide:
                  tiers: {SSD: {threshold: 3, demoteBelow: 4}}
                  stability: {residency: 3h, flaps: 1, window: 2h}
                  caps:
                    - {user: alice, path: /a, most: 1 TB}
                    - {user: bob, most: all}
                    - x
                journal:
                  directory: /j
                """));
  }

  /** What the example shows behind # are the defaults. */
  @Test
  void makesGroupsWhereTheyAreTurnedOn() throws IOException, ConfigException {
    assertEquals(Optional.empty(), ServiceConfigFile.read(EXAMPLE).decide().levers().groups());
    String text =
        Files.readString(EXAMPLE)
            .replace("\n  # levers:", "\n  levers:")
            .replace("\n    # groups: {", "\n    groups: {");
    String least = text.replaceFirst("groups: \\{most: 100 GB.*}", "groups: {most: 100 GB}");
    assertTrue(!least.equals(text), "the example has no groups");
    String raise = ", raise: {most: 1 TB, reads: 10}";
    assertEquals(read(least), read(text.replace(raise, "")));
    assertEquals(
        new GroupsConfig.Raise(1L << 40, 10),
        read(text).decide().levers().groups().orElseThrow().raise());
    assertEquals(100L << 30, read(text).decide().levers().groups().orElseThrow().most());
    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () -> read(least.replace("{most: 100 GB}", "{directory: groups, fils: 3}")));
    assertEquals(3, wrong.getMessage().lines().count(), wrong.getMessage());
  }

  /** What the example shows behind # are the defaults. */
  @Test
  void movesAFirstPartWhereThatIsTurnedOn() throws IOException, ConfigException {
    assertEquals(FirstParts.Settings.OFF, ServiceConfigFile.read(EXAMPLE).decide().firstPart());
    String text = Files.readString(EXAMPLE).replace("\n  # firstPart: {", "\n  firstPart: {");
    assertEquals(
        new FirstParts.Settings(0.2, 50, Duration.ofHours(1), 0.5, Duration.ofDays(1)),
        read(text).decide().firstPart());
    assertEquals(
        read(text), read(text.replaceFirst("firstPart: \\{[^}]*}", "firstPart: {gain: 50 %}")));
    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () -> read(text.replaceFirst("share: 20 %, files: 50", "shear: 20 %, files: 1")));
    assertTrue(
        wrong.getMessage().contains("decide.firstPart.files")
            && wrong.getMessage().contains("decide.firstPart.shear"),
        wrong::getMessage);
  }

  /** As the example shows them behind #. */
  @Test
  void pullsLeversWhereTheyAreTurnedOn() throws IOException, ConfigException {
    assertEquals(LeverLimits.NONE, ServiceConfigFile.read(EXAMPLE).decide().levers().limits());
    String text = Files.readString(EXAMPLE);
    for (String line : List.of("levers:", "  cache: {most: 10 GB,", "  replicas: {most: 6}")) {
      String commented = "\n  " + line.replaceFirst("^( *)", "$1# ");
      assertTrue(text.contains(commented), commented);
      text = text.replace(commented, "\n  " + line);
    }
    assertEquals(
        new ServiceConfig.Levers(
            new LeverLimits(
                new LeverLimits.Cache(10L << 30, 1, 4, new TierSpeed(4L << 30, 1, 0)),
                new LeverLimits.Copies(6)),
            "thermocline",
            Duration.ofDays(1)),
        read(text).decide().levers());
    String least = text.replaceFirst("cache: \\{most: 10 GB[^}]*}", "cache: {most: 10 GB}");
    assertEquals(read(text), read(least.replace("replicas: {most: 6}", "replicas: {}")));

    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () ->
                read(
                    least.replace("{most: 10 GB}", "{mots: 10 GB}").replace("most: 6", "most: 1")));
    assertTrue(
        wrong.getMessage().contains("decide.levers.cache.most")
            && wrong.getMessage().contains("expected how much memory to take")
            && wrong.getMessage().contains("mots")
            && wrong.getMessage().contains("decide.levers.replicas.most"),
        wrong::getMessage);
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
          copies: 0
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
            ":24:11: act.copies expected a whole number from 1 to 1000, found '0'",
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
  void refusesAKeyThatStandsTwice() throws IOException {
    assertEquals(
        List.of(":9:3: heat.halfLife stands twice"),
        problems(LEAST + "heat:\n  halfLife: 1h\n  halfLife: 2h\n"));
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

    assertEquals(List.of(missing + ": no such file"), refusal.problems());
  }

  private ServiceConfig read(String text) throws IOException, ConfigException {
    return ServiceConfigFile.read(write(text));
  }

  /** The problems without the file's name in front. */
  private List<String> problems(String text) throws IOException {
    Path file = write(text);
    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ServiceConfigFile.read(file));
    assertEquals(String.join("\n", refusal.problems()), refusal.getMessage());
    return refusal.problems().stream()
        .map(
            problem -> {
              assertTrue(problem.startsWith(file.toString()), problem);
              return problem.substring(file.toString().length());
            })
        .toList();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("thermocline.yaml"), text);
  }

  @Test
  void readsWhatSeveralServicesShare() throws IOException, ConfigException {
    String shared =
        LEAST.replace("/var/lib/thermocline", "hdfs://ns1/thermocline/journal")
            + "heat:\n"
            + "  checkpoint: /var/lib/thermocline/heat\n"
            + "ha: {zooKeeper: \"a:1,b:2\", id: node1, address: \"http://node1:8480\","
            + " sessionTimeout: 6s}\n";

    ServiceConfig config = read(shared);

    assertEquals(
        new ServiceConfig.Shared(
            URI.create("hdfs://ns1/thermocline/journal"),
            Duration.ofDays(90),
            new Leadership.Election(
                "a:1,b:2",
                "/thermocline",
                "node1",
                URI.create("http://node1:8480"),
                Duration.ofSeconds(6),
                null)),
        config.shared());
    assertEquals(Path.of("/var/lib/thermocline/heat"), config.journal());
    assertTrue(
        problems(shared.replace("  checkpoint: /var/lib/thermocline/heat", "  files: 5000"))
            .get(0)
            .contains("is in HDFS: then heat.checkpoint must name a local directory"));
    assertTrue(
        problems(LEAST + "ha: {zooKeeper: \"a:1\", id: node1}\n")
            .get(0)
            .contains("expected a directory in HDFS, like hdfs://"));
    assertTrue(
        problems(shared.replace("zooKeeper: \"a:1,b:2\", ", ""))
            .get(0)
            .contains("ha.zooKeeper is missing"));
    assertTrue(
        problems(shared.replace("http://node1:8480", "node1:8480"))
            .get(0)
            .contains("ha.address expected where this one's REST interface is reached"));
  }

  @Test
  void readsTheLoginOfASecureCluster() throws IOException, ConfigException {
    String secure =
        LEAST.replace("/var/lib/thermocline", "hdfs://ns1/thermocline/journal")
            + "heat: {checkpoint: /var/lib/thermocline/heat}\n"
            + "hdfs: {kerberos: {principal: t/_HOST@R, keytab: /t.keytab}}\n"
            + "ha: {zooKeeper: \"a:1\", id: node1, authentication: kerberos}\n";

    ServiceConfig config = read(secure);

    assertEquals(
        new ServiceConfig.Keytab("t/_HOST@R", Path.of("/t.keytab")), config.hdfs().kerberos());
    assertEquals(
        new Leadership.Login("t/_HOST@R", Path.of("/t.keytab"), "zookeeper"),
        config.shared().election().login());
    assertTrue(
        problems(secure.replaceFirst("hdfs: \\{kerberos.*\n", ""))
            .get(0)
            .contains("ha.authentication expected hdfs.kerberos, whose keytab it logs in with"));
    assertTrue(
        problems(secure.replace(", keytab: /t.keytab", ""))
            .get(0)
            .contains("hdfs.kerberos.keytab is missing"));
  }
}
