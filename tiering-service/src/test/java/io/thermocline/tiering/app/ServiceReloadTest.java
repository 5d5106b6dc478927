// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.Task;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A configuration that is read again while the service runs. */
class ServiceReloadTest {

  private static final Path ROOT = Path.of(System.getProperty("project.root"));

  private static final String START =
      """
      observe:
        auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
      manage:
        paths: [/warehouse]
        ignore: [/warehouse/tmp]
      journal:
        directory: /var/lib/thermocline
      act:
        maxConcurrentCopies: 16
      """;

  @TempDir private Path directory;
  private Path file;
  private final Tasks tasks = new Tasks(Clock.systemUTC());
  private final Recorded service = new Recorded();
  private ServiceReload reload;

  /** What a reload asks of the service. */
  private final class Recorded implements ServiceReload.Service {
    private final List<ServiceConfig> limited = new ArrayList<>();
    private final List<ServiceConfig> renewed = new ArrayList<>();
    private final List<Callable<Void>> waiting = new ArrayList<>();
    private boolean isPlanUnderWay;

    /** What is wrong with a configuration that the file alone doesn't show; empty for nothing. */
    private String objection = "";

    /** Why the service can't go by it, as is found on the way; empty where it can. */
    private String failure = "";

    @Override
    public Tasks tasks() {
      return tasks;
    }

    @Override
    public void check(ServiceConfig next) throws ConfigException {
      if (!objection.isEmpty()) {
        throw new ConfigException(List.of(objection));
      }
    }

    @Override
    public void limit(ServiceConfig next) {
      limited.add(next);
    }

    @Override
    public boolean betweenPlans(Callable<Void> order) throws IOException {
      waiting.add(order);
      if (!isPlanUnderWay) {
        endPlan();
      }
      return !isPlanUnderWay;
    }

    void endPlan() throws IOException {
      for (Callable<Void> order : waiting) {
        try {
          order.call();
        } catch (IOException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
      waiting.clear();
    }

    @Override
    public void renew(ServiceConfig next, ServiceConfig before) throws IOException {
      if (!failure.isEmpty()) {
        throw new IOException(failure);
      }
      renewed.add(next);
    }
  }

  @BeforeEach
  void start() throws Exception {
    file = directory.resolve("thermocline.yaml");
    start(START);
  }

  private void start(String text) throws Exception {
    Files.writeString(file, text);
    service.limited.clear();
    service.renewed.clear();
    reload = new ServiceReload(ServiceConfigFile.read(file), service);
  }

  private String value(String key) {
    return reload.settings().stream()
        .filter(each -> each.key().equals(key))
        .map(ConfigResource.Setting::value)
        .findFirst()
        .orElse("none");
  }

  @Test
  void takesUpWhatHoldsAtOnceAndNamesTheRest() throws Exception {
    Files.writeString(
        file,
        START
            .replace("maxConcurrentCopies: 16", "maxConcurrentCopies: 4\n  exclude: [dn7]")
            .replace("[/warehouse/tmp]", "[/warehouse/tmp, /warehouse/raw]")
            .replace("/var/lib", "/var/local"));

    ConfigReload.Reloaded would = reload.reload(false, "ann", null);
    assertTrue(would.dryRun());
    assertEquals(0, service.limited.size());
    assertEquals("16", value("act.maxConcurrentCopies"));

    ConfigReload.Reloaded done = reload.reload(true, "ann", "night shift");
    assertEquals(would.changes(), done.changes());
    assertTrue(done.what().contains("act.maxConcurrentCopies: 16 -> 4;"), done.what());
    assertTrue(
        done.what()
            .contains(
                "journal.directory: /var/lib/thermocline -> /var/local/thermocline (needs a restart)"),
        done.what());
    assertEquals(List.of(), service.renewed);
    assertEquals(4, service.limited.get(0).act().limits().copies());
    assertEquals(List.of("dn7"), service.limited.get(0).act().excluded());
    assertEquals(Path.of("/var/lib/thermocline"), service.limited.get(0).journal());
    assertEquals("4", value("act.maxConcurrentCopies"));
    assertEquals("/var/lib/thermocline", value("journal.directory"), "it needs a restart");

    Task task = tasks.get(done.task().orElseThrow()).orElseThrow();
    assertEquals("ann night shift", task.who() + " " + task.why());
    assertEquals(done.what(), task.result().orElseThrow());

    ConfigReload.Reloaded again = reload.reload(true, "ann", "again");
    assertEquals(1, service.limited.size(), "only what needs a restart is left");
    assertEquals(
        List.of("journal.directory"),
        again.changes().stream().map(ConfigReload.Changed::key).toList());
  }

  @Test
  void takesUpTheRestWhenThePlanHasEnded() throws Exception {
    service.isPlanUnderWay = true;
    Files.writeString(
        file,
        START
            .replace("maxConcurrentCopies: 16", "maxConcurrentCopies: 4")
            .replace("[/warehouse]", "[/logs]"));
    ConfigReload.Reloaded done = reload.reload(true, "ann", "more");
    assertTrue(
        done.what().contains("[/warehouse] -> [/logs] (from the next plan on)"), done.what());
    assertTrue(done.what().contains("when that has ended"), done.what());
    assertEquals("4 [/warehouse]", value("act.maxConcurrentCopies") + " " + value("manage.paths"));
    Task task = tasks.get(done.task().orElseThrow()).orElseThrow();
    assertEquals(Tasks.State.RUNNING, task.state());

    service.endPlan();

    assertEquals(List.of(ServiceConfigFile.read(file)), service.renewed);
    assertEquals("[/logs]", value("manage.paths"));
    task = tasks.get(task.id()).orElseThrow();
    assertEquals(Tasks.State.DONE, task.state());
  }

  @Test
  void takesUpTheLastOfSeveralFiles() throws Exception {
    service.isPlanUnderWay = true;
    Files.writeString(file, START.replace("[/warehouse]", "[/logs]"));
    reload.reload(true, "ann", "more");
    Files.writeString(file, START);
    reload.reload(true, "ann", "no");
    service.endPlan();
    assertEquals(List.of(), service.renewed);
    assertEquals("[/warehouse]", value("manage.paths"));
  }

  @Test
  void goesOnAsBeforeWhereItCantRunByTheFile() throws Exception {
    String text = START.replace("maxConcurrentCopies: 16", "maxConcurrentCopies: 4\n  mutex: /a/b");
    Files.writeString(file, text);
    service.objection = "hdfs.configuration: there is none";
    ApiException refused =
        assertThrows(ApiException.class, () -> reload.reload(false, "ann", null));
    assertEquals(ErrorCode.BAD_CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("there is none"), refused.getMessage());
    assertThrows(ApiException.class, () -> reload.reload(true, "ann", "more"));
    assertEquals(List.of(), tasks.all());
    assertEquals(List.of(), service.limited);

    service.objection = "";
    service.failure = "/a is no directory";
    refused = assertThrows(ApiException.class, () -> reload.reload(true, "ann", "more"));
    assertTrue(refused.getMessage().contains("/a is no directory"), refused.getMessage());
    assertEquals("16", value("act.maxConcurrentCopies"));
    Task task = tasks.all().get(0);
    assertEquals(Tasks.State.FAILED, task.state());
    assertEquals("/a is no directory", task.result().orElseThrow());
  }

  @Test
  void refusesAFileWithMistakesAndKeepsWhatItHas() throws Exception {
    Files.writeString(
        file, START.replace("maxConcurrentCopies: 16", "maxConcurrentCopies: many\n  bandwith: 3"));
    ApiException refused =
        assertThrows(ApiException.class, () -> reload.reload(true, "ann", "night shift"));
    assertEquals(ErrorCode.BAD_CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("act.maxConcurrentCopies"), refused.getMessage());
    assertTrue(refused.getMessage().contains("bandwith"), refused.getMessage());
    assertEquals(0, service.limited.size());
    assertEquals("16", value("act.maxConcurrentCopies"));
    assertEquals(List.of(), tasks.all());

    Files.delete(file);
    assertThrows(ApiException.class, () -> reload.reload(true, "ann", "night shift"));
  }

  @Test
  void tellsOfAnotherSecretWithoutIt() throws Exception {
    String kafka =
        START.replace(
            "  auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]\n",
            "  kafka: {topics: [t], bootstrapServers: ['k:9092'], client: {sasl.jaas.config: one}}\n");
    start(kafka);
    Files.writeString(file, kafka.replace("config: one", "config: other"));
    ConfigReload.Reloaded done = reload.reload(true, "ann", "rotated");
    assertEquals(
        List.of("observe.kafka.client.sasl.jaas.config"),
        done.changes().stream().map(ConfigReload.Changed::key).toList());
    assertEquals(
        "other", service.renewed.get(0).observe().kafka().client().get("sasl.jaas.config"));
  }

  /** With another mover other keys may be wrong together with the one that there is. */
  @Test
  void waitsForARestartWithAllOfAFileThatHasAnotherMover() throws Exception {
    start(START + "mover: {}\n");
    Files.writeString(file, START + "  backEnd: satisfier\n");
    ConfigReload.Reloaded done = reload.reload(true, "ann", "without");
    assertTrue(
        done.changes().stream().allMatch(each -> each.from() == ConfigReload.From.RESTART),
        done::what);
    assertTrue(done.what().contains("act.backEnd: directed -> satisfier (needs"), done.what());
    assertEquals(List.of(), service.limited);
  }

  /** Other values, of which each key takes one. */
  private static final List<Object> OTHERS =
      List.of(
          "7m",
          "2d",
          "3 GB",
          "55 %",
          "88 %",
          "3",
          "300",
          "2048",
          "0.5",
          "on",
          "apply",
          "two",
          "beginning",
          "satisfier",
          "fixed",
          "gradual",
          "level1",
          "kerberos",
          "COLD",
          "ALL_SSD",
          "/other",
          "UTC",
          "hdfs://other",
          "other",
          "http://other:1",
          "127.0.0.1:1",
          "HTTP/o@B",
          "zk9:2181",
          "archive",
          "none",
          "thresholds",
          List.of("/other"),
          List.of("balancer"),
          List.of("sat 00:00-24:00"),
          List.of("http://other:1"),
          List.of("other:1"),
          List.of("1 MB", "10 MB"),
          "ARCHIVE");

  /** All keys between them. */
  private static final List<String> FILES =
      List.of(
          START + "mover: {}\n",
          """
          hdfs:
            nameNode: hdfs://n
            configuration: /c
            segmentTables: /s
            nodeAttributes: /a
            kerberos: {principal: a/_HOST@B, keytab: /k}
          observe:
            kafka: {topics: [a], bootstrapServers: ["k:9092"], client: {fetch.min.bytes: 7}}
            image: {from: /fsimage}
            clientTraceLogs: [/t]
          heat: {checkpoint: /h}
          manage: {paths: [/warehouse]}
          decide:
            caps: [{user: a, max: 1 TB}, {group: a, max: 1 TB}, {path: /a, max: 1 TB}]
            actions: {cache: {maxBytes: 10 GB}, replicas: {}, groups: {maxBytes: 100 GB, raise: {maxBytes: 1 GB}}}
            firstPart: {}
            flashWritesPerDay: {SSD: 1 TB, NVDIMM: 1 TB}
            tiers: {ARCHIVE: {threshold: 9}}
          act: {perType: {NVDIMM: {}, SSD: {}, DISK: {}, ARCHIVE: {}}}
          journal: {directory: "hdfs://n/journal"}
          hints: {wakeup: {token: /w, webhooks: {etl: "https://etl.example.org/hints"}}}
          api:
            listen: 127.0.0.1:8480
            tokens: /t
            kerberos: {principal: HTTP/_HOST@B, keytab: /k}
            roles: {viewer: {}, operator: {}, administrator: {}}
            tls: {keyStore: /k, passwordFile: /p}
            rateLimits: {}
          ha: {zooKeeper: "zk1:2181", id: node1, address: "http://node1:1", authentication: kerberos}
          """,
          // Of which others exclude each other.
          START + "decide: {strategy: chew, chew: %s}\n".formatted(ROOT.resolve("conf/chew.yaml")),
          START.replace("ignore: [/warehouse/tmp]", "rules: " + ROOT.resolve("conf/rules.yaml")));

  /** Either the service is given the value that the file has, or the answer names the key. */
  @Test
  void ignoresNoKey() throws Exception {
    Set<String> tried = new TreeSet<>();
    Set<String> all = new TreeSet<>();
    List<Object> values = new ArrayList<>(OTHERS);
    for (String name : List.of("rules.yaml", "chew.yaml")) {
      String shipped = Files.readString(ROOT.resolve("conf").resolve(name));
      values.add(
          Files.writeString(
                  directory.resolve(name), shipped.replace("{requests: 100,", "{requests: 101,"))
              .toString());
    }
    for (String text : FILES) {
      ServiceConfig before = ServiceConfigFile.read(Files.writeString(file, text));
      for (ConfigResource.Setting setting : before.api().settings()) {
        String key = setting.key().replaceAll("\\[\\d+]", "[]");
        all.add(key);
        if (!tried.contains(key)
            && changes(text, before, setting.key(), likeFirst(setting.value(), values))) {
          tried.add(key);
        }
      }
    }
    Matcher row =
        Pattern.compile("(?m)^\\| `([a-z]\\w*\\.[\\w.<>\\[\\]]+)` \\|")
            .matcher(Files.readString(ROOT.resolve("docs/reference/configuration.md")));
    while (row.find()) {
      String key = Pattern.quote(row.group(1)).replaceAll("<\\w+>", "\\\\E.+\\\\Q");
      if (tried.stream().noneMatch(each -> each.matches(key))) {
        all.add(row.group(1));
      }
    }
    all.removeAll(tried);
    assertEquals(Set.of(), all, "keys of which no other value is tried");
    assertTrue(tried.size() > 180, () -> tried.size() + " keys");
  }

  /** Most keys take another value of the same kind. */
  private static List<Object> likeFirst(String value, List<Object> values) {
    return values.stream()
        .sorted(Comparator.comparing(each -> !kind(each.toString()).equals(kind(value))))
        .toList();
  }

  private static String kind(String value) {
    return value.replaceFirst("^\\[.*", "[").replaceAll("[0-9.]+", "9").replaceAll("[KMGT]B", "B");
  }

  /** False where none of the values is one of this key. */
  private boolean changes(String text, ServiceConfig before, String key, List<Object> values)
      throws Exception {
    for (Object value : values) {
      String other = with(text, key, value);
      ServiceConfig after;
      try {
        after = ServiceConfigFile.read(Files.writeString(file, other));
      } catch (ConfigException e) {
        continue;
      }
      if (after.equals(before) && !key.startsWith("api.")) {
        continue;
      }
      start(text);
      Files.writeString(file, other);
      ConfigReload.Reloaded done = reload.reload(true, "ann", "other");
      Optional<ConfigReload.Changed> changed =
          done.changes().stream().filter(each -> each.key().equals(key)).findFirst();
      if (changed.isEmpty() && after.equals(before)) {
        continue;
      }
      assertTrue(changed.isPresent(), () -> key + " is ignored: " + done.what());
      switch (changed.get().from()) {
        case NOW -> {
          assertEquals(List.of(after), service.limited, key);
          assertEquals(List.of(), service.renewed, key);
        }
        case NEXT_PLAN -> {
          assertEquals(List.of(after), service.renewed, key);
          assertNotEquals(before, service.renewed.get(0), key);
        }
        case RESTART -> {
          assertEquals(List.of(), service.limited, key);
          assertTrue(done.what().contains(key + ": "), done.what());
          assertTrue(done.what().contains("(needs a restart)"), done.what());
          assertEquals(before, before.reloaded(after), key);
        }
      }
      assertEquals(
          changed.get().from() == ConfigReload.From.RESTART
              ? changed.get().before().orElse("none")
              : changed.get().after().orElse("none"),
          value(key));
      return true;
    }
    return false;
  }

  /** The text with another value of one key. */
  @SuppressWarnings("unchecked")
  private static String with(String text, String key, Object value) {
    Object root = new Load(LoadSettings.builder().build()).loadFromString(text);
    String client = "observe.kafka.client.";
    List<String> words =
        key.startsWith(client)
            ? List.of("observe", "kafka", "client", key.substring(client.length()))
            : List.of(key.split("\\."));
    Map<String, Object> at = (Map<String, Object>) root;
    for (String word : words.subList(0, words.size() - 1)) {
      if (word.endsWith("]")) {
        int index = word.indexOf('[');
        at =
            ((List<Map<String, Object>>) at.get(word.substring(0, index)))
                .get(Integer.parseInt(word.substring(index + 1, word.length() - 1)) - 1);
      } else {
        if (!(at.get(word) instanceof Map)) {
          at.put(word, new LinkedHashMap<>());
        }
        at = (Map<String, Object>) at.get(word);
      }
    }
    at.put(words.get(words.size() - 1), value);
    return new Dump(DumpSettings.builder().build()).dumpToString(root);
  }
}
