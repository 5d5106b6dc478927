// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.dist.InstalledTree;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an administrator does in the first week with the package, as an ordinary user, on a cluster of processes with three
 * racks: from the installation to the removal, after which HDFS is as it was before.
 */
@Tag("cluster")
class FirstWeekTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String AS = "runuser -u thermocline -- ";
  private static final String OURS = AS + "/opt/thermocline/bin/thermocline ";
  private static final String CONFIG = " --config /opt/thermocline/conf/thermocline.yaml ";
  private static final String START = OURS + "service" + CONFIG;
  private static final String ADMINISTRATOR = "HADOOP_USER_NAME=" + Host.SUPERUSER + " ";
  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");

  private static final int FILES = 4;
  private static final int REPORT_SECONDS = 180;
  private static final int LOG_LINES = 200;
  private static final Duration LOCKED_OUT = Duration.ofSeconds(30);

  /** A service ends when ZooKeeper is silent for so long, and nobody starts it again here. */
  private static final Duration SESSION = Duration.ofSeconds(30);

  private static final String JOURNAL = "/system/thermocline/journal";

  private static final String HOT = "/warehouse/hot";
  private static final String LOGS = "/warehouse/logs";
  private static final String HINTED = "/warehouse/hinted";

  /** Somebody set its storage policy. */
  private static final String THEIRS = "/warehouse/theirs";

  private static final List<String> DIRECTORIES = List.of(HOT, LOGS, HINTED, THEIRS, "/elsewhere");

  @TempDir Path temp;

  private ProcessCluster cluster;
  private Host host;

  /** When it was about to be unpacked. */
  private long began;

  /** Empty where there is no election, and the journal is on the host. */
  private String zooKeeper = "";

  @Test
  void leavesHdfsAsItWas() throws Exception {
    week(VersionInfo.getVersion());
  }

  @Tag("on-demand")
  @Test
  void leavesHdfsAndZooKeeperAsTheyWereWithAnElectionOnAnotherHadoop() throws Exception {
    try (ZooKeeperEnsemble ensemble =
        ZooKeeperEnsemble.start(Files.createDirectories(temp.resolve("zk")))) {
      zooKeeper = ensemble.addresses();
      Set<String> before = nodes("/");
      week("3.3.6");
      Eventually.holds("ZooKeeper removes the empty node above", () -> nodes("/").equals(before));
    }
  }

  private Set<String> nodes(String node) throws Exception {
    Set<String> nodes = new TreeSet<>();
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(zooKeeper, new RetryOneTime(100))) {
      client.start();
      nodes.addAll(client.getChildren().forPath(node));
    }
    return nodes;
  }

  private void week(String version) throws Exception {
    HadoopLine line;
    try {
      line = HadoopLine.resolve(version, DATA.resolve("hadoop-lines"));
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return;
    }
    ProcessCluster.Builder builder =
        ProcessCluster.builder(line)
            .setting(
                "hadoop.user.group.static.mapping.overrides", Host.USER + "=supergroup;root=root")
            .keepLogs(DATA.resolve("process-logs").resolve("first-week-" + version))
            .capacity(256L << 20);
    for (int i = 1; i <= 3; i++) {
      builder.node(
          new ProcessNode(
              "dn" + i,
              "rack" + i,
              List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE)));
    }
    try (ProcessCluster started = builder.start();
        Host made = new Host(temp, line, started.directory().resolve("conf/client"))) {
      cluster = started;
      host = made;
      host.replace("/var/log/hadoop/hdfs/hdfs-audit.log", auditLog().toString());
      host.replace("127.0.0.1:8480", "127.0.0.1:0");
      host.environment("HADOOP_USER_NAME", Host.USER);
      write();
      Eventually.holds("all copies are there", this::areComplete);
      TreeMap<String, String> before = state();
      install();
      firstReport();
      applyOnAPart();
      apply();
      ruleAndReverse();
      hint();
      undo();
      stockTools();
      killAndUpgrade();
      remove();
      assertEquals(before, state());
      logIsShort();
    }
  }

  private Path auditLog() {
    return cluster.directory().resolve("logs/namenode.log");
  }

  private void write() throws Exception {
    cluster.client().mkdirs(path(THEIRS));
    host.run(
        ADMINISTRATOR + "hdfs storagepolicies -setStoragePolicy -path " + THEIRS + " -policy COLD");
    for (String directory : DIRECTORIES) {
      for (String file : files(directory)) {
        byte[] bytes = new byte[200_000];
        new SplittableRandom(file.hashCode()).nextBytes(bytes);
        try (OutputStream out =
            cluster.client().createFile(path(file)).replication((short) 3).recursive().build()) {
          out.write(bytes);
        }
      }
    }
  }

  /** DataNodes report the last copies somewhat later. */
  private boolean areComplete() throws IOException {
    for (String directory : DIRECTORIES) {
      if (!all(directory, types -> types.endsWith("=3}"))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> files(String directory) {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(directory + "/f" + i);
    }
    return files;
  }

  /** Of everything that is in HDFS but the time of its last access: what it is, where its copies lie, and what is set on it. */
  private TreeMap<String, String> state() throws Exception {
    TreeMap<String, String> state = new TreeMap<>();
    List<FileStatus> todo = new ArrayList<>(List.of(cluster.client().getFileStatus(path("/"))));
    while (!todo.isEmpty()) {
      FileStatus status = todo.remove(todo.size() - 1);
      org.apache.hadoop.fs.Path at = status.getPath();
      String name = at.toUri().getPath();
      String what =
          "policy "
              + cluster.client().getClient().getFileInfo(name).getStoragePolicy()
              + ", attributes "
              + cluster.client().getXAttrs(at).keySet();
      if (status.isDirectory()) {
        todo.addAll(List.of(cluster.client().listStatus(at)));
        // Hadoop's own tools make it.
        if (name.equals("/system")
            || name.startsWith("/system/mover")
            || name.startsWith("/system/balancer")) {
          continue;
        }
      } else {
        what +=
            ", "
                + status.getReplication()
                + " copies on "
                + types(name)
                + ", "
                + cluster.client().getFileChecksum(at);
      }
      state.put(name, what);
    }
    return state;
  }

  private void install() throws Exception {
    try (OutputStream out = Files.newOutputStream(temp.resolve("thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> !path.startsWith("hadoop/"), out);
    }
    host.run(
        "mkdir -p /opt/thermocline /var/lib/thermocline\nchown thermocline: /opt/thermocline /var/lib/thermocline");
    began = System.nanoTime();
    unpack("/opt/thermocline");
    configureAsThePageSays();
    System.out.println("unpacked in " + seconds(began) + " s");
  }

  private void unpack(String directory) throws Exception {
    host.run(AS + "tar -xzf thermocline-it.tar.gz --strip-components 1 -C " + directory);
  }

  private void configure(String more) throws Exception {
    host.run(
        """
        cat > /opt/thermocline/conf/thermocline.yaml <<END
        hdfs: {configuration: /etc/hadoop/conf}
        observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]}
        api: {listen: 127.0.0.1:8480}
        %s
        %s
        END
        """
            .formatted(journal(), more.isEmpty() ? "manage: {paths: [/warehouse]}" : more));
  }

  private String journal() {
    return zooKeeper.isEmpty()
        ? "journal: {directory: /var/lib/thermocline}"
        : """
        journal: {directory: "%s%s"}
        heat: {checkpoint: /var/lib/thermocline/heat}
        ha: {zooKeeper: "%s", path: /sites/thermocline, id: node1, sessionTimeout: %ss}"""
            .formatted(cluster.uri(), JOURNAL, zooKeeper, SESSION.toSeconds());
  }

  /** Word for word, but for where the journal is. */
  private void configureAsThePageSays() throws Exception {
    String page =
        Page.blocks(ROOT.resolve("docs/operate.md")).stream()
            .map(Page.Block::commands)
            .filter(commands -> commands.startsWith("cat > /opt/thermocline/conf/thermocline.yaml"))
            .findFirst()
            .orElseThrow();
    String local = "journal: {directory: /var/lib/thermocline}";
    assertTrue(page.contains("\n" + local + "\n"), page);
    host.run(page.replace(local, journal()));
  }

  /** At the settings of the page. */
  private void firstReport() throws Exception {
    String check = OURS + "service" + CONFIG + "--check";
    String none =
        host.run(check.replace(AS, AS + "env HADOOP_USER_NAME=somebody ") + " || echo exit $?");
    assertTrue(none.contains("error: somebody: is no superuser of HDFS: put somebody into "), none);
    assertTrue(none.endsWith("exit 1\n"), none);
    configure("manage: {paths: [/warehouse, /nowhere]}");
    String missing = host.run(check);
    assertTrue(missing.contains("manage.paths: there is no /nowhere in HDFS: name "), missing);
    configureAsThePageSays();
    String fine = host.run(check);
    List<String> warnings = fine.lines().filter(line -> line.startsWith("warning: ")).toList();
    assertEquals(1, warnings.size(), fine);
    assertTrue(warnings.get(0).contains(" are no audit records: "), "NameNode's one log: " + fine);
    host.run(OURS + "doctor" + CONFIG + " || true");
    start();
    readUntil(
        HOT,
        "a report with a number",
        () -> {
          String said = host.run(OURS + "report" + CONFIG + " || true");
          return Pattern.compile("[1-9][0-9]* .*would have").matcher(said).find();
        });
    long seconds = seconds(began);
    System.out.println("first report with a number after " + seconds + " s");
    assertTrue(seconds < REPORT_SECONDS, seconds + " s");
    showsWhatIsSo();
    readsAsTheServicesUser();
    assertEquals("{DISK=3}", types(HOT + "/f0"), "nothing was moved");
    assertEquals(
        !zooKeeper.isEmpty(), cluster.client().exists(path("/system")), "a journal, but no lock");
  }

  /** Though the report says what SSD would serve. */
  private void showsWhatIsSo() throws Exception {
    assertFalse(charts().isEmpty());
    for (JsonNode sample : charts()) {
      assertEquals(0, sample.at("/readShares/SSD").asDouble(), sample::toString);
    }
    for (JsonNode hot : get("/heat").path("items")) {
      assertEquals("DISK", hot.path("fastest").asText(), hot::toString);
    }
  }

  /** What newcomers do first; it says so, and doesn't count it. */
  private void readsAsTheServicesUser() throws Exception {
    // In the other week the service itself reads its journal in HDFS.
    assertTrue(!isReadByItself() || !zooKeeper.isEmpty());
    host.run(AS + "hdfs dfs -cat " + HOT + "/f0 > /dev/null");
    Eventually.holds("the service tells of reads that don't count", this::isReadByItself);
    String status = host.run(OURS + "status --service " + address());
    assertTrue(status.contains(" ignored: made by " + Host.USER + ", the service's own"), status);
    // One reader opens the same files again and again.
    assertTrue(Pattern.compile("(?m)shared opens +[1-9]").matcher(status).find(), status);
    String doctor = host.run(OURS + "doctor" + CONFIG + " || true");
    assertTrue(
        Pattern.compile(
                "[1-9][0-9]* of the last [0-9]+ opens in the audit logs are by the service's own")
            .matcher(doctor.replaceAll("\\s+", " "))
            .find(),
        doctor);
  }

  private boolean isReadByItself() throws Exception {
    return get("/state").path("unknown").toString().contains("ignored: made by " + Host.USER);
  }

  private void applyOnAPart() throws Exception {
    configure(changing("act: {mode: shadow, apply: [" + HOT + "]}"));
    restart();
    readUntil(HOT, "a copy on SSD", () -> all(HOT, types -> types.contains("SSD")));
    assertTrue(all(LOGS, types -> types.equals("{DISK=3}")));
    JsonNode state = get("/state");
    assertEquals("[\"" + HOT + "\"]", state.path("applied").toString(), state::toString);
    // Shadow mode has imagined copies of it elsewhere.
    JsonNode never = get("/files?path=" + LOGS + "/f0");
    assertFalse(never.toString().contains("a move up began at"), never::toString);
  }

  private static String changing(String act) {
    return """
        manage: {paths: [/warehouse], rules: /var/lib/thermocline/rules.yaml}
        decide: {every: 1s, stability: {residency: 1s}}
        hints: {take: on}
        """
        + act;
  }

  private void apply() throws Exception {
    configure(changing("act: {mode: apply}"));
    restart();
    readUntil(HINTED, "a copy on SSD", () -> all(HINTED, types -> types.contains("SSD")));
    satisfied();
  }

  private void rules(String path, String says) throws Exception {
    host.run(
        AS
            + """
            bash -c 'cat > /var/lib/thermocline/rules.yaml' <<END
            version: 1
            rules:
              - name: week
                paths: [%s]
                %s
            END
            """
                .formatted(path, says));
  }

  private void ruleAndReverse() throws Exception {
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds("up by the rule", () -> all(LOGS, types -> types.contains("SSD")));
    rules(LOGS + "/**", "atMost: DISK");
    Eventually.holds("down by the rule", () -> all(LOGS, types -> types.equals("{DISK=3}")));
    satisfied();
  }

  /** Also set by somebody who has never heard of the service. */
  private void hint() throws Exception {
    String file = HINTED + "/f0";
    Hint hint =
        Hint.onFile(Operation.ADVISE, file)
            .temperature(Temperature.HOT)
            .requirement(Requirement.LOW_LATENCY)
            .owner(System.getProperty("user.name"))
            .leaseExpiryMillis(Instant.now().plus(Duration.ofHours(12)).toEpochMilli())
            .build();
    cluster
        .client()
        .setXAttr(
            path(file),
            HintWire.attributeOf(Operation.ADVISE),
            HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
    String[] said = {""};
    try {
      Eventually.holds(
          "the hint is taken",
          () -> {
            said[0] = get("/files?path=" + file).path("explanation").toString();
            return said[0].contains("hinted hot");
          });
    } catch (AssertionError e) {
      throw new AssertionError(said[0] + "\n" + host.said(), e);
    }
  }

  private void undo() throws Exception {
    long plan = 0;
    for (JsonNode each : get("/plans").path("items")) {
      if (each.toString().contains("PROMOTED") && each.path("state").asText().equals("DONE")) {
        plan = each.path("number").asLong();
      }
    }
    assertTrue(plan > 0, () -> "a plan that promoted");
    host.run(OURS + "undo " + plan + " --service " + address() + " --why week --wait");
    satisfied();
  }

  private void stockTools() throws Exception {
    host.run(ADMINISTRATOR + "hdfs mover -p /warehouse");
    host.run(ADMINISTRATOR + "hdfs balancer -threshold 10");
    Eventually.holds("after Mover and Balancer", this::isSatisfied);
  }

  /** What people see of plans and charts is the same afterwards. */
  private void killAndUpgrade() throws Exception {
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds(
        "some are up", () -> Stream.of(LOGS + "/f0").allMatch(file -> contains(file, "SSD")));
    Map<Long, String> plans = plans();
    List<JsonNode> charts = charts();
    assertTrue(charts.size() > 2, charts::toString);
    host.killService();
    rules(LOGS + "/**", "atMost: DISK");
    start();
    seenAgain(plans, charts);
    Eventually.holds(
        "down, without a minute's wait for the mutex of the killed one",
        zooKeeper.isEmpty() ? LOCKED_OUT : LOCKED_OUT.plus(SESSION),
        () -> all(LOGS, types -> types.equals("{DISK=3}")));
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds("all are up", () -> all(LOGS, types -> types.contains("SSD")));
    host.run("mkdir -p /opt/thermocline.new\nchown thermocline: /opt/thermocline.new");
    unpack("/opt/thermocline.new");
    host.run("cp -p /opt/thermocline/conf/thermocline.yaml /opt/thermocline.new/conf/");
    host.run(
        OURS.replace("thermocline/bin", "thermocline.new/bin")
            + "service"
            + CONFIG.replace("thermocline/conf", "thermocline.new/conf")
            + "--check");
    host.stopService();
    host.run("mv /opt/thermocline /opt/thermocline.old\nmv /opt/thermocline.new /opt/thermocline");
    start();
    seenAgain(plans, charts);
    rules(HINTED + "/**", "atMost: DISK");
    Eventually.holds("down by a rule", () -> all(HINTED, types -> types.equals("{DISK=3}")));
  }

  private void seenAgain(Map<Long, String> plans, List<JsonNode> charts) throws Exception {
    Map<Long, String> after = plans();
    after.keySet().retainAll(plans.keySet());
    assertEquals(plans, after);
    assertEquals(charts, charts().subList(0, charts.size()));
  }

  /** Figures of plans that are at their end. */
  private Map<Long, String> plans() throws Exception {
    Map<Long, String> plans = new TreeMap<>();
    for (JsonNode plan : get("/plans?limit=500").path("items")) {
      if (plan.path("state").asText().equals("DONE")) {
        plans.put(
            plan.path("number").asLong(),
            plan.path("files")
                + " "
                + plan.path("moves")
                + " "
                + plan.path("plannedBytes")
                + " "
                + plan.path("parts"));
      }
    }
    return plans;
  }

  private List<JsonNode> charts() throws Exception {
    List<JsonNode> samples = new ArrayList<>();
    get("/history?limit=1000").path("items").forEach(samples::add);
    return samples;
  }

  /** Once with the journal only to look, then without it. */
  private void remove() throws Exception {
    host.stopService();
    Matcher with = found(host.run(OURS + "uninstall" + CONFIG));
    assertTrue(Integer.parseInt(with.group(1)) > 0, with::group);
    assertEquals("1", with.group(2), with::group);
    host.run(
        zooKeeper.isEmpty()
            ? "mkdir lost\nmv /var/lib/thermocline/journal* lost/"
            : ADMINISTRATOR + "hdfs dfs -rm -r -skipTrash " + JOURNAL);
    Matcher without = found(host.run(OURS + "uninstall" + CONFIG));
    assertEquals(with.group(1) + " " + with.group(2), without.group(1) + " " + without.group(2));
    String said = host.run(OURS + "uninstall" + CONFIG + "--yes");
    assertTrue(said.contains("Nothing of the service is left in HDFS"), said);
    assertTrue(
        // ZooKeeper may have removed the election's own node by itself, as nobody is below it.
        zooKeeper.isEmpty() || said.contains("ZooKeeper node /sites/thermocline-sign: removed"),
        said);
    satisfied();
    host.run("rm -r /opt/thermocline /opt/thermocline.old /var/lib/thermocline");
  }

  private static Matcher found(String said) {
    Matcher found =
        Pattern.compile("(?s)storage policies: (\\d+).*with hints: (\\d+)").matcher(said);
    assertTrue(found.find(), said);
    return found;
  }

  private void satisfied() {
    Eventually.holds("fsck says that all blocks satisfy their policies", this::isSatisfied);
  }

  private boolean isSatisfied() throws Exception {
    return host.run(ADMINISTRATOR + "hdfs fsck / -files -blocks -storagepolicies")
        .contains("All blocks satisfy specified storage policy.");
  }

  private void logIsShort() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(temp)) {
      for (Path file :
          files.filter(each -> each.getFileName().toString().matches("service.*\\.out")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    System.out.println("log of the week: " + lines.size() + " lines");
    assertTrue(
        lines.size() < LOG_LINES, () -> lines.size() + " lines:\n" + String.join("\n", lines));
    assertFalse(lines.stream().anyMatch(line -> line.startsWith("\tat ")), "no stack");
  }

  private void restart() throws Exception {
    host.stopService();
    start();
  }

  private void start() throws Exception {
    if (!Files.exists(host.path("/var/lib/thermocline/rules.yaml"))) {
      rules("/warehouse/none/**", "atMost: DISK");
    }
    host.startService(START);
    host.awaitLog("running in");
    host.awaitLog("REST at ");
    if (!zooKeeper.isEmpty()) {
      Eventually.holds("it leads", this::leads);
    }
  }

  /** Elected, it listens anew, at another port. */
  private boolean leads() throws IOException {
    String said = host.said();
    int elected = said.indexOf(": leading, in epoch ");
    return elected > 0 && said.indexOf("REST at ", elected) > 0;
  }

  /** The last one that it said. */
  private String address() throws IOException {
    Matcher said = ADDRESS.matcher(host.said());
    String address = "";
    while (said.find()) {
      address = said.group(1);
    }
    assertFalse(address.isEmpty(), host::toString);
    return address;
  }

  private JsonNode get(String path) throws Exception {
    try (InputStream in = java.net.URI.create(address() + "/api/v1" + path).toURL().openStream()) {
      return JSON.readTree(in);
    } catch (ConnectException e) {
      throw new AssertionError(path + ": " + e.getMessage() + "\n" + host.said(), e);
    }
  }

  private void readUntil(
      String directory, String what, java.util.concurrent.Callable<Boolean> holds) {
    Eventually.holds(
        directory + ": " + what,
        Duration.ofSeconds(REPORT_SECONDS),
        () -> {
          for (String file : files(directory)) {
            try (InputStream in = cluster.client().open(path(file))) {
              in.readAllBytes();
            }
          }
          return holds.call();
        });
  }

  private boolean all(String directory, Predicate<String> holds) throws IOException {
    for (String file : files(directory)) {
      if (!holds.test(types(file))) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(String file, String type) {
    try {
      return types(file).contains(type);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String types(String file) throws IOException {
    Map<String, Integer> types = new TreeMap<>();
    for (BlockLocation block :
        cluster.client().getFileBlockLocations(path(file), 0, Long.MAX_VALUE)) {
      Arrays.stream(block.getStorageTypes())
          .forEach(type -> types.merge(type.name(), 1, Integer::sum));
    }
    return types.toString();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static long seconds(long since) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
  }
}
