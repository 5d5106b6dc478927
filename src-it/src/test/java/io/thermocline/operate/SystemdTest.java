// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.dist.InstalledTree;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.Systemd;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The units of the packages and the {@code systemctl} lines of the pages about operating, on a host with a real systemd and a cluster
 * whose servers are processes.
 */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SystemdTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();
  private static final String AUDIT_LOGS = "/var/log/hadoop/hdfs";
  private static final List<String> UNITS =
      List.of(
          "thermocline",
          "thermocline-mover",
          "thermocline-directory-hints",
          "thermocline-attributes");

  /** An ordinary process that may do nothing more, whatever it runs. */
  private static final Map<String, String> POWERLESS =
      Map.of(
          "NoNewPrivs", "1",
          "Seccomp", "2",
          "CapPrm", "0000000000000000",
          "CapEff", "0000000000000000",
          "CapBnd", "0000000000000000",
          "CapAmb", "0000000000000000");

  @TempDir Path temp;

  private ProcessCluster cluster;
  private Optional<String> missing = Optional.empty();
  private int port;
  private Systemd host;

  @BeforeAll
  void start() throws Exception {
    missing = Systemd.obstacle();
    if (missing.isPresent()) {
      return;
    }
    HadoopLine line;
    try {
      line = HadoopLine.resolve(VersionInfo.getVersion(), DATA.resolve("hadoop-lines"));
    } catch (UnresolvedHadoopException e) {
      missing = Optional.of(e.getMessage());
      return;
    }
    cluster =
        ProcessCluster.builder(line)
            .setting(
                "hadoop.user.group.static.mapping.overrides",
                "thermocline=supergroup;thermocline-mover=supergroup;hdfs=supergroup;root=root")
            .node(new ProcessNode("dn1", "rack1", List.of(StorageType.DISK, StorageType.SSD)))
            .start();
    Files.createSymbolicLink(
        cluster.directory().resolve("logs/hdfs-audit.log"), Path.of("namenode.log"));
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
  }

  @AfterEach
  void end() throws IOException {
    if (host != null) {
      host.close();
    }
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Each is skipped, and not the class as if it had no tests. */
  @BeforeEach
  void isThere() {
    assumeTrue(missing.isEmpty(), () -> missing.get());
  }

  private void boot() throws IOException {
    Map<Path, String> shown = new LinkedHashMap<>();
    shown.put(cluster.directory().resolve("conf/client"), "/etc/hadoop/conf");
    shown.put(cluster.directory().resolve("logs"), AUDIT_LOGS);
    shown.put(Installation.java(), "/usr/lib/jvm/of-the-tests");
    host = Systemd.start(temp, shown);
    // As on a host of Hadoop: for its group only.
    host.run(
        "groupadd --system --force hadoop; useradd --system --user-group --groups hadoop hdfs; cd "
            + AUDIT_LOGS
            + "; chgrp hadoop namenode.log; chmod 640 namenode.log");
  }

  @Test
  void theUnitOfATarGz() throws Exception {
    boot();
    try (OutputStream out = Files.newOutputStream(host.seen("/root/thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> true, out);
    }
    List<Page.Block> first = blocks("cluster.md", "");
    host.run("cd /root\n" + first.get(0).commands());
    host.run(here(first.get(1).commands()));
    String units = blocks("cluster.md", "units").get(0).commands();
    host.run(units);

    // Its user can't read the audit log yet, and a restart wouldn't help.
    awaitUnit("thermocline", "ActiveState", "failed");
    assertEquals("2", shown("thermocline", "ExecMainStatus"));
    assertEquals("0", shown("thermocline", "NRestarts"));
    assertTrue(
        journal("thermocline").contains(AUDIT_LOGS + "/hdfs-audit.log"), journal("thermocline"));

    override("thermocline", "SupplementaryGroups=hadoop", "RestartSec=1");
    host.run("systemctl start thermocline");
    awaitLine("thermocline", "running in SHADOW mode", 1);
    String status = host.run("systemctl status thermocline");
    assertTrue(status.contains("active (running)"), status);
    assertTrue(status.contains("file:///opt/thermocline/docs/start/cluster.md"), status);
    assertEquals("enabled", host.run("systemctl is-enabled thermocline").strip());
    isOrdinary("thermocline", "thermocline");
    assertEquals("/opt/thermocline/bin/thermocline", executable("thermocline"));
    for (String own : List.of("/var/lib/thermocline", "/var/log/thermocline")) {
      assertEquals("700 thermocline", host.run("stat -c '%a %U' " + own).strip(), own);
    }
    assertEquals("audit.log\n", host.run("ls /var/log/thermocline"), "the rest is in the journal");
    assertEquals("", host.run("ls /opt/thermocline/logs"), "no other log");

    reloads();
    startsAgainAfterItWasKilled();

    host.run("systemctl stop thermocline");
    isStopped("thermocline");
    host.run(
        "systemctl disable --now thermocline\nrm /etc/systemd/system/thermocline.service\n"
            + "rm -r /etc/systemd/system/thermocline.service.d\nsystemctl daemon-reload");
    isGone();
  }

  private void reloads() throws IOException {
    String reload = "THERMOCLINE_SERVICE=http://127.0.0.1:" + port + " thermocline reload ";
    host.run(
        "sed -i 's|apply: ..|&, maxConcurrentCopies: 64|' /opt/thermocline/conf/thermocline.yaml");
    String said = host.run("PATH=/opt/thermocline/bin:$PATH " + reload + "--why test");
    assertTrue(said.contains("act.maxConcurrentCopies: 256 -> 64"), said);
  }

  private void startsAgainAfterItWasKilled() throws IOException {
    String killed = shown("thermocline", "MainPID");
    host.run("kill -KILL " + killed);
    awaitLine("thermocline", "running in SHADOW mode", 2);
    assertEquals("1", shown("thermocline", "NRestarts"));
    assertFalse(shown("thermocline", "MainPID").equals(killed));
    isOrdinary("thermocline", "thermocline");
  }

  @Test
  void theUnitsOfADeb() throws Exception {
    boot();
    assumeTrue(
        host.run("command -v dpkg adduser apt-get || true").lines().count() == 3,
        "a .deb is installed on Debian and its like");
    try (OutputStream out = Files.newOutputStream(host.seen("/root/thermocline_it_all.deb"))) {
      InstalledTree.deb(ROOT, out);
    }
    host.run("cd /root; apt-get install --yes ./thermocline_*.deb");
    assertEquals(
        "", host.run("systemd-analyze verify /usr/lib/systemd/system/thermocline*.service"));
    assertEquals(Set.of(), running(), "nothing is started by itself");
    String config = blocks("cluster.md", "").get(1).commands();
    host.run(here(config).replace("/opt/thermocline/conf/", "/etc/thermocline/"));
    override("thermocline", "SupplementaryGroups=hadoop");
    host.run("systemctl enable --now thermocline");
    awaitLine("thermocline", "running in SHADOW mode", 1);
    isOrdinary("thermocline", "thermocline");

    host.run("systemctl enable --now thermocline-mover");
    awaitLine("thermocline-mover", "listening at /run/thermocline-mover/mover.sock", 1);
    isOrdinary("thermocline-mover", "thermocline-mover");
    assertEquals(
        "755 thermocline-mover", host.run("stat -c '%a %U' /run/thermocline-mover").strip());
    assertEquals(
        "750 thermocline-mover", host.run("stat -c '%a %U' /var/log/thermocline-mover").strip());

    besideANameNode();
    upgrades();
    host.run("apt-get remove --yes thermocline");
    assertEquals(Set.of(), running());
    isGone();
    assertTrue(Files.exists(host.seen("/var/lib/thermocline/heat")), "the journal is kept");
    host.run("apt-get purge --yes thermocline");
    assertEquals(
        "",
        host.run(
            "ls -d /var/lib/thermocline* /var/log/thermocline* /etc/thermocline 2>/dev/null || true;"
                + " getent passwd thermocline thermocline-mover || true"));
  }

  private void besideANameNode() throws IOException {
    for (Page.Block block : blocks("placement-policy.md", "units")) {
      host.run(here(block.commands()));
    }
    String hints = "/var/lib/thermocline-directory-hints/directory-hints";
    String attributes = "/var/lib/thermocline-attributes/node-attributes";
    for (String file : List.of(hints, attributes)) {
      String unit = Path.of(file).getParent().getFileName().toString();
      await(unit, "writes " + file, () -> Files.exists(host.seen(file)));
      host.run("setpriv --reuid nobody --clear-groups cat " + file);
    }
    assertEquals("thermocline\n", host.run("stat -c %U " + hints));
    assertEquals("hdfs\n", host.run("stat -c %U " + attributes));
    isOrdinary("thermocline-directory-hints", "thermocline");
    isOrdinary("thermocline-attributes", "hdfs");
  }

  /** The one that waits for its next start, too. */
  private void upgrades() throws IOException {
    String before = shown("thermocline-mover", "MainPID");
    host.run("systemctl stop thermocline-directory-hints; systemctl kill -s KILL thermocline");
    awaitUnit("thermocline", "SubState", "auto-restart");
    host.run("dpkg -i --force-confold /root/thermocline_it_all.deb");
    assertEquals(
        Set.of("thermocline", "thermocline-mover", "thermocline-attributes"),
        running(),
        "those that were to run");
    assertFalse(shown("thermocline-mover", "MainPID").equals(before), "the new one");
    awaitLine("thermocline", "running in SHADOW mode", 2);
  }

  /** Names of the units whose process runs. */
  private Set<String> running() throws IOException {
    Set<String> running = new TreeSet<>();
    for (String unit : UNITS) {
      if (shown(unit, "SubState").equals("running")) {
        running.add(unit);
      }
    }
    return running;
  }

  private void isOrdinary(String unit, String user) throws IOException {
    String pid = shown(unit, "MainPID");
    assertEquals(user, host.run("ps -o user:32= -p " + pid).strip());
    Map<String, String> status = new LinkedHashMap<>();
    for (String line : host.run("cat /proc/" + pid + "/status").lines().toList()) {
      String[] pair = line.split(":\\s*", 2);
      if (POWERLESS.containsKey(pair[0])) {
        status.put(pair[0], pair[1]);
      }
    }
    assertEquals(POWERLESS, status, unit);
    String refused =
        host.run(
            "for file in /etc /usr /opt /srv /root; do nsenter -t "
                + pid
                + " -m touch $file/x 2>&1 && echo written || true; done; nsenter -t "
                + pid
                + " -m ls /root || true");
    assertFalse(refused.contains("written"), refused);
  }

  private void isStopped(String unit) throws IOException {
    assertEquals("inactive", shown(unit, "ActiveState"));
    assertEquals("success", shown(unit, "Result"));
    assertEquals("143", shown(unit, "ExecMainStatus"), "it ended in order");
  }

  private void isGone() throws IOException {
    assertEquals(
        "", host.run("systemctl list-unit-files --no-legend 'thermocline*' || true").strip());
    assertEquals(
        "", host.run("systemctl list-units --all --no-legend 'thermocline*' || true").strip());
  }

  /** As {@code systemctl edit} does. */
  private void override(String unit, String... lines) throws IOException {
    Path directory = host.seen("/etc/systemd/system/" + unit + ".service.d");
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("override.conf"), "[Service]\n" + String.join("\n", lines) + "\n");
    host.run("systemctl daemon-reload");
  }

  private String executable(String unit) throws IOException {
    return shown(unit, "ExecStart").replaceAll(".*path=(\\S+).*", "$1");
  }

  private String shown(String unit, String property) throws IOException {
    return host.run("systemctl show --property " + property + " --value " + unit).strip();
  }

  private String journal(String unit) throws IOException {
    return host.run("journalctl --no-pager --output cat --unit " + unit);
  }

  private void awaitUnit(String unit, String property, String value) throws IOException {
    await(unit, "is " + value, () -> shown(unit, property).equals(value));
  }

  private void awaitLine(String unit, String text, int times) throws IOException {
    await(unit, "logs: " + text, () -> journal(unit).split(text, -1).length - 1 == times);
  }

  private void await(String unit, String what, Callable<Boolean> holds) throws IOException {
    try {
      Eventually.holds(unit + " " + what, holds);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ", but: " + journal(unit), e);
    }
  }

  private String here(String commands) {
    return commands
        .replace("127.0.0.1:8480", "127.0.0.1:" + port)
        .replace(
            "https://tiering1.example.com:8480,https://tiering2.example.com:8480",
            "http://127.0.0.1:" + port);
  }

  private static List<Page.Block> blocks(String page, String kind) throws IOException {
    return Page.operating(ROOT).stream()
        .filter(block -> block.page().equals(page) && block.kind().equals(kind))
        .toList();
  }
}
