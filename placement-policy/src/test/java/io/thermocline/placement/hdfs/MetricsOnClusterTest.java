// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real NameNode tells of the policy, by each of its three ways, and how it follows its files. */
@Tag("cluster")
class MetricsOnClusterTest {
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @TempDir static Path directory;
  private static MiniCluster cluster;
  private static Path attributes;
  private static Path tables;

  @BeforeAll
  static void start() throws IOException {
    attributes = directory.resolve("node-attributes");
    // Not below what is deleted after the test: the policy lives until it is collected.
    tables = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tables");
    Files.writeString(attributes, "host0 SSD tbw=1TB written=2TB\n");
    Map<String, String> settings = new HashMap<>();
    settings.put("hadoop.prometheus.endpoint.enabled", "true");
    settings.put(PolicySettings.ATTRIBUTES_KEY, attributes.toString());
    settings.put(PolicySettings.TABLE_DIR_KEY, tables.toString());
    settings.put(PolicySettings.SETTLE_KEY, "500");
    StorageType[] both = {StorageType.DISK, StorageType.SSD};
    cluster =
        new MiniCluster(
            directory.resolve("cluster"),
            ThermoclinePlacementPolicy.class,
            new String[] {"/r1", "/r1", "/r2"},
            new StorageType[][] {both, both, both},
            settings);
    cluster.awaitLine(StorageType.DISK);
    cluster.awaitLine(StorageType.SSD);
    for (int file = 0; file < 10; file++) {
      cluster.write("file" + file, "HOT", 3);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void countersAreInTheBeanServer() throws Exception {
    long builds = cluster.policy().counters().get(Event.SNAPSHOT_BUILT);
    assertTrue(builds > 0);
    awaitAttribute("SnapshotBuilt", builds);
    Map<String, Long> told = new HashMap<>();
    cluster.policy().counters().forEach((key, sentence, value) -> told.put(key, value));
    assertTrue(told.size() >= Event.values().length);
    assertEquals(0L, ((Number) attribute("PlacementFailed")).longValue());
    assertEquals(0L, ((Number) attribute("RefreshFailed")).longValue());
  }

  @Test
  void tablesAndTheirFingerprintsAreTold() throws Exception {
    await(() -> Files.exists(tables.resolve("SSD.segments")), "the tables in their files");
    awaitAttribute("TableSsdStorages", 3);
    awaitAttribute("TableDiskStorages", 3);
    awaitAttribute("TableSsdWornOut", 1);
    assertTrue(((Number) attribute("TableDiskFingerprint")).longValue() > 0);
    assertTrue(((Number) attribute("TableDiskOperations")).longValue() > 0);
  }

  @Test
  void badAttributesFileIsToldAndTheLastGoodOneStays() throws Exception {
    String good = Files.readString(attributes);
    awaitAttribute("AttributesBad", 0);
    Files.writeString(attributes, "class SSD sata <\n");
    awaitAttribute("AttributesBad", 1);
    assertEquals(1L, ((Number) attribute("AttributesRejected")).longValue());
    assertEquals(1L, ((Number) attribute("TableSsdWornOut")).longValue());
    Files.writeString(attributes, good);
    awaitAttribute("AttributesBad", 0);
  }

  @Test
  void theNameNodesWebPagesHaveThem() throws Exception {
    await(() -> page("/prom").contains("thermocline_placement_snapshot_built{"), "/prom");
    String prom = page("/prom");
    assertTrue(prom.contains("thermocline_placement_table_disk_fingerprint{"), prom);
    assertTrue(prom.contains("# TYPE thermocline_placement_placement_failed counter"), prom);
    String name = bean().getCanonicalName();
    String jmx = page("/jmx?qry=" + bean().getDomain() + ":service=NameNode,name=" + name());
    assertTrue(jmx.contains("\"SnapshotBuilt\" : "), name + ": " + jmx);
    assertTrue(jmx.contains("\"TableDiskFingerprint\" : "), jmx);
  }

  private static NetworkTopology topology() {
    return cluster
        .dfs()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getNetworkTopology();
  }

  private static String name() {
    return PlacementMetrics.nameFor(topology());
  }

  private static ObjectName bean() throws JMException {
    return new ObjectName("Hadoop:service=NameNode,name=" + name());
  }

  private static Object attribute(String name) throws JMException {
    return BEANS.getAttribute(bean(), name);
  }

  /** The metrics system keeps what beans show for ten seconds, unless it publishes. */
  private static void awaitAttribute(String name, long value) {
    await(
        () -> {
          DefaultMetricsSystem.instance().publishMetricsNow();
          try {
            return ((Number) attribute(name)).longValue() >= value
                && (value > 0 || ((Number) attribute(name)).longValue() == 0);
          } catch (JMException e) {
            return false;
          }
        },
        name + " = " + value);
  }

  private static String page(String path) {
    try (InputStream in =
        new URL("http://localhost:" + cluster.dfs().getNameNode().getHttpAddress().getPort() + path)
            .openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
