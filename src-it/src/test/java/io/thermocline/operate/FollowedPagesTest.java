// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.dist.InstalledTree;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of pages other than README.md and {@link Page#operating}: in the order of
 * each page, from what is packaged, on one cluster whose servers are processes.
 */
class FollowedPagesTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();

  /** A page that needs what another one sets up comes after it. */
  private static final List<String> PAGES =
      List.of(
          "docs/reference/doctor.md",
          "docs/reference/rest.md",
          "docs/guides/storagepolicies.md",
          "docs/guides/hints.md",
          "docs/guides/hints-client.md",
          "python/README.md",
          "docs/concepts/placement.md",
          "docs/guides/groups.md",
          "docs/guides/simulate.md",
          "docs/guides/link.md",
          "docs/guides/probe.md",
          "docs/start/laptop.md",
          "docs/concepts/planning.md",
          "docs/guides/rules.md");

  /** Commands that can't run here, by how they begin, with the reason and what runs them. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "spark-submit", "needs Spark: HintingClientTest with -Djobs=spark",
          "hdfs --daemon", "needs Hadoop's own scripts: ShellProfileTest has each step of them",
          "bin/thermocline mine --spark", "not in packages: SparkMiningTest",
          "bin/thermocline demo", "of a checkout, a minute and a half: ReadmeTest and DemoTest",
          "bin/thermocline bench",
              "of a checkout, some minutes: PlanCommand is the benchmark itself");

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)^ *((?:bin/)?thermocline|/opt/thermocline/\\S+|hdfs|hadoop|curl|pip|runuser|ln|mvn|spark-submit) [^ =].*");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AS = "runuser -u " + Host.USER + " -- ";
  private static final String SERVICES = "https://tiering1:8480,https://tiering2:8480";
  private static final String ORDERS = "/warehouse/orders";

  @TempDir Path temp;

  private ProcessCluster cluster;
  private Host host;

  /** Else nobody would run them. */
  @Test
  void everyCommandStandsInABlockOfCommands() throws IOException {
    List<String> others = new ArrayList<>();
    Set<String> pages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files
          .filter(file -> file.toString().endsWith(".md"))
          .map(file -> ROOT.relativize(file).toString())
          .filter(page -> !page.matches("docs/(evidence|decisions)/.*"))
          .forEach(pages::add);
    }
    pages.add("python/README.md");
    for (String page : pages) {
      Path file = ROOT.resolve(page);
      for (Page.Block block : Page.all(file)) {
        if (!block.language().equals("bash") && COMMAND.matcher(block.commands()).find()) {
          others.add(page + ": " + block);
        }
      }
      Files.readString(file)
          .replaceAll("(?ms)^ *```.*?^ *```$", "")
          .lines()
          .filter(line -> line.startsWith("    ") && COMMAND.matcher(line).matches())
          .forEach(line -> others.add(page + ": " + line));
      assertTrue(
          Page.blocks(file).isEmpty() || PAGES.contains(page) || Page.isOfOperating(page),
          page + " is followed by no test");
    }
    assertEquals(List.of(), others);
  }

  @Tag("cluster")
  @Test
  void theirCommandsWork() throws Exception {
    HadoopLine line;
    try {
      line = HadoopLine.resolve(VersionInfo.getVersion(), DATA.resolve("hadoop-lines"));
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return;
    }
    ProcessCluster.Builder builder =
        ProcessCluster.builder(line)
            .setting(
                "hadoop.user.group.static.mapping.overrides",
                Host.USER + "=supergroup;root=root;etl=etl")
            .setting("hadoop.proxyuser." + Host.USER + ".hosts", "*")
            .setting("hadoop.proxyuser." + Host.USER + ".groups", "etl")
            .keepLogs(DATA.resolve("process-logs").resolve("followed-pages"))
            .capacity(256L << 20);
    for (int i = 1; i <= 3; i++) {
      builder.node(
          new ProcessNode("dn" + i, "rack" + i, List.of(StorageType.DISK, StorageType.SSD)));
    }
    try (ProcessCluster started = builder.start();
        Host made = new Host(temp, line, started.directory().resolve("conf/client"))) {
      cluster = started;
      host = made;
      host.environment("HADOOP_USER_NAME", Host.USER);
      prepare();
      Set<String> elsewhere = new TreeSet<>();
      List<String> failed = new ArrayList<>();
      Map<String, Long> millis = new LinkedHashMap<>();
      for (String page : PAGES) {
        long began = System.nanoTime();
        for (Page.Block block : Page.blocks(ROOT.resolve(page))) {
          for (String command : Page.commands(block)) {
            if (!isElsewhere(command, elsewhere)) {
              try {
                follow(page, command);
              } catch (AssertionError e) {
                // All of them at once.
                failed.add(page + ": " + e.getMessage());
              }
            }
          }
        }
        millis.put(page, (System.nanoTime() - began) / 1_000_000);
      }
      System.out.println("milliseconds a page: " + millis);
      assertEquals(List.of(), failed);
      assertEquals(ELSEWHERE.keySet(), elsewhere, "each is on a page");
      asPromised();
    }
  }

  private static boolean isElsewhere(String command, Set<String> seen) {
    for (String begin : ELSEWHERE.keySet()) {
      if (command.startsWith(begin)) {
        seen.add(begin);
        return true;
      }
    }
    return false;
  }

  /** An installed service with moves, hints and tokens, and what a site has of its own. */
  private void prepare() throws Exception {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path own = Files.createDirectories(temp.resolve("etc/thermocline"));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    host.replace("/etc/thermocline/", own + "/");
    host.replace("/home/etl/", temp + "/");
    host.replace("127.0.0.1:8480", "127.0.0.1:0");
    host.replace("/var/log/hadoop/hdfs/", temp.resolve("audited") + "/");
    host.replace("hdfs://cluster/", cluster.uri() + "/");
    host.replace("hdfs://remote/", cluster.uri() + "/remote/");
    host.replace("/tmp/", temp + "/");
    // The devices are small.
    host.replace("--out chew.yaml", "--out chew.yaml --bytes 8MB --seconds 4");
    auditLog();
    cluster.client().mkdirs(path("/tmp"));
    cluster.client().setPermission(path("/tmp"), new FsPermission((short) 01777));
    write(ORDERS + "/part-00000");
    write(ORDERS + "/part-00001");
    write("/logs/old");
    cluster.client().setOwner(path(ORDERS), "etl", "etl");
    cluster.client().mkdirs(path("/remote/archive"));
    cluster.client().setOwner(path("/remote/archive"), Host.USER, null);
    try (OutputStream out = Files.newOutputStream(temp.resolve("thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> !path.startsWith("hadoop/"), out);
    }
    host.run(
        """
        mkdir -p /opt/thermocline/logs /var/lib/thermocline
        tar -xzf thermocline-it.tar.gz --strip-components 1 -C /opt/thermocline
        chown thermocline: /opt/thermocline/logs /var/lib/thermocline
        cat > /opt/thermocline/conf/thermocline.yaml <<END
        hdfs: {configuration: /etc/hadoop/conf}
        observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log], poll: 100ms, openWindow: 0s}
        manage: {paths: [/warehouse]}
        api: {listen: 127.0.0.1:8480, tokens: /etc/thermocline/tokens}
        journal: {directory: /var/lib/thermocline}
        act: {mode: apply, approval: one}
        hints: {enabled: on}
        END
        cp /opt/thermocline/conf/thermocline.yaml /etc/thermocline/thermocline.yaml
        cp /opt/thermocline/conf/node-attributes.example /etc/thermocline/by-hand
        cp /opt/thermocline/conf/simulate.yaml our-cluster.yaml
        """);
    token();
    host.startService(
        AS
            + "/opt/thermocline/bin/thermocline service --config /opt/thermocline/conf/thermocline.yaml");
    host.awaitLog("running in");
    host.replace("https://tiering1:8480", host.address());
    host.replace(SERVICES, host.address());
    host.replace("localhost:8480", host.address());
    // As docs/reference/rest.md says of a service that wants to know who asks; one of the commands
    // does it
    // itself.
    host.replace("curl ", "curl -H \"Authorization: Bearer $THERMOCLINE_TOKEN\" ");
    host.replace("curl -X", "curl -X");
    clients();
    logs();
    remoteSite();
  }

  /** The NameNode's log has other lines too here, of which doctor would complain. */
  private void auditLog() throws Exception {
    Files.createDirectories(temp.resolve("audited"));
    host.environment("NAMENODE_LOG", nameNodeLog().toString());
    host.startBeside(
        "bash -c 'tail --pid=$$ -n +1 -F \"$NAMENODE_LOG\" | grep --line-buffered FSNamesystem.audit:"
            + " > /var/log/hadoop/hdfs/hdfs-audit.log'");
  }

  private Path nameNodeLog() {
    return cluster.directory().resolve("logs/namenode.log");
  }

  private void token() throws Exception {
    String said =
        host.run(
            "/opt/thermocline/bin/thermocline token etl administrator --append /etc/thermocline/tokens"
                + "\nchown thermocline: /etc/thermocline/tokens");
    String token = said.lines().filter(each -> !each.contains(" ")).findFirst().orElseThrow();
    for (String file : List.of("etc/thermocline/token", "thermocline.token")) {
      Files.writeString(temp.resolve(file), token + "\n");
      Files.setPosixFilePermissions(
          temp.resolve(file), PosixFilePermissions.fromString("rw-------"));
    }
    host.environment("THERMOCLINE_TOKEN", token);
  }

  /** The configuration that docs/guides/hints-client.md gives to clients; curl, which is to fail where the service refuses; pip. */
  private void clients() throws Exception {
    Path configuration = cluster.directory().resolve("conf/client");
    Path site = configuration.resolve("core-site.xml");
    Files.writeString(
        site,
        Files.readString(site)
            .replace(
                "</configuration>",
                "<property><name>thermocline.hints.service</name><value>"
                    + host.address()
                    + "</value></property><property><name>thermocline.hints.token.file</name><value>"
                    + temp.resolve("thermocline.token")
                    + "</value></property></configuration>"));
    Files.createDirectories(configuration.resolve("shellprofile.d"));
    host.environment("HADOOP_CONF_DIR", configuration.toString());
    Files.writeString(temp.resolve(".curlrc"), "fail-with-body\nsilent\nshow-error\n");
    host.environment("CURL_HOME", temp.toString());
    host.environment("PIP_TARGET", temp.resolve("python").toString());
    host.environment("PIP_NO_INDEX", "1");
    host.environment("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    host.environment("PYTHONPATH", temp.resolve("python").toString());
  }

  /** Rolled ones of the NameNode and those of DataNodes, an image, and a trace of jobs. */
  private void logs() throws Exception {
    List<String> audited =
        Files.readAllLines(nameNodeLog()).stream()
            .filter(each -> each.contains("FSNamesystem.audit:"))
            .toList();
    int third = audited.size() / 3;
    Files.write(temp.resolve("hdfs-audit.log.2"), audited.subList(0, third));
    Files.write(temp.resolve("hdfs-audit.log.1"), audited.subList(third, 2 * third));
    Files.write(temp.resolve("hdfs-audit.log"), audited.subList(2 * third, audited.size()));
    for (int node = 1; node <= 2; node++) {
      StringBuilder trace = new StringBuilder();
      for (int i = 0; i < 40; i++) {
        trace.append(
            ("2026-11-20 00:00:%02d,000 INFO DataNode.clienttrace: src: /10.0.0.%d:9866, dest: /10.0.1.1:50010,"
                    + " volume: /data, bytes: 4096, op: HDFS_READ, cliID: DFSClient_NONMAPREDUCE_1_%d, offset: 0,"
                    + " srvID: dn%d, blockid: BP-1-10.0.0.9-1:blk_%d_1001, duration(ns): 100000%n")
                .formatted(i, node, node, node, 1073741825 + i % 4));
      }
      Files.writeString(temp.resolve("dn" + node + "-clienttrace.log"), trace);
    }
    host.run("hdfs dfsadmin -fetchImage fsimage_0000000000000004711");
    StringBuilder jobs =
        new StringBuilder(
            "job_id\tsubmit_time_s\tmap_input_bytes\tshuffle_bytes\treduce_output_bytes\tinput_file\tfirst_occurrence\n");
    for (int i = 0; i < 200; i++) {
      jobs.append(
          "job%d\t%d\t%d\t0\t0\tf%d\t%d%n".formatted(i, i * 10, 1 << 20, i % 17, i < 17 ? 1 : 0));
    }
    Files.writeString(temp.resolve("jobs.tsv"), jobs);
  }

  /** Its certificate, for this host, is the one that clients here trust. */
  private void remoteSite() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    host.replace("remote.example.com:9470", "127.0.0.1:" + port);
    host.run(
        "\"$JAVA_HOME/bin/keytool\" -genkeypair -alias gateway -keyalg EC -dname CN=gateway"
            + " -ext san=ip:127.0.0.1 -storetype PKCS12 -storepass changeit -keystore gateway.p12\n"
            + "echo changeit > password\n"
            + "chmod 600 gateway.p12 password\n"
            + "chown thermocline: gateway.p12 password");
    host.flags(
        " -Djavax.net.ssl.trustStore="
            + temp.resolve("gateway.p12")
            + " -Djavax.net.ssl.trustStorePassword=changeit");
  }

  /** Nobody else approves it meanwhile, and the next one comes after minutes. */
  private void planThatWaits() throws Exception {
    String[] number = new String[1];
    Eventually.holds(
        "a plan that waits",
        () -> {
          read(ORDERS + "/part-00000");
          host.run(
              "/opt/thermocline/bin/thermocline plan now --why test --service "
                  + host.address()
                  + " || true");
          for (JsonNode plan : get("/plans").path("items")) {
            if (number[0] == null && plan.path("state").asText().equals("WAITING")) {
              number[0] = plan.path("number").asText();
            }
          }
          return number[0] != null;
        });
    host.replace(
        "localhost:8480/api/v1/plans/7/", host.address() + "/api/v1/plans/" + number[0] + "/");
  }

  private void follow(String page, String command) throws Exception {
    if (command.contains("/approve ")) {
      planThatWaits();
    }
    if (command.contains(" gateway ")) {
      host.run("cp keys key\nchmod 600 key\nchown thermocline: keys key");
    }
    String typed =
        command.startsWith("thermocline ") ? AS + "/opt/thermocline/bin/" + command : command;
    if (command.contains(" --every ") || command.contains(" gateway ")) {
      Path said = host.startBeside(typed);
      Eventually.holds(
          page + ": " + command,
          () -> {
            assertTrue(host.runs(said), () -> content(said));
            return hasBegun(command, said);
          });
      return;
    }
    host.run(typed);
  }

  /** What runs until it is ended: the file that it keeps is there, or it listens. */
  private boolean hasBegun(String command, Path said) {
    var file = Pattern.compile("--out (\\S+)").matcher(command);
    return file.find()
        ? Files.exists(host.path(file.group(1)))
        : content(said).contains("listening on");
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** What the pages say that comes of it. */
  private void asPromised() throws Exception {
    assertTrue(Files.size(temp.resolve("what-if.html")) > 10_000);
    assertTrue(Files.readString(temp.resolve("chew.yaml")).contains("SSD"));
    assertTrue(cluster.client().exists(path("/remote/archive/blue/logs/old")));
  }

  private JsonNode get(String question) throws Exception {
    return JSON.readTree(host.run("curl 'localhost:8480/api/v1" + question + "'"));
  }

  private void write(String file) throws IOException {
    try (OutputStream out =
        cluster.client().createFile(path(file)).replication((short) 2).recursive().build()) {
      out.write(new byte[200_000]);
    }
    read(file);
  }

  private void read(String file) throws IOException {
    for (int i = 0; i < 5; i++) {
      try (InputStream in = cluster.client().open(path(file))) {
        in.readAllBytes();
      }
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
