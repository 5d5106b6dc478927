// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs dfsadmin -reconfig} on a NameNode whose hdfs-site.xml is edited, while a client writes. */
@Tag("cluster")
class ReconfigurationOnClusterTest {
  private static final String POLICY_KEY = "dfs.block.replicator.classname";
  private static final String THREAD = "thermocline-placement-lines";

  @TempDir Path directory;

  private MiniDFSCluster cluster;

  @Test
  void policyComesAndGoesWhileAClientWrites() throws Exception {
    site(BlockPlacementPolicyDefault.class.getName());
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    // The threads of the NameNode inherit it, and find hdfs-site.xml by it.
    URL[] path = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
      Configuration conf = new HdfsConfiguration();
      conf.setClassLoader(loader);
      cluster =
          new MiniDFSCluster.Builder(conf, directory.resolve("cluster").toFile())
              .numDataNodes(3)
              .build();
      cluster.waitActive();
      scenario();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
      if (cluster != null) {
        cluster.shutdown(true);
      }
    }
  }

  private void scenario() throws Exception {
    int threads = threads();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread writer = new Thread(() -> write(stop, written, failure), "writer");
    writer.start();
    awaitMore(written, 5);

    reconfigure(ThermoclinePlacementPolicy.class.getName());
    ObjectName bean = bean();
    assertEquals(1, beans(bean));
    awaitPlaced();
    awaitMore(written, 5);

    reconfigure(BlockPlacementPolicyDefault.class.getName());
    awaitMore(written, 5);
    // Nothing tells the old one; it ends when it is collected.
    await(
        () -> {
          System.gc();
          return threads() <= threads && PlacementMetrics.nameFor(topology()) == null;
        },
        "the end of the replaced policy's thread and metrics");
    assertEquals(0, beans(bean));

    reconfigure(ThermoclinePlacementPolicy.class.getName());
    awaitPlaced();
    assertEquals(1, beans(bean()));
    // What a second one of ours in its place adds up to: still one bean, and no failure.
    reconfigure(BlockPlacementPolicyDefault.class.getName());
    reconfigure(ThermoclinePlacementPolicy.class.getName());
    awaitPlaced();
    assertEquals(1, beans(bean()));
    awaitMore(written, 5);

    stop.set(true);
    writer.join();
    assertNull(failure.get());
  }

  private void write(
      AtomicBoolean stop, AtomicInteger written, AtomicReference<Throwable> failure) {
    try {
      FileSystem fs = cluster.getFileSystem();
      while (!stop.get()) {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/files/" + written.get());
        try (OutputStream out = fs.create(file, (short) 2)) {
          out.write(new byte[100]);
        }
        written.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  private static void awaitMore(AtomicInteger written, int more) {
    int wanted = written.get() + more;
    await(() -> written.get() >= wanted, "the client's files");
  }

  /** One replica of two, at least, is drawn from a line as soon as there is one. */
  private void awaitPlaced() {
    await(() -> placed() > 0, "placements");
  }

  private long placed() {
    long[] sum = {0};
    BlockPlacementPolicy policy = policy();
    if (policy instanceof ThermoclinePlacementPolicy) {
      ((ThermoclinePlacementPolicy) policy)
          .counters()
          .forEach((key, sentence, value) -> sum[0] += key.startsWith("PLACED") ? value : 0);
    }
    return sum[0];
  }

  private BlockPlacementPolicy policy() {
    return cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }

  private NetworkTopology topology() {
    return cluster.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology();
  }

  private void reconfigure(String policy) throws Exception {
    site(policy);
    String address = "localhost:" + cluster.getNameNodePort();
    String started = admin("-reconfig", "namenode", address, "start");
    await(
        () -> admin("-reconfig", "namenode", address, "status").contains("finished"),
        "the reconfiguration: " + started);
    String status = admin("-reconfig", "namenode", address, "status");
    assertTrue(status.contains("SUCCESS: Changed property " + POLICY_KEY), status);
    assertEquals(policy, policy().getClass().getName(), status);
  }

  private String admin(String... arguments) {
    PrintStream stdout = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true));
    try {
      ToolRunner.run(new DFSAdmin(cluster.getConfiguration(0)), arguments);
    } catch (Exception e) {
      return e.toString();
    } finally {
      System.setOut(stdout);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private void site(String policy) throws IOException {
    String[] settings = {
      POLICY_KEY,
      policy,
      ThermoclinePlacementPolicy.REFRESH_KEY,
      "50",
      "dfs.client.block.write.locateFollowingBlock.initial.delay.ms",
      "20",
      "dfs.namenode.fs-limits.min-block-size",
      "1024",
    };
    StringBuilder xml = new StringBuilder("<configuration>\n");
    for (int i = 0; i < settings.length; i += 2) {
      xml.append("<property><name>").append(settings[i]).append("</name><value>");
      xml.append(settings[i + 1]).append("</value></property>\n");
    }
    Files.writeString(directory.resolve("hdfs-site.xml"), xml.append("</configuration>\n"));
  }

  /** Of the NameNode's source now; numbered where other tests left theirs in this process. */
  private ObjectName bean() throws JMException {
    // The service's name is that of whatever started last in this process: a DataNode.
    return new ObjectName("Hadoop:service=*,name=" + PlacementMetrics.nameFor(topology()));
  }

  private static int beans(ObjectName pattern) {
    return ManagementFactory.getPlatformMBeanServer().queryNames(pattern, null).size();
  }

  private static int threads() {
    int count = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      count += thread.getName().equals(THREAD) ? 1 : 0;
    }
    return count;
  }
}
