// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
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

  /** More than nothing of what is read. */
  private static final Pattern WOULD_HAVE =
      Pattern.compile("; (?!0(?:\\.0+)? %)[0-9]+(?:\\.[0-9]+)? % would have");

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

  /** The mutex of a process that was killed is somebody's for a minute. */
  private static final Duration RESTART = Duration.ofSeconds(45);

  /** A service ends when ZooKeeper is silent for so long, and nobody starts it again here. */
  private static final Duration SESSION = Duration.ofSeconds(30);

  private static final String JOURNAL = "/system/thermocline/journal";

  private static final String MANAGED = "/warehouse";
  private static final String HOT = "/warehouse/hot";
  private static final String LOGS = "/warehouse/logs";
  private static final String HINTED = "/warehouse/hinted";

  /** The newer version brings it up and down. */
  private static final String LATER = "/warehouse/later";

  /** Somebody set its storage policy. */
  private static final String THEIRS = "/warehouse/theirs";

  /** Hadoop's Mover and Balancer make it, and leave it. */
  private static final String SYSTEM = "/system";

  private static final List<String> DIRECTORIES =
      List.of(HOT, LOGS, HINTED, LATER, THEIRS, "/elsewhere");

  /** What the package is called that the week begins with. */
  private static final String EARLIER = "0.0.1";

  private static final String UP = "a move up began at";

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
      assertTrue(policies().containsKey(HOT + "/f0"), "the Mover has something to look at");
      stockTools();
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
    cluster.client().mkdirs(path(SYSTEM));
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
  private boolean areComplete() throws Exception {
    for (String directory : DIRECTORIES) {
      if (!all(directory, file -> types(file).endsWith("=3}"))) {
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
    for (FileStatus status : all("/")) {
      org.apache.hadoop.fs.Path at = status.getPath();
      String name = at.toUri().getPath();
      String what =
          "policy "
              + cluster.client().getClient().getFileInfo(name).getStoragePolicy()
              + ", attributes "
              + cluster.client().getXAttrs(at).keySet();
      if (status.isFile()) {
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

  /** A directory, and all that is below. */
  private List<FileStatus> all(String directory) throws IOException {
    List<FileStatus> all =
        new ArrayList<>(List.of(cluster.client().getFileStatus(path(directory))));
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).isDirectory()) {
        all.addAll(List.of(cluster.client().listStatus(all.get(i).getPath())));
      }
    }
    return all;
  }

  private void install() throws Exception {
    try (OutputStream out = Files.newOutputStream(temp.resolve(EARLIER + ".tar.gz"))) {
      InstalledTree.tarGz(ROOT, EARLIER, path -> !path.startsWith("hadoop/"), out);
    }
    try (OutputStream out = Files.newOutputStream(temp.resolve("newer.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> !path.startsWith("hadoop/"), out);
    }
    host.run(
        "mkdir -p /opt/thermocline /var/lib/thermocline\nchown thermocline: /opt/thermocline /var/lib/thermocline");
    began = System.nanoTime();
    unpack(EARLIER, "/opt/thermocline");
    assertEquals("thermocline " + EARLIER + "\n", host.run(OURS + "--version"));
    configureAsThePageSays();
    System.out.println("unpacked in " + seconds(began) + " s");
  }

  private void unpack(String name, String directory) throws Exception {
    host.run(AS + "tar -xzf " + name + ".tar.gz --strip-components 1 -C " + directory);
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
        Page.operating(ROOT).stream()
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
          return WOULD_HAVE.matcher(said).find();
        });
    long seconds = seconds(began);
    System.out.println("first report with a number after " + seconds + " s");
    assertTrue(seconds < REPORT_SECONDS, seconds + " s");
    showsWhatIsSo();
    readsAsTheServicesUser();
    assertTrue(all(HOT, this::isOnDisk), "nothing was moved");
    assertEquals(
        !zooKeeper.isEmpty(),
        cluster.client().exists(path(SYSTEM + "/thermocline")),
        "a journal, but no lock");
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

  /** Elsewhere it imagines moves, so that there is something to forget. */
  private void applyOnAPart() throws Exception {
    configure(changing(LONG, "mode: shadow, apply: [" + HOT + "]"));
    restart();
    readUntil(HOT, "a copy on SSD", () -> all(HOT, this::isOnSsd));
    readUntil(HINTED, "moves up are imagined", () -> all(HINTED, this::isHeldUp));
    assertTrue(all(HINTED, this::isOnDisk));
    JsonNode imagined = get("/files?path=" + HINTED + "/f0").path("file");
    assertEquals("DISK", imagined.path("fastest").asText(), imagined::toString);
    assertEquals("SSD", imagined.path("wouldBeFastest").asText(), imagined::toString);
    JsonNode state = get("/state");
    assertEquals("[\"" + HOT + "\"]", state.path("applied").toString(), state::toString);
  }

  /** For so long a file is held after a move, and its explanation says so. */
  private static final String LONG = "10m";

  private static String changing(String residency, String act) {
    return """
        manage: {paths: [/warehouse], rules: /var/lib/thermocline/rules.yaml}
        decide: {every: 1s, stability: {residency: %s}}
        hints: {enabled: on}
        act: {%s}"""
        .formatted(residency, act);
  }

  private boolean isHeldUp(String file) throws Exception {
    return get("/files?path=" + file).path("explanation").toString().contains(UP);
  }

  private void apply() throws Exception {
    startsFromWhatIsSo();
    configure(changing("1s", "mode: apply"));
    restart();
    host.run(OURS + "resume --service " + address() + " --why week");
    readUntil(HINTED, "a copy on SSD", () -> all(HINTED, this::isOnSsd));
    satisfied();
  }

  /** Where plans are made, but not yet carried out. */
  private void startsFromWhatIsSo() throws Exception {
    host.run(OURS + "pause --service " + address() + " --why week --wait");
    configure(changing(LONG, "mode: apply"));
    restart();
    Eventually.holds("the first plan is made", () -> !get("/heat").path("items").isEmpty());
    assertTrue(isHeldUp(HOT + "/f0"), "moved indeed");
    for (String file : files(HINTED)) {
      JsonNode never = get("/files?path=" + file);
      assertFalse(never.toString().contains(UP), never::toString);
      assertTrue(never.path("file").path("wouldBeFastest").isMissingNode(), never::toString);
    }
    assertTrue(all(HINTED, this::isOnDisk));
  }

  private void rules(String path, String says) throws Exception {
    rules(Map.of(path, says));
  }

  private void rules(Map<String, String> says) throws Exception {
    StringBuilder rules = new StringBuilder("version: 1\nrules:\n");
    says.forEach(
        (path, what) ->
            rules.append("  - {name: '%s', paths: ['%s'], %s}\n".formatted(path, path, what)));
    host.run(AS + "bash -c 'cat > /var/lib/thermocline/rules.yaml' <<END\n" + rules + "END\n");
  }

  private void ruleAndReverse() throws Exception {
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds("up by the rule", () -> all(LOGS, this::isOnSsd));
    satisfied();
    assertTrue(below(LOGS, policies()).containsAll(files(LOGS)), policies()::toString);
    rules(LOGS + "/**", "atMost: DISK");
    Eventually.holds("down by the rule", () -> all(LOGS, this::isOnDisk));
    nothingOfOursIsOn(LOGS);
    satisfied();
  }

  /** With its next plans the service takes back what nothing needs any more. */
  private void nothingOfOursIsOn(String... directories) throws Exception {
    Map<String, String> left = new TreeMap<>();
    try {
      Eventually.holds(
          "no policy and no mark of ours is left",
          () -> {
            left.clear();
            left.putAll(marks());
            left.putAll(policies());
            left.keySet()
                .removeIf(path -> Stream.of(directories).noneMatch(each -> isIn(each, path)));
            return left.isEmpty();
          });
    } catch (AssertionError e) {
      throw new AssertionError(left.toString(), e);
    }
  }

  private static boolean isIn(String directory, String path) {
    return (path + "/").startsWith(directory + "/");
  }

  private static Set<String> below(String directory, Map<String, ?> all) {
    Set<String> below = new TreeSet<>(all.keySet());
    below.removeIf(path -> !isIn(directory, path));
    return below;
  }

  /** Files and directories with a storage policy, of their own or inherited, as the NameNode says. */
  private Map<String, String> policies() throws Exception {
    Map<String, String> policies = new TreeMap<>();
    for (FileStatus each : all(MANAGED)) {
      String path = each.getPath().toUri().getPath();
      int id = cluster.client().getClient().getFileInfo(path).getStoragePolicy();
      if (id != 0) {
        policies.put(path, "policy " + id);
      }
    }
    return policies;
  }

  /** Files and directories with attributes, but hints. */
  private Map<String, String> marks() throws Exception {
    Map<String, String> marks = new TreeMap<>();
    for (FileStatus each : all(MANAGED)) {
      Set<String> names = new TreeSet<>(cluster.client().getXAttrs(each.getPath()).keySet());
      names.remove(HintWire.attributeOf(Operation.ADVISE));
      if (!names.isEmpty()) {
        marks.put(each.getPath().toUri().getPath(), names.toString());
      }
    }
    return marks;
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

  /** Of all plans that brought files up, the newest first; one may have been interrupted by the service's end. */
  private void undo() throws Exception {
    List<Long> plans = new ArrayList<>();
    for (JsonNode each : get("/plans?limit=500").path("items")) {
      if (each.path("parts").toString().contains("PROMOTED")
          && Set.of("DONE", "INTERRUPTED").contains(each.path("state").asText())) {
        plans.add(each.path("number").asLong());
      }
    }
    assertFalse(plans.isEmpty(), () -> "a plan that promoted");
    plans.sort(Comparator.reverseOrder());
    for (long plan : plans) {
      host.run(OURS + "undo " + plan + " --service " + address() + " --why week --wait");
    }
    for (String directory : List.of(HOT, HINTED, LOGS)) {
      assertTrue(all(directory, this::isOnDisk), directory);
    }
    nothingOfOursIsOn(HOT, HINTED, LOGS);
    satisfied();
  }

  /** They find all files where their policies have them, so that they move nothing. */
  private void stockTools() throws Exception {
    Map<String, List<String>> before = places();
    long end = Files.size(auditLog());
    String mover = host.run(ADMINISTRATOR + "hdfs mover -p /warehouse");
    assertTrue(mover.contains("Mover Successful"), mover);
    int processed = filesListed(end);
    System.out.println("the Mover processed " + processed + " files");
    assertEquals(before.size(), processed);
    assertEquals(before, places(), mover);
    String balancer = host.run(ADMINISTRATOR + "hdfs balancer -threshold 10");
    assertTrue(balancer.contains("The cluster is balanced"), balancer);
    assertEquals(before, places(), balancer);
    satisfied();
    Eventually.holds(
        "the service sees that they have ended",
        () -> !get("/state").toString().contains(" runs (it holds "));
  }

  /** Where the NameNode says that the replicas of files are, by path. */
  private Map<String, List<String>> places() throws IOException {
    Map<String, List<String>> places = new TreeMap<>();
    for (FileStatus file : all(MANAGED)) {
      if (file.isFile()) {
        String path = file.getPath().toUri().getPath();
        List<String> of = new ArrayList<>();
        for (LocatedBlock block : blocks(path)) {
          of.add(new TreeSet<>(List.of(block.getStorageIDs())).toString());
        }
        places.put(path, of);
      }
    }
    return places;
  }

  /** Files in the directories that the superuser had the NameNode list, as its audit log says. */
  private int filesListed(long from) throws IOException {
    byte[] log = Files.readAllBytes(auditLog());
    Set<String> directories = new TreeSet<>();
    new String(log, (int) from, log.length - (int) from, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("ugi=" + Host.SUPERUSER + " "))
        .map(Pattern.compile("cmd=listStatus\tsrc=([^\t]+)")::matcher)
        .filter(Matcher::find)
        .forEach(line -> directories.add(line.group(1)));
    int files = 0;
    for (String directory : directories) {
      for (FileStatus each : cluster.client().listStatus(path(directory))) {
        files += each.isFile() ? 1 : 0;
      }
    }
    return files;
  }

  /** What people see of plans and charts is the same afterwards. */
  private void killAndUpgrade() throws Exception {
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds("some are up", () -> isOnSsd(LOGS + "/f0"));
    Map<Long, String> plans = plans();
    List<JsonNode> charts = charts();
    assertTrue(charts.size() > 2, charts::toString);
    host.killService();
    long killed = System.nanoTime();
    rules(LOGS + "/**", "atMost: DISK");
    start();
    Duration down = Duration.ofNanos(System.nanoTime() - killed);
    assertTrue(
        down.compareTo(zooKeeper.isEmpty() ? RESTART : RESTART.plus(SESSION)) < 0,
        () -> "back after " + down + ", as if it waited for the mutex of the killed one");
    seenAgain(plans, charts);
    Eventually.holds("down", () -> all(LOGS, this::isOnDisk));
    rules(LOGS + "/**", "atLeast: SSD");
    Eventually.holds("all are up", () -> all(LOGS, this::isOnSsd));
    host.run("mkdir -p /opt/thermocline.new\nchown thermocline: /opt/thermocline.new");
    unpack("newer", "/opt/thermocline.new");
    host.run("cp -p /opt/thermocline/conf/thermocline.yaml /opt/thermocline.new/conf/");
    host.run(
        OURS.replace("thermocline/bin", "thermocline.new/bin")
            + "service"
            + CONFIG.replace("thermocline/conf", "thermocline.new/conf")
            + "--check");
    host.stopService();
    host.run("mv /opt/thermocline /opt/thermocline.old\nmv /opt/thermocline.new /opt/thermocline");
    assertNotEquals("thermocline " + EARLIER + "\n", host.run(OURS + "--version"));
    start();
    seenAgain(plans, charts);
    // The others have turned round as often as a file may in a day.
    rules(Map.of(LOGS + "/**", "atLeast: SSD", LATER + "/**", "atLeast: SSD"));
    Eventually.holds("up by a rule", () -> all(LATER, this::isOnSsd));
    rules(Map.of(LOGS + "/**", "atLeast: SSD", LATER + "/**", "atMost: DISK"));
    Eventually.holds("down by a rule", () -> all(LATER, this::isOnDisk));
    nothingOfOursIsOn(LATER);
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

  private boolean leads() throws IOException {
    return host.said().contains(": leading, in epoch ");
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
      String directory, String what, java.util.concurrent.Callable<Boolean> holds)
      throws IOException {
    try {
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
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; it said:\n" + host.said(), e);
    }
  }

  /** What files are asked. */
  @FunctionalInterface
  private interface Asked {
    boolean of(String file) throws Exception;
  }

  private static boolean all(String directory, Asked holds) throws Exception {
    for (String file : files(directory)) {
      if (!holds.of(file)) {
        return false;
      }
    }
    return true;
  }

  private boolean isOnSsd(String file) throws IOException {
    return types(file).contains("SSD");
  }

  private boolean isOnDisk(String file) throws IOException {
    return types(file).equals("{DISK=3}");
  }

  private String types(String file) throws IOException {
    Map<String, Integer> types = new TreeMap<>();
    for (LocatedBlock block : blocks(file)) {
      Arrays.stream(block.getStorageTypes())
          .forEach(type -> types.merge(type.name(), 1, Integer::sum));
    }
    return types.toString();
  }

  /** As the NameNode says, which takes this for no read. */
  private List<LocatedBlock> blocks(String file) throws IOException {
    return cluster
        .client()
        .getClient()
        .getLocatedFileInfo(file, false)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static long seconds(long since) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
  }
}
