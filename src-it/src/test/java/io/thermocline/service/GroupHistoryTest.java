// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.service.PathHistory.Read;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.act.groups.MemberName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever several writers do to files at the same time, while groups of them are made, mended
 * and removed: each read, by HDFS alone and through groups, shows what was there at some instant
 * of it.
 */
@Tag("cluster")
class GroupHistoryTest {

  /** More on demand: -Dgroups.operations=1000; other ones: -Dgroups.seed=7. */
  private static final int OPERATIONS = Integer.getInteger("groups.operations", 40);

  private static final long SEED = Long.getLong("groups.seed", Long.getLong("test.seed", 20261122));
  private static final int WRITERS = 3;
  private static final int READERS = 3;

  /** Between two changes by one writer: else groups are never made in peace. */
  private static final int READS_BETWEEN = 20;

  private static final int BLOCK_BYTES = 1024;

  private static final Path GROUPS = new Path("/system/thermocline/groups");
  private static final GroupWriter.Wish ANYWHERE =
      new GroupWriter.Wish(List.of(), null, "local", "random_small");

  /** Looks at the table each time. */
  private static final GroupReads.Limits ALWAYS = new GroupReads.Limits(0, 1 << 20, 8 << 20);

  @TempDir private static java.nio.file.Path temp;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static GroupStore store;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.namenode.acls.enabled", true);
    // Most files have several blocks, of which some are in groups.
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK_BYTES);
    // Truncated blocks are recovered with a heartbeat.
    conf.setInt("dfs.heartbeat.interval", 1);
    cluster = new MiniDFSCluster.Builder(conf, temp.toFile()).numDataNodes(2).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    store = GroupStore.of(fs, GROUPS);
    store.prepare();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @Test
  void readersSeeWhatHdfsAloneWouldShow() throws Exception {
    ChangingFiles files = new ChangingFiles(fs, "/changing");
    SplittableRandom random = new SplittableRandom(SEED);
    files.create(random.split());
    AtomicInteger left = new AtomicInteger(OPERATIONS);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong done = new AtomicLong();
    Set<ChangingFiles.Change> missing = ConcurrentHashMap.newKeySet();
    missing.addAll(List.of(ChangingFiles.Change.values()));
    List<Map<ChangingFiles.Change, Integer>> changes = new ArrayList<>();
    List<Read> reads = new ArrayList<>();
    long redirected = 0;
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Map<ChangingFiles.Change, Integer>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom own = random.split();
        writers.add(threads.submit(() -> write(files, own, left, done, missing)));
      }
      Future<Integer> grouping = threads.submit(() -> group(files, isOver));
      List<Future<List<Read>>> readers = new ArrayList<>();
      List<Readers> clients = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Readers client = new Readers(as("bob"));
        clients.add(client);
        SplittableRandom own = random.split();
        readers.add(threads.submit(() -> client.read(files, own, isOver, done)));
      }
      for (Future<Map<ChangingFiles.Change, Integer>> writer : writers) {
        changes.add(writer.get());
      }
      isOver.set(true);
      int made = grouping.get();
      assertTrue(made > 5, made + " groups made while files changed");
      for (Future<List<Read>> reader : readers) {
        reads.addAll(reader.get());
      }
      for (Readers client : clients) {
        redirected += client.reads.redirected();
        // Nothing changes any more: what is there now, for all paths.
        files.paths().forEach(path -> reads.add(client.grouped(files.history(), path, false)));
        client.close();
      }
    } finally {
      isOver.set(true);
      threads.shutdownNow();
    }
    Map<ChangingFiles.Change, Integer> all = new EnumMap<>(ChangingFiles.Change.class);
    changes.forEach(
        each -> each.forEach((change, times) -> all.merge(change, times, Integer::sum)));
    System.out.printf(
        "seed %d: %d reads, %d redirected, %s%n", SEED, reads.size(), redirected, all);
    List<String> objections =
        reads.stream().map(files.history()::objection).filter(each -> each != null).toList();
    assertEquals(List.of(), objections, "seed " + SEED);
    assertEquals(ChangingFiles.Change.values().length, all.size(), "each change was made: " + all);
    assertTrue(redirected > 10, "redirected " + redirected);
    assertTrue(reads.stream().anyMatch(read -> read.failure() != null), "some were refused");
  }

  /**
   * A table that says of new bytes that the old ones are a copy of them: as if nobody looked
   * whether they still are.
   */
  @Test
  void aStaleCopyWouldBeSeen() throws Exception {
    ChangingFiles files = new ChangingFiles(fs, "/stale");
    SplittableRandom random = new SplittableRandom(SEED);
    files.create(random);
    GroupFile group = make(files).get(0);
    GroupFile.Member old = group.members().get(0);
    String path = pathOf(files, old.inode());
    files.overwrite(path, (int) old.length(), random);
    LocatedBlock now =
        fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().getLocatedBlocks().get(0);
    List<GroupFile.Member> members = new ArrayList<>(group.members());
    members.set(
        0,
        new GroupFile.Member(
            old.inode(),
            now.getBlock().getBlockId(),
            now.getBlock().getGenerationStamp(),
            old.length(),
            old.offset(),
            old.checksum()));
    store.publish(
        List.of(
            new GroupFile(
                group.id(),
                group.path(),
                group.length(),
                group.pattern(),
                group.sequence(),
                members)));
    try (Readers readers = new Readers(as("bob"))) {
      Read read = readers.grouped(files.history(), path, false);
      assertEquals(1, readers.reads.redirected());
      assertNotNull(files.history().objection(read), "old bytes, after the change was done");
    }
  }

  private static String pathOf(ChangingFiles files, long inode) throws IOException {
    for (String path : files.paths()) {
      if (fs.getClient().getFileInfo(path).getFileId() == inode) {
        return path;
      }
    }
    throw new IOException("no path of inode " + inode);
  }

  private static Map<ChangingFiles.Change, Integer> write(
      ChangingFiles files,
      SplittableRandom random,
      AtomicInteger left,
      AtomicLong reads,
      Set<ChangingFiles.Change> missing)
      throws IOException {
    Map<ChangingFiles.Change, Integer> done = new EnumMap<>(ChangingFiles.Change.class);
    // What comes of a random change depends on the others: for the rarest more may be needed.
    while (left.decrementAndGet() >= 0 || left.get() > -9 * OPERATIONS && !missing.isEmpty()) {
      ChangingFiles.Change change = files.change(random);
      missing.remove(change);
      done.merge(change, 1, Integer::sum);
      long then = reads.get();
      Eventually.holds("reads between two changes", () -> reads.get() >= then + READS_BETWEEN);
    }
    return done;
  }

  private static List<GroupFile> make(ChangingFiles files) throws IOException {
    GroupWriter writer = new GroupWriter(store, 64 << 10);
    List<GroupFile> groups = new ArrayList<>();
    for (GroupWriter.Part part : writer.parts(members(files))) {
      writer.write(store.newId(), part.paths(), ANYWHERE).ifPresent(groups::add);
    }
    store.publish(groups);
    return groups;
  }

  /** Of files of one block all, of others every other block. */
  private static List<String> members(ChangingFiles files) throws IOException {
    List<String> members = new ArrayList<>();
    for (String path : files.paths()) {
      HdfsLocatedFileStatus file = fs.getClient().getLocatedFileInfo(path, false);
      if (file == null || file.isDirectory()) {
        continue;
      }
      List<LocatedBlock> blocks = file.getLocatedBlocks().getLocatedBlocks();
      if (blocks.size() < 2) {
        members.add(path);
      }
      for (int i = 1; i < blocks.size(); i += 2) {
        members.add(new MemberName(path, blocks.get(i).getBlock().getBlockId()).toString());
      }
    }
    return members;
  }

  /** Makes groups, has them checked, and removes them; how many were made. */
  private static int group(ChangingFiles files, AtomicBoolean isOver) throws IOException {
    int made = 0;
    for (int i = 0; !isOver.get(); i++) {
      try {
        if (i % 4 == 3) {
          new GroupCheck(store).check(true);
        } else {
          made += make(files).size();
        }
      } catch (IOException e) {
        // As a service would: what changed in the midst of it is left to the next look.
        new GroupCheck(store).check(true);
      }
    }
    return made;
  }

  private static DistributedFileSystem as(String user) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (java.security.PrivilegedExceptionAction<DistributedFileSystem>)
                () ->
                    (DistributedFileSystem)
                        org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), fs.getConf()));
  }

  /** One client's reads, each by HDFS alone and through groups. */
  private static final class Readers implements AutoCloseable {
    private final DistributedFileSystem of;
    private final GroupReads reads;

    Readers(DistributedFileSystem of) {
      this.of = of;
      this.reads = new GroupReads(of.getClient(), GROUPS, ALWAYS, System::nanoTime);
    }

    List<Read> read(
        ChangingFiles files, SplittableRandom random, AtomicBoolean isOver, AtomicLong done) {
      List<Read> all = new ArrayList<>();
      while (!isOver.get()) {
        String path = files.paths().get(random.nextInt(files.paths().size()));
        boolean slow = random.nextInt(4) == 0;
        all.add(alone(files.history(), path, slow));
        all.add(grouped(files.history(), path, slow));
        done.addAndGet(2);
      }
      return all;
    }

    Read alone(PathHistory history, String path, boolean slow) {
      return read(history, path, slow, file -> of.open(file));
    }

    Read grouped(PathHistory history, String path, boolean slow) {
      return read(history, path, slow, file -> reads.open(of.open(file)));
    }

    private interface Opening {
      FSDataInputStream open(Path path) throws IOException;
    }

    private static Read read(PathHistory history, String path, boolean slow, Opening opening) {
      long from = history.tick();
      try (FSDataInputStream in = opening.open(new Path(path))) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int first = in.read();
        if (first >= 0) {
          bytes.write(first);
          long then = history.last();
          for (int i = 0; slow && i < 100_000 && history.last() < then + 10; i++) {
            Thread.yield();
          }
          bytes.write(in.readAllBytes());
        }
        return new Read(path, bytes.toByteArray(), null, from, history.tick());
      } catch (IOException e) {
        return new Read(path, null, e, from, history.tick());
      }
    }

    @Override
    public void close() throws IOException {
      reads.close();
      of.close();
    }
  }
}
