// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.choice.DataNodeProbe;
import io.thermocline.hints.choice.FileCandidates;
import io.thermocline.hints.choice.FileChoices;
import io.thermocline.hints.choice.Pages;
import io.thermocline.hints.choice.Server;
import io.thermocline.hints.choice.ServerTable;
import io.thermocline.placement.choice.Choice;
import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.PublishedPolicy;
import io.thermocline.placement.choice.ServerMetrics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An application that chooses, on a real NameNode and DataNodes: what it chose is where the file is. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChosenFilesOnClusterTest {
  private static final int BLOCK = 1 << 20;
  private static final Path TABLE = new Path("/thermocline/servers");

  private MiniDFSCluster cluster;

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws IOException {
    Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.heartbeat.interval", 1);
    // A node that reports in the midst of a write of ours could be refused as busy.
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};
    String[] hosts = new String[racks.length];
    Arrays.setAll(hosts, i -> "host" + i);
    cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(racks.length)
            .racks(racks)
            .hosts(hosts)
            .build();
    cluster.waitActive();
    cluster.getFileSystem().mkdirs(new Path("/data"));
    cluster
        .getFileSystem()
        .setPermission(new Path("/data"), FsPermission.createImmutable((short) 0777));
    new PublishedTable(cluster.getFileSystem(), TABLE).publish();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  @Test
  void fileIsWhereItWasChosenToBe() throws Exception {
    DistributedFileSystem fs = application("alice");
    ServerTable table = new PublishedTable(fs, TABLE).read();
    FileChoices choices = FileChoices.of(table, 3, 3);
    int second = 0;
    for (int i = 0; i < 12; i++) {
      Path path = new Path("/data/chosen" + i);
      FileCandidates candidates = choices.candidatesFor(path.toUri().getPath());
      assertEquals(3, candidates.sets().size());
      // As if the server of the plain placement's first replica were nearly full.
      Server full = candidates.sets().get(0).get(0);
      Choice choice =
          candidates.choose(
              PublishedPolicy.SPACE,
              (metric, server) -> table.servers().get(server).equals(full) ? .9 : .1);
      List<Server> chosen = candidates.serversOf(choice);
      second += choice.candidate() > 0 ? 1 : 0;
      try (OutputStream out =
          ChosenFiles.create(fs, path, chosen).blockSize(BLOCK).recursive().build()) {
        out.write(new byte[3 * BLOCK - 1]);
      }
      List<Set<String>> locations = reported(path, chosen.size());
      assertEquals(3, locations.size());
      for (Set<String> block : locations) {
        assertEquals(ids(chosen), block, path + ": " + choice);
      }
    }
    // Half of all sets are without that server: none of two is in a quarter of the files.
    assertTrue(second > 0);
  }

  @Test
  void twoClientsHaveTheSameCandidates() throws Exception {
    DistributedFileSystem alice = application("alice");
    DistributedFileSystem bob = application("bob");
    assertNotEquals(System.identityHashCode(alice), System.identityHashCode(bob));
    FileChoices ofAlice = FileChoices.of(new PublishedTable(alice, TABLE).read(), 2, 3);
    FileChoices ofBob = FileChoices.of(new PublishedTable(bob, TABLE).read(), 2, 3);
    for (int i = 0; i < 500; i++) {
      assertEquals(
          ofAlice.candidatesFor("/data/f" + i).sets(), ofBob.candidatesFor("/data/f" + i).sets());
    }
  }

  @Test
  void dataNodesSayHowTheyAreWithoutARightInHdfs() throws Exception {
    DistributedFileSystem fs = application("alice");
    ServerTable table = new PublishedTable(fs, TABLE).read();
    List<String> failures = new ArrayList<>();
    DataNodeProbe probe =
        new DataNodeProbe(Pages.overHttp(60_000), (server, e) -> failures.add(server + ": " + e));
    ServerMetrics metrics = probe.ask(table, table.servers());
    assertEquals(List.of(), failures);
    for (int number = 0; number < table.servers().size(); number++) {
      Server server = table.servers().get(number);
      assertTrue(metrics.value(Metric.MEMORY_FREE, number) > 1 << 20, server.toString());
      double used = metrics.value(Metric.DISK_USED, number);
      assertTrue(used >= 0 && used <= 1, server + ": " + used);
      assertEquals(
          server.capacityBytes(),
          metrics.value(Metric.DISK_CAPACITY, number),
          .01 * server.capacityBytes());
    }
    FileCandidates candidates = FileChoices.of(table, 2, 3).candidatesFor("/data/probed");
    Choice choice = candidates.choose(PublishedPolicy.MEMORY, metrics);
    assertTrue(choice.toString().contains("memory.free (bytes)"), choice.toString());
    assertTrue(!Double.isNaN(choice.score(0)) && !Double.isNaN(choice.score(1)));
  }

  @Test
  void tableKeepsItsOrderWhenANodeStops() throws Exception {
    DistributedFileSystem admin = cluster.getFileSystem();
    PublishedTable published = new PublishedTable(admin, new Path("/thermocline/other"));
    assertThrows(FileNotFoundException.class, published::read);
    ServerTable first = published.publish();
    assertEquals(6, first.servers().size());
    assertEquals(first.text(), published.publish().text());
    assertEquals(first.text(), published.read().text());
    // As a publisher sees it while a node is down.
    List<Server> without = first.servers().stream().skip(1).collect(Collectors.toList());
    ServerTable fewer = first.with(without);
    assertEquals(first.text(), fewer.with(ChosenFiles.servers(admin)).text());
    // Only a superuser may ask for the report that a table is made of.
    DistributedFileSystem alice = application("alice");
    assertThrows(AccessControlException.class, () -> ChosenFiles.servers(alice));
  }

  @Test
  void whatIsNoTableSaysWhereItStands() throws Exception {
    DistributedFileSystem admin = cluster.getFileSystem();
    Path path = new Path("/thermocline/broken");
    try (OutputStream out = admin.create(path)) {
      out.write("hello\n".getBytes());
    }
    IOException e = assertThrows(IOException.class, () -> new PublishedTable(admin, path).read());
    assertTrue(
        e.getMessage().startsWith("/thermocline/broken: server table, line 1"), e.toString());
  }

  /** A client of its own, with its own connection, as a user without rights. */
  private DistributedFileSystem application(String user) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () ->
                    (DistributedFileSystem)
                        FileSystem.newInstance(cluster.getURI(), cluster.getConfiguration(0)));
  }

  /** A file is complete when one replica of each block is reported; the others follow. */
  private List<Set<String>> reported(Path path, int replicas) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    List<Set<String>> locations = locations(path);
    while (!locations.stream().allMatch(block -> block.size() == replicas)) {
      assertTrue(System.nanoTime() < deadline, path + " has " + locations);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      locations = locations(path);
    }
    return locations;
  }

  private List<Set<String>> locations(Path path) throws IOException {
    List<Set<String>> blocks = new ArrayList<>();
    for (LocatedBlock block :
        cluster
            .getFileSystem()
            .getClient()
            .getLocatedBlocks(path.toUri().getPath(), 0)
            .getLocatedBlocks()) {
      Set<String> ids = new TreeSet<>();
      for (DatanodeInfo node : block.getLocations()) {
        ids.add(node.getDatanodeUuid());
      }
      blocks.add(ids);
    }
    return blocks;
  }

  private static Set<String> ids(List<Server> servers) {
    return servers.stream().map(Server::id).collect(Collectors.toCollection(TreeSet::new));
  }
}
