// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.metrics2.lib.MetricsTestHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * DataNodes that HDFS itself finds slow: one behind a slow network, one with a slow disk. Both are slowed where Hadoop
 * lets tests slow them, measured and reported by Hadoop alone.
 */
@Tag("cluster")
class SlowReportsTest {

  private static final int NODES = 4;
  private static final int SLOW_PEER = 1;
  private static final int SLOW_DISK = 2;
  private static final Duration BY = Duration.ofMillis(60);

  @TempDir static Path temp;

  @Test
  void nodesThatHdfsReportsAsSlowAreSpared() throws Exception {
    MiniDFSCluster cluster = cluster();
    DataNodeFaultInjector stock = DataNodeFaultInjector.get();
    try (DistributedFileSystem hdfs = cluster.getFileSystem()) {
      cluster.waitActive();
      DataNode peer = cluster.getDataNodes().get(SLOW_PEER);
      DataNode disk = cluster.getDataNodes().get(SLOW_DISK);
      slowNetworkTo(peer);
      slowDiskOf(disk);
      for (DataNode node : cluster.getDataNodes()) {
        // Averages are of five minutes otherwise.
        MetricsTestHelper.replaceRollingAveragesScheduler(
            node.getPeerMetrics().getSendPacketDownstreamRollingAverages(),
            120,
            1,
            TimeUnit.SECONDS);
      }
      HdfsSurroundings reader =
          new HdfsSurroundings(
              hdfs.getClient(),
              () -> DataNodeStates.of(hdfs.getClient(), OperationBudget.unlimited()),
              Set.of(),
              List.of(new JmxPage(URI.create(cluster.getHttpUri(0)), hdfs.getConf())),
              OperationBudget.unlimited(),
              states -> Map.of(),
              HdfsSurroundings.silentAfter(hdfs.getConf()));
      Set<String> both = Set.of(peer.getDatanodeUuid(), disk.getDatanodeUuid());
      int[] files = {0};
      Eventually.holds(
          "both are reported: " + both,
          () -> {
            write(hdfs, "/f" + files[0]++);
            return reader.read().slow().containsAll(both);
          });
      Set<String> busy = new HashSet<>();
      new ClusterWatch(
              reader,
              Windows.always(),
              new Surroundings.Bounds(1_000, 1_000, 1_000, Double.POSITIVE_INFINITY),
              ExecutionControl.running(Clock.systemUTC()),
              spares(busy),
              Clock.systemUTC())
          .look();
      assertEquals(both, busy, "one copy at a time for these");
      assertFalse(busy.contains(cluster.getDataNodes().get(0).getDatanodeUuid()));
    } finally {
      DataNodeFaultInjector.set(stock);
      cluster.shutdown();
    }
  }

  private static BackEnd spares(Set<String> spared) {
    return new BackEnd() {
      @Override
      public void execute(Plan plan, MoveListener listener) {
        throw new AssertionError("a watch begins nothing");
      }

      @Override
      public void giveWay(Set<String> busy, boolean isCongested) {
        spared.addAll(busy);
      }
    };
  }

  private static MiniDFSCluster cluster() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
    conf.set("dfs.datanode.outliers.report.interval", "1s");
    conf.setInt("dfs.datanode.peer.metrics.min.outlier.detection.samples", 3);
    conf.setInt("dfs.datanode.min.outlier.detection.nodes", NODES - 1);
    conf.setInt("dfs.datanode.slowpeer.low.threshold.ms", 20);
    conf.setInt("dfs.datanode.fileio.profiling.sampling.percentage", 100);
    conf.setInt("dfs.datanode.min.outlier.detection.disks", 3);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, temp.resolve("http").toString());
    StorageType[][] types = new StorageType[NODES][];
    Arrays.fill(types, new StorageType[] {StorageType.DISK, StorageType.DISK, StorageType.DISK});
    return new MiniDFSCluster.Builder(conf, temp.resolve("hdfs").toFile())
        .numDataNodes(NODES)
        .storageTypes(types)
        .storagesPerDatanode(3)
        .checkExitOnShutdown(false)
        .build();
  }

  private static void slowNetworkTo(DataNode slow) {
    String address = slow.getDatanodeId().getXferAddr();
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void stopSendingPacketDownstream(String mirror) {
            if (mirror.equals(address)) {
              LockSupport.parkNanos(BY.toNanos());
            }
          }
        });
  }

  /** Of the first of its disks, at each operation that Hadoop measures. */
  private static void slowDiskOf(DataNode node) throws ReflectiveOperationException, IOException {
    String slow;
    try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
      slow = volumes.get(0).getStorageID();
    }
    FaultInjectorFileIoEvents delays =
        new FaultInjectorFileIoEvents(new Configuration()) {
          @Override
          public void beforeFileIo(
              FsVolumeSpi volume, FileIoProvider.OPERATION operation, long length) {
            if (volume != null && volume.getStorageID().equals(slow)) {
              LockSupport.parkNanos(BY.toNanos());
            }
          }
        };
    Field hook = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    hook.setAccessible(true);
    hook.set(node.getFileIoProvider(), delays);
  }

  private static void write(DistributedFileSystem hdfs, String file) throws IOException {
    try (OutputStream out = hdfs.create(new org.apache.hadoop.fs.Path(file))) {
      out.write(new byte[32 * 1024]);
    }
  }
}
