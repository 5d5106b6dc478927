// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.MountNamespace;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.TestLines;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Doctor on a cluster of processes: what is wrong with one DataNode among others, and with the host that the command is
 * run on. The rest is in {@link DoctorTest}.
 */
@Tag("cluster")
class DoctorOnProcessesTest {

  private static final String PLUGIN = ThermoclinePlacementPolicy.class.getName();
  private static final List<StorageType> TYPES = List.of(StorageType.DISK, StorageType.SSD);

  /** Less than the GB that doctor wants. */
  private static final long SMALL = 64L << 20;

  @TempDir static Path temp;
  private static ProcessCluster cluster;
  private static Path hadoop;
  private static Path config;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        ProcessCluster.builder(line(System.getProperty("hadoop.version")))
            .setting(
                "hadoop.user.group.static.mapping.overrides",
                ServiceProcess.USER + "=supergroup;dr.who=")
            .node(new ProcessNode("dn1", "rack1", TYPES))
            .start();
    hadoop = cluster.directory().resolve("conf/client");
    config = setup(hadoop).write(temp.resolve("service"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static HadoopLine line(String version) throws IOException {
    try {
      return HadoopLine.resolve(version, TestLines.DIRECTORY);
    } catch (UnresolvedHadoopException e) {
      return abort(e.getMessage());
    }
  }

  private static ServiceSetup setup(Path hadoop) {
    return new ServiceSetup(hadoop, cluster.directory().resolve("logs/namenode.log"), "/data")
        .web(URI.create("http://" + cluster.configuration().get("dfs.namenode.http-address")));
  }

  private static Doctor doctor() throws Exception {
    return Doctor.run(ServiceProcess.USER, config);
  }

  @Test
  void findsThatTransfersAreProtectedInAnotherWay() throws Exception {
    Eventually.holds(
        "nodes that were killed are known to be dead",
        () -> doctor().checks().get("moves.protection").equals("ok"));
    Path here = Files.createDirectories(temp.resolve("protected"));
    Files.copy(hadoop.resolve("core-site.xml"), here.resolve("core-site.xml"));
    Files.writeString(
        here.resolve("hdfs-site.xml"),
        Files.readString(hadoop.resolve("hdfs-site.xml"))
            .replace(
                "</configuration>",
                "<property><name>dfs.data.transfer.protection</name><value>integrity</value>"
                    + "</property></configuration>"));
    Doctor other = Doctor.run(ServiceProcess.USER, config, "--hadoop-conf", here.toString());
    other.assertFound(
        "moves.protection",
        "error",
        "dfs.data.transfer.protection is '', and 'integrity' here",
        "copy hdfs-site.xml of the DataNodes to the directory of hdfs.configuration");
  }

  @Test
  void findsDataNodesOfAnotherVersion() throws Exception {
    doctor().assertOk("cluster.versions");
    ProcessNode node = new ProcessNode("other", "rack1", TYPES);
    cluster.join(node, line("3.3.6"), List.of());
    Eventually.holds(
        "it is found",
        // A busy DataNode's web server may not answer in time at first.
        () -> doctor().checks().get("cluster.versions").equals("warning"));
    doctor()
        .assertFound(
            "cluster.versions",
            "warning",
            "NameNodes and DataNodes: have versions 3.3.6, ",
            "finish the upgrade");
    cluster.kill(node.name());
  }

  @Test
  void findsADeviceThatIsFullOfOtherThings() throws Exception {
    assumeMounts();
    ProcessNode node = new ProcessNode("full", "rack1", TYPES);
    try (MountNamespace mounts = MountNamespace.open()) {
      Path ssd = cluster.storage(node, TYPES.indexOf(StorageType.SSD));
      mounts.mount(ssd, SMALL);
      doctor().assertOk("storage.reserved");
      cluster.join(node, cluster.line(), mounts.prefix());
      doctor().assertOk("storage.reserved");
      mounts.fill(ssd.resolve("not-of-hdfs"));
      Eventually.holds(
          "the next heartbeat says so",
          () -> doctor().checks().get("storage.reserved").equals("warning"));
      doctor()
          .assertFound(
              "storage.reserved",
              "warning",
              "is without room though HDFS has little on it",
              "du -xsh DEVICE/*   says what fills it");
      cluster.kill(node.name());
    }
  }

  @Test
  void findsWhatTheHostItRunsOnLacks() throws Exception {
    assumeMounts();
    Path here = Files.createDirectories(temp.resolve("here"));
    Files.copy(hadoop.resolve("core-site.xml"), here.resolve("core-site.xml"));
    Path site = Files.writeString(here.resolve("hdfs-site.xml"), named(hadoop));
    Path directory = temp.resolve("small");
    Path small = setup(here).write(directory);
    try (MountNamespace mounts = MountNamespace.open()) {
      mounts.mount(ServiceSetup.journalOf(directory), SMALL);
      Doctor outside = launched(List.of(), small, installed("without", List.of()));
      outside.assertOk("host.room", "host.hadoop-conf");
      outside.assertFound(
          "plugin.class-path",
          "warning",
          "this host: Hadoop's class path has no jar with " + PLUGIN,
          "export HADOOP_CLASSPATH=/opt/thermocline/plugin/*:$HADOOP_CLASSPATH");
      Doctor inside =
          launched(
              mounts.prefix(),
              small,
              installed("with", List.of(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))));
      inside.assertFound(
          "host.room",
          "warning",
          "journal.directory: " + ServiceSetup.journalOf(directory) + " has room for ",
          "make room, or name another directory in journal.directory");
      inside.assertOk("plugin.class-path");
    }
    Files.delete(site);
    Doctor defaults = Doctor.run(ServiceProcess.USER, small);
    defaults.assertFound(
        "host.hadoop-conf",
        "warning",
        site + " can't be read",
        "name the directory of the cluster's Hadoop configuration, often /etc/hadoop/conf");
  }

  private static void assumeMounts() {
    assumeTrue(MountNamespace.isPossible(), "only root may mount a file system of its own");
  }

  /** The cluster's hdfs-site.xml, with the placement policy. */
  private static String named(Path conf) throws IOException {
    return Files.readString(conf.resolve("hdfs-site.xml"))
        .replace(
            "</configuration>",
            "<property><name>dfs.block.replicator.classname</name><value>"
                + PLUGIN
                + "</value></property></configuration>");
  }

  /** A Hadoop's home, as far as doctor asks it: its class path is the cluster's own jars and more. */
  private static Path installed(String name, List<String> more) throws IOException {
    Path home = temp.resolve(name);
    String classPath =
        Stream.concat(more.stream(), cluster.line().jars().stream().map(Path::toString))
            .collect(Collectors.joining(":"));
    Path command =
        Files.writeString(
            Files.createDirectories(home.resolve("bin")).resolve("hadoop"),
            "#!/usr/bin/env bash\n[[ $* == 'classpath --glob' ]] && printf '%s' '"
                + classPath
                + "'\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** As an administrator runs it. */
  private static Doctor launched(List<String> prefix, Path config, Path home) throws Exception {
    List<String> before = new ArrayList<>(prefix);
    before.addAll(List.of("env", "HADOOP_HOME=" + home));
    before.addAll(OsUser.ordinaryOwning(config.getParent()));
    Launched run =
        Launched.installedBehind(
            before,
            Files.createDirectories(temp.resolve("runs").resolve(home.getFileName())),
            ServiceProcess.USER,
            List.of("doctor", "--json", "--config", config.toString()));
    return Doctor.of(run.status(), run.out(), run.err());
  }
}
