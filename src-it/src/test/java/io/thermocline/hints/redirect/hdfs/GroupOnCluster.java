// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with one group of small files, whose group file is on the first DataNode. */
abstract class GroupOnCluster {

  static final Path GROUPS = new Path("/system/thermocline/groups");
  static final Path TABLE = new Path(GROUPS, RedirectTable.FILE_NAME);
  static final int FILES = 6;
  static final int BYTES = 20_000;
  static final long MUCH = 1 << 20;
  static final int BLOCK = 16_384;

  @TempDir private static java.nio.file.Path temp;
  static MiniDFSCluster cluster;
  static DistributedFileSystem fs;

  final GroupMemory memory = new GroupMemory();
  final AtomicLong clock = new AtomicLong();

  /** For which no read takes any time, unless a test says so. */
  final NodeLoads loads = new NodeLoads(this::nanos);

  GroupFile group;

  long nanos() {
    return clock.get();
  }

  /** What the NameNode was asked of paths, in order. */
  public static final class Asked implements AuditLogger {
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    @Override
    public void initialize(Configuration conf) {}

    @Override
    public void logAuditEvent(
        boolean isAllowed,
        String user,
        InetAddress address,
        String command,
        String path,
        String target,
        FileStatus file) {
      CALLS.add(command + " " + path);
    }

    /** Those of one path since the last time that this was asked. */
    static List<String> takeOf(Path path) {
      List<String> found = CALLS.stream().filter(call -> call.endsWith(" " + path)).toList();
      CALLS.clear();
      return found;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK);
    // Who reads a block that no DataNode has asks again so soon.
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.set("dfs.namenode.audit.loggers", Asked.class.getName());
    cluster = new MiniDFSCluster.Builder(conf, temp.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  void group() throws IOException {
    for (int i = 0; i < FILES; i++) {
      write(i, BYTES);
    }
    GroupStore store = GroupStore.of(fs, GROUPS);
    store.prepare();
    List<String> paths = IntStream.range(0, FILES).mapToObj(i -> file(i).toString()).toList();
    group =
        new GroupWriter(store, MUCH)
            .write(
                store.newId(),
                paths,
                new GroupWriter.Wish(
                    List.of(cluster.getDataNodes().get(0).getXferAddress()),
                    null,
                    "local",
                    "random_small"))
            .orElseThrow();
    store.publish(List.of(group));
  }

  @AfterEach
  void remove() throws IOException {
    GroupStore.of(fs, GROUPS).removeAll();
  }

  static Path file(int i) {
    return new Path("/data/f" + i);
  }

  static byte[] content(int i, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(i).nextBytes(content);
    return content;
  }

  static void write(int i, int bytes) throws IOException {
    InetSocketAddress[] notAtTheGroup = {
      cluster.getDataNodes().get(1).getXferAddress(), cluster.getDataNodes().get(2).getXferAddress()
    };
    FsPermission forAll = new FsPermission((short) 0644);
    try (OutputStream out =
        fs.create(file(i), forAll, true, 4096, (short) 2, 1 << 27, null, notAtTheGroup)) {
      out.write(content(i, bytes));
    }
  }

  GroupReads reads(long ahead, long inMemory) {
    GroupReads.Limits limits = new GroupReads.Limits(60_000, ahead, inMemory);
    return new GroupReads(
        fs.getClient(),
        new CachedRedirectTable(TABLE, limits, System::nanoTime, 120_000),
        limits,
        memory,
        loads);
  }

  static void isRead(GroupReads reads, int i) throws IOException {
    isRead(reads, i, BYTES);
  }

  static void isRead(GroupReads reads, int i, int bytes) throws IOException {
    try (FSDataInputStream in = reads.open(fs.open(file(i)))) {
      assertArrayEquals(content(i, bytes), in.readAllBytes());
    }
  }
}
