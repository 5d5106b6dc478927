// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.HostMetrics;
import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code thermocline attributes} on real DataNodes, and a NameNode that chooses by what it wrote.
 */
@Tag("cluster")
class PolledAttributesTest {

  private static final int NODES = 4;
  private static final int FILES = 60;
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path temp;

  @Test
  void theNameNodeChoosesByWhatWasPolled() throws Exception {
    Path attributes = Files.createDirectories(temp.resolve("run")).resolve("node-attributes");
    // All nodes are on this host and have its memory; one is said to have none.
    String byHand = "dn0.test free-memory=0B zone=a\n";
    Path from = Files.writeString(temp.resolve("by-hand"), byHand);
    try (EmbeddedCluster cluster = cluster(attributes)) {
      cluster.start();
      DistributedFileSystem hdfs = cluster.fileSystem();
      writeFiles(hdfs, "/before");
      // The hash gives dn0 a quarter: that it gets none has a chance of 0.75^60, 3 in 10^8.
      assertTrue(onFirstNode(hdfs, "/before") > 0);

      Launched polled = poll(cluster.uri().toString(), attributes, from);
      assertEquals(0, polled.status(), polled::toString);
      assertEquals(List.of(), complaints(polled.err()));
      String text = Files.readString(attributes);
      assertTrue(text.startsWith(byHand), text);
      assertFilled(NodeAttributes.parse(text), text);
      goesOn(cluster, attributes, from);
      Eventually.holds("AttributesLoaded", PolledAttributesTest::isLoaded);
      // Counted as it is read; the lines are made of it in the same refresh, or the next.
      AtomicInteger round = new AtomicInteger();
      Eventually.holds(
          "no file on dn0.test",
          () -> {
            String directory = "/after" + round.incrementAndGet();
            writeFiles(hdfs, directory);
            return onFirstNode(hdfs, directory) == 0;
          });
    }
    // Nobody is there any more: what was polled stays, and that is said.
    String last = Files.readString(attributes);
    Launched alone = poll("hdfs://127.0.0.1:9", attributes, from);
    assertEquals(CommandLines.FAILURE, alone.status(), alone::toString);
    assertTrue(alone.err().contains("hdfs://127.0.0.1:9 can't be reached: "), alone::toString);
    assertEquals(last, Files.readString(attributes));
  }

  /** Again and again, and past a mistake in the hand-written lines while it lasts. */
  private void goesOn(EmbeddedCluster cluster, Path attributes, Path from) throws Exception {
    String byHand = Files.readString(from);
    Path directory = attributes.getParent();
    Path err = Files.createTempFile(temp, "attributes", ".err");
    List<String> words = words(cluster.uri().toString(), attributes, from);
    words.addAll(List.of("--every", "50ms"));
    Process poller =
        Reaper.watch(
            Installation.command(
                    OsUser.ordinaryOwning(directory),
                    Launched.ROOT,
                    directory,
                    System.getProperty("user.name"),
                    words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start());
    try {
      for (int i = 0; i < 3; i++) {
        awaitAnother(attributes, Files.readString(attributes));
      }
      replace(from, byHand + "dn1.test zone=\n");
      String mistake = from + ":2:15: zone: ";
      Eventually.holds("complaint", () -> Files.readString(err).contains(mistake));
      String kept = Files.readString(attributes);
      assertFilled(NodeAttributes.parse(kept), kept);
      replace(from, byHand);
      awaitAnother(attributes, kept);
      Eventually.holds("all is well", () -> Files.readString(err).endsWith("DataNodes answered\n"));
      // Each said once, however often it was tried.
      assertEquals(2, complaints(Files.readString(err)).size(), Files.readString(err));
      poller.destroy();
      assertTrue(poller.waitFor(1, TimeUnit.MINUTES), "it ends");
      assertEquals(143, poller.exitValue());
    } finally {
      Reaper.kill(poller);
    }
  }

  /** What it says without its log. */
  private static List<String> complaints(String err) {
    return err.lines().filter(line -> !line.contains(" INFO ")).toList();
  }

  /** At once: half a line would be another mistake. */
  private static void replace(Path file, String text) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling("fresh"), text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void awaitAnother(Path attributes, String text) {
    Eventually.holds("another text", () -> !Files.readString(attributes).equals(text));
  }

  private static void assertFilled(NodeAttributes read, String text) {
    for (int i = 0; i < NODES; i++) {
      HostMetrics host = read.metrics("dn" + i + ".test");
      long free = host.freeMemory().orElseThrow(() -> new AssertionError(text));
      assertEquals(i == 0, free == 0, text);
      assertTrue(host.cpu().isEmpty() || host.cpu().getAsDouble() <= 1, text);
    }
    assertEquals("a", read.storage("dn0.test", StorageType.DISK, "DS-1").zone());
    assertTrue(
        IntStream.range(0, NODES).anyMatch(i -> read.metrics("dn" + i + ".test").cpu().isPresent()),
        text);
  }

  private EmbeddedCluster cluster(Path attributes) throws IOException {
    List<NodeLayout> nodes =
        IntStream.range(0, NODES)
            .mapToObj(
                i ->
                    new NodeLayout(
                        "dn" + i + ".test", "/rack" + i % 2, Map.of(StorageType.DISK, 64L << 20)))
            .toList();
    Path settings =
        ServiceSetup.site(
            temp.resolve("choice-site.xml"),
            Map.of(
                "thermocline.placement.choice.candidates",
                Integer.toString(NODES),
                "thermocline.placement.choice.policy",
                "memory",
                "thermocline.placement.node-attributes",
                attributes.toString(),
                "thermocline.placement.refresh.ms",
                "100"));
    return EmbeddedCluster.builder(temp.resolve("cluster"))
        .layout(new ClusterLayout(nodes, ClusterLayout.DEMO_BLOCK_SIZE))
        .resource(ServiceSetup.CONF.resolve("hdfs-site.thermocline.xml"))
        .resource(settings)
        .create();
  }

  private Launched poll(String nameNode, Path attributes, Path from)
      throws IOException, InterruptedException {
    Path directory = attributes.getParent();
    return Launched.installedBehind(
        OsUser.ordinaryOwning(directory),
        directory,
        System.getProperty("user.name"),
        words(nameNode, attributes, from));
  }

  private List<String> words(String nameNode, Path attributes, Path from) throws IOException {
    Path hadoop = temp.resolve("hadoop");
    ServiceSetup.site(
        hadoop.resolve("core-site.xml"),
        Map.of(
            CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
            nameNode,
            CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY,
            "0"));
    return new ArrayList<>(
        List.of(
            "attributes",
            "--config",
            hadoop.toString(),
            "--out",
            attributes.toString(),
            "--from",
            from.toString(),
            "--timeout",
            "20s"));
  }

  /** One replica each, by a client that is no DataNode: all of them seem to be on its host. */
  private static void writeFiles(DistributedFileSystem hdfs, String directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      try (OutputStream out =
          hdfs.createFile(new org.apache.hadoop.fs.Path(directory, "f" + i))
              .replication((short) 1)
              .ignoreClientLocality()
              .recursive()
              .build()) {
        out.write(i);
      }
    }
  }

  private static long onFirstNode(DistributedFileSystem hdfs, String directory) throws IOException {
    long found = 0;
    for (int i = 0; i < FILES; i++) {
      found +=
          hdfs
              .getClient()
              .getLocatedFileInfo(directory + "/f" + i, false)
              .getLocatedBlocks()
              .getLocatedBlocks()
              .stream()
              .filter(block -> block.getLocations()[0].getHostName().equals("dn0.test"))
              .count();
    }
    return found;
  }

  /** By a NameNode of this process, of which only one has such a file. */
  private static boolean isLoaded() throws JMException {
    DefaultMetricsSystem.instance().publishMetricsNow();
    boolean loaded = false;
    for (ObjectName bean :
        BEANS.queryNames(
            new ObjectName("Hadoop:service=NameNode,name=ThermoclinePlacement*"), null)) {
      try {
        loaded |= ((Number) BEANS.getAttribute(bean, "AttributesLoaded")).longValue() > 0;
      } catch (AttributeNotFoundException e) {
        // It was asked before its first figures.
        continue;
      }
    }
    return loaded;
  }
}
