// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Group files on a cluster: readers see what HDFS alone would show, whatever happens to the originals. */
@Tag("cluster")
class GroupReadsTest {

  private static final int FILES = 6;

  private static final long SEED = Long.getLong("groups.seed", Long.getLong("test.seed", 20261122));

  private static final Path GROUPS = new Path("/system/thermocline/groups");
  private static final GroupWriter.Wish ANYWHERE =
      new GroupWriter.Wish(List.of(), null, "local", "random_small");

  /** Looks at the table each time. */
  private static final GroupReads.Limits ALWAYS = new GroupReads.Limits(0, 1 << 20, 8 << 20);

  @TempDir private static java.nio.file.Path temp;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  private final GroupStore store = GroupStore.of(fs, GROUPS);
  private final GroupWriter writer = new GroupWriter(store, 64 << 10);
  private final SplittableRandom random = new SplittableRandom(SEED);

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.namenode.acls.enabled", true);
    cluster =
        new MiniDFSCluster.Builder(conf, temp.toFile())
            .numDataNodes(2)
            .storageTypes(
                new org.apache.hadoop.fs.StorageType[] {
                  org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.SSD
                })
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  void empty() throws IOException {
    fs.delete(new Path("/data"), true);
    store.prepare();
    store.removeAll();
  }

  private static Path file(int i) {
    return new Path("/data/f" + i);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void write(Path path, byte[] content) throws IOException {
    try (OutputStream out = fs.create(path, true)) {
      out.write(content);
    }
  }

  private List<byte[]> writeFiles() throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      contents.add(bytes(1 + random.nextInt(20_000)));
      write(file(i), contents.get(i));
      fs.setReplication(file(i), (short) 1);
      fs.setPermission(file(i), new FsPermission((short) 0644));
    }
    return contents;
  }

  private static List<String> paths() {
    return IntStream.range(0, FILES).mapToObj(i -> file(i).toString()).toList();
  }

  /** Whoever watches a plan hears of it while a group file is written. */
  @Test
  void tellsOfEachOriginalAndEachPieceThatItCopies() throws IOException {
    writeFiles();
    GroupWriter.Part part = writer.parts(paths()).get(0);
    AtomicInteger steps = new AtomicInteger();
    assertTrue(
        writer
            .write(store.newId(), part.paths(), part.inodes(), ANYWHERE, steps::incrementAndGet)
            .isPresent());
    assertEquals(2 * part.paths().size(), steps.get(), "each has one piece");
  }

  /** All there is to group, into groups. */
  private void group() throws IOException {
    List<GroupFile> groups = new ArrayList<>();
    for (GroupWriter.Part part : writer.parts(paths())) {
      writer.write(store.newId(), part.paths(), ANYWHERE).ifPresent(groups::add);
    }
    store.publish(groups);
  }

  private static GroupReads reads(DistributedFileSystem of) {
    return new GroupReads(of.getClient(), GROUPS, ALWAYS, System::nanoTime);
  }

  private static byte[] read(GroupReads reads, DistributedFileSystem of, Path path)
      throws IOException {
    try (FSDataInputStream in = reads.open(of.open(path))) {
      return in.readAllBytes();
    }
  }

  private static byte[] readAlone(DistributedFileSystem of, Path path) throws IOException {
    try (FSDataInputStream in = of.open(path)) {
      return in.readAllBytes();
    }
  }

  private static DistributedFileSystem as(String user) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (java.security.PrivilegedExceptionAction<DistributedFileSystem>)
                () ->
                    (DistributedFileSystem)
                        org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), fs.getConf()));
  }

  @Test
  void aGroupIsReadInsteadOfItsOriginals() throws Exception {
    List<byte[]> contents = writeFiles();
    group();
    try (GroupReads reads = reads(fs)) {
      for (int i = 0; i < FILES; i++) {
        assertArrayEquals(contents.get(i), read(reads, fs, file(i)));
      }
      assertEquals(FILES, reads.redirected());
      assertEquals(0, reads.fallbacks());
      fs.rename(file(0), new Path("/data/elsewhere"));
      assertArrayEquals(contents.get(0), read(reads, fs, new Path("/data/elsewhere")));
      assertEquals(FILES + 1, reads.redirected(), "a renamed file is what it was");

      fs.delete(new Path(GROUPS, RedirectTable.FILE_NAME), false);
      Eventually.holds(
          "nobody is led anywhere where there is no table",
          () -> {
            long before = reads.redirected();
            assertArrayEquals(contents.get(2), read(reads, fs, file(2)));
            return reads.redirected() == before;
          });
    }
  }

  @Test
  void applicationsThatKnowNothingReadThroughGroups() throws Exception {
    List<byte[]> contents = writeFiles();
    group();
    Configuration conf = new Configuration(fs.getConf());
    conf.set("fs.hdfs.impl", HintingFileSystem.class.getName());
    conf.set("thermocline.hints.groups", GROUPS.toString());
    try (HintingFileSystem hinting =
        (HintingFileSystem) org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), conf)) {
      for (int i = 0; i < FILES; i++) {
        assertArrayEquals(contents.get(i), readAlone(hinting, file(i)));
      }
      assertEquals(FILES, hinting.groupReads());
    }
  }

  @Test
  void mapReduceReadsThroughGroups() throws Exception {
    assertEquals("cold\t1\nhot\t1\nwarm\t3\n", words("mapreduce", "WordsJob"));
  }

  @Test
  void sparkReadsThroughGroups() throws Exception {
    assumeTrue(
        System.getProperty("jobs", "").contains("spark"),
        "-Djobs=spark fetches what it runs with, and runs it");
    assertEquals("cold\t1\nhot\t1\nwarm\t3\n", words("spark", "SparkWordsJob"));
  }

  /** What a job counts in files whose own bytes no DataNode has any more: only their group has. */
  private static String words(String framework, String source) throws Exception {
    PublishedJob job;
    try {
      job = PublishedJob.resolve(framework, VersionInfo.getVersion());
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return "";
    }
    Path input = new Path("/data/" + framework);
    List<Path> files = List.of(new Path(input, "a"), new Path(input, "b"));
    write(files.get(0), "warm cold warm\n".getBytes(StandardCharsets.UTF_8));
    write(files.get(1), "hot warm\n".getBytes(StandardCharsets.UTF_8));
    fs.setPermission(new Path("/data"), new FsPermission((short) 0777));
    fs.setPermission(input, new FsPermission((short) 0777));
    GroupStore store = GroupStore.of(fs, GROUPS);
    GroupWriter writer = new GroupWriter(store, 64 << 10);
    List<String> paths = files.stream().map(file -> file.toUri().getPath()).toList();
    store.publish(List.of(writer.write(store.newId(), paths, ANYWHERE).orElseThrow()));
    for (Path file : files) {
      cluster.corruptBlockOnDataNodesByDeletingBlockFile(DFSTestUtil.getFirstBlock(fs, file));
    }
    Map<String, String> site =
        Map.of(
            "fs.defaultFS",
            fs.getUri().toString(),
            "fs.hdfs.impl",
            HintingFileSystem.class.getName(),
            "thermocline.hints.groups",
            GROUPS.toString());
    Path output = new Path(input + "-out");
    job.run(
        source,
        java.nio.file.Files.createDirectories(temp.resolve("job-" + framework)),
        site,
        input.toString(),
        output.toString());
    StringBuilder said = new StringBuilder();
    for (FileStatus part : fs.globStatus(new Path(output, "part-*"))) {
      said.append(new String(readAlone(fs, part.getPath()), StandardCharsets.UTF_8));
    }
    return said.toString();
  }

  @Test
  void streamsReadAndSeekAsThoseOfHdfs() throws Exception {
    byte[] content = writeFiles().get(1);
    group();
    for (int limit : new int[] {0, 1 << 20}) {
      try (GroupReads reads =
          new GroupReads(
              fs.getClient(), GROUPS, new GroupReads.Limits(0, limit, 8 << 20), System::nanoTime)) {
        FSDataInputStream in = reads.open(fs.open(file(1)));
        byte[] part = new byte[content.length / 2];
        in.readFully(3, part, 0, part.length - 3);
        assertEquals(0, in.getPos(), "a positioned read leaves the position");
        in.seek(content.length / 3);
        int length = in.read(java.nio.ByteBuffer.wrap(part));
        assertArrayEquals(
            Arrays.copyOfRange(content, content.length / 3, content.length / 3 + length),
            Arrays.copyOf(part, length));
        in.seek(content.length);
        assertEquals(-1, in.read());
        assertThrows(java.io.EOFException.class, () -> in.seek(content.length + 1L));
        assertEquals(1, reads.redirected());
        in.close();
        assertThrows(IOException.class, in::read);
        assertThrows(IOException.class, () -> in.readFully(0, new byte[1]), "of memory neither");
      }
    }
  }

  @Test
  void whoOpensWhileTheFirstTableIsReadGetsACopyToo() throws Exception {
    writeFiles();
    group();
    int tasks = 8;
    ExecutorService threads = Executors.newFixedThreadPool(tasks);
    try (GroupReads reads =
        new GroupReads(fs.getClient(), GROUPS, GroupReads.Limits.defaults(), System::nanoTime)) {
      CyclicBarrier together = new CyclicBarrier(tasks);
      List<Future<byte[]>> opens = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        FSDataInputStream original = fs.open(file(0));
        opens.add(
            threads.submit(
                () -> {
                  together.await();
                  try (FSDataInputStream in = reads.open(original)) {
                    return in.readAllBytes();
                  }
                }));
      }
      for (Future<byte[]> open : opens) {
        assertArrayEquals(readAlone(fs, file(0)), open.get());
      }
      assertEquals(tasks, reads.redirected());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatIsInMemoryIsNotTakenForAGroupMadeLater() throws Exception {
    writeFiles();
    group();
    try (GroupReads reads = reads(fs)) {
      read(reads, fs, file(0));
      List<byte[]> later = writeFiles();
      store.removeAll();
      group();
      Eventually.holds(
          "the new table is seen",
          () -> {
            assertArrayEquals(later.get(0), read(reads, fs, file(0)));
            return reads.redirected() == 2;
          });
      for (int i = 1; i < FILES; i++) {
        assertArrayEquals(later.get(i), read(reads, fs, file(i)));
      }
      assertEquals(1 + FILES, reads.redirected());
    }
  }

  @Test
  void anotherContentOfTheSameLengthAndTimeIsSeen() throws Exception {
    List<byte[]> contents = writeFiles();
    group();
    long time = fs.getFileStatus(file(2)).getModificationTime();
    int length = contents.get(2).length;
    fs.truncate(file(2), length / 2);
    Eventually.holds("truncated", () -> fs.isFileClosed(file(2)));
    byte[] end = bytes(length - length / 2);
    try (OutputStream out = fs.append(file(2))) {
      out.write(end);
    }
    fs.setTimes(file(2), time, -1);
    byte[] expected = Arrays.copyOf(contents.get(2), length);
    System.arraycopy(end, 0, expected, length / 2, end.length);
    try (GroupReads reads = reads(fs)) {
      assertArrayEquals(expected, read(reads, fs, file(2)));
      assertEquals(0, reads.redirected());
    }
  }

  /** Of a block that was appended to, a snapshot has what was there before, under the new stamp. */
  @Test
  void aSnapshotShowsWhatWasThereToThoseWhoMightReadIt() throws Exception {
    List<byte[]> contents = writeFiles();
    Path data = new Path("/data");
    fs.allowSnapshot(data);
    fs.createSnapshot(data, "then");
    try (OutputStream out = fs.append(file(0))) {
      out.write(bytes(100));
    }
    fs.setPermission(file(1), new FsPermission((short) 0600));
    fs.setPermission(file(2), new FsPermission((short) 0600));
    group();
    try (DistributedFileSystem bob = as("bob");
        GroupReads reads = reads(bob)) {
      byte[] longer = read(reads, bob, file(0));
      assertEquals(contents.get(0).length + 100, longer.length);
      assertEquals(1, reads.redirected());
      assertArrayEquals(contents.get(0), read(reads, bob, new Path(data, ".snapshot/then/f0")));
      assertEquals(1, reads.redirected(), "a shorter one is no copy");
      assertArrayEquals(contents.get(3), read(reads, bob, new Path(data, ".snapshot/then/f3")));
      assertEquals(2, reads.redirected());
      assertThrows(AccessControlException.class, () -> read(reads, bob, file(1)));
      assertArrayEquals(contents.get(1), read(reads, bob, new Path(data, ".snapshot/then/f1")));
      assertEquals(1, reads.fallbacks(), "its copy is for those who may read it now");
    } finally {
      fs.deleteSnapshot(data, "then");
      fs.disallowSnapshot(data);
    }
  }

  @Test
  void aGroupFileThatIsGoneOrWrongSendsReadersToTheOriginal() throws Exception {
    List<byte[]> contents = writeFiles();
    group();
    GroupFile group = store.table().groups().get(0);
    byte[] other = readAlone(fs, new Path(group.path()));
    other[10]++;
    write(new Path(group.path()), other);
    try (GroupReads reads = reads(fs)) {
      assertArrayEquals(contents.get(0), read(reads, fs, file(0)));
      assertEquals(1, reads.fallbacks(), "its checksum is wrong");
      assertArrayEquals(contents.get(1), read(reads, fs, file(1)));
      assertEquals(1, reads.redirected(), "it isn't tried again");
    }
    store.delete(group);
    try (GroupReads reads = reads(fs)) {
      assertArrayEquals(contents.get(1), read(reads, fs, file(1)));
      assertEquals(1, reads.fallbacks());
    }
  }

  @Test
  void nobodyReadsMoreThanTheOriginalsAllow() throws Exception {
    writeFiles();
    fs.setPermission(file(0), new FsPermission((short) 0600));
    fs.setPermission(file(1), new FsPermission((short) 0600));
    fs.modifyAclEntries(file(2), AclEntry.parseAclSpec("user:carol:r--", true));
    group();
    try (DistributedFileSystem bob = as("bob");
        GroupReads reads = reads(bob)) {
      assertThrows(AccessControlException.class, () -> read(reads, bob, file(0)));
      for (GroupFile group : store.table().groups()) {
        boolean secret = fs.getFileStatus(new Path(group.path())).getPermission().toShort() == 0400;
        assertEquals(secret ? 2 : 3, group.members().size(), "apart by readers, none with an ACL");
        if (secret) {
          assertThrows(AccessControlException.class, () -> readAlone(bob, new Path(group.path())));
        }
      }
      assertEquals(2, store.table().groups().size());
      assertThrows(AccessControlException.class, () -> bob.listStatus(GROUPS));
      assertTrue(read(reads, bob, file(3)).length > 0);
      assertEquals(1, reads.redirected());

      fs.setPermission(file(3), new FsPermission((short) 0600));
      assertThrows(AccessControlException.class, () -> read(reads, bob, file(3)));
      assertEquals(1, new GroupCheck(store).check(true).good().size());
    }
    fs.setPermission(new Path("/data"), new FsPermission((short) 0750));
    assertEquals(List.of(), writer.parts(paths()), "below a directory that isn't open to all");
    assertEquals(List.of(), new GroupCheck(store).check(true).good());
    assertEquals(0, store.bytes());
  }

  @Test
  void checkFindsAndRepairs() throws Exception {
    List<byte[]> contents = writeFiles();
    group();
    GroupCheck check = new GroupCheck(store);
    assertEquals(List.of(), check.check(false).problems());

    write(new Path(GROUPS, RedirectTable.FILE_NAME), new byte[] {1, 2, 3});
    try (GroupReads reads = reads(fs)) {
      assertArrayEquals(contents.get(0), read(reads, fs, file(0)));
      assertEquals(0, reads.redirected(), "a damaged table is none");
      assertEquals(1, check.check(false).problems().size());
      check.check(true);
      Eventually.holds(
          "made again of the group file",
          () -> {
            assertArrayEquals(contents.get(0), read(reads, fs, file(0)));
            return reads.redirected() == 1;
          });
    }
    assertEquals(List.of(), check.check(false).problems());

    write(file(0), bytes(10));
    GroupCheck.Result result = check.check(true);
    assertEquals(2, result.problems().size(), "the group, and then its file: " + result);
    assertEquals(0, store.bytes());
    assertEquals(List.of(), store.table().groups());
    assertEquals(List.of(), check.check(false).problems());
  }

  /** As where a directory with data is configured for groups by a slip. */
  @Test
  void whatIsNotOursStaysWhereItIs() throws Exception {
    writeFiles();
    group();
    List<Path> theirs =
        Stream.of("part-00000", "group-photo", "group-7.csv", ".hidden", "group-")
            .map(name -> new Path(GROUPS, name))
            .toList();
    for (Path path : theirs) {
      write(path, bytes(100));
    }
    write(new Path(GROUPS, ".unfinished-12"), bytes(100));
    long ours =
        fs.getContentSummary(new Path(store.table().groups().get(0).path())).getSpaceConsumed();
    GroupCheck.Result result = new GroupCheck(store).check(true);
    assertEquals(1, result.problems().size(), "what isn't finished: " + result);
    assertEquals(ours, store.bytes());
    assertEquals(2 + theirs.size(), fs.listStatus(GROUPS).length);
    store.removeAll();
    for (Path path : theirs) {
      assertEquals(100, fs.getFileStatus(path).getLen());
      fs.delete(path, false);
    }
    assertEquals(1, fs.listStatus(GROUPS).length, "the table");
  }

  @Test
  void aDirectoryOfSomebodyElseIsNotUsed() throws Exception {
    Path data = new Path("/theirs");
    fs.mkdirs(data, new FsPermission((short) 0755));
    fs.setOwner(data, "mallory", "users");
    GroupStore misled = GroupStore.of(fs, data);
    IOException refused = assertThrows(IOException.class, misled::prepare);
    assertTrue(refused.getMessage().contains("belongs to mallory"), refused.getMessage());
    assertEquals(0755, fs.getFileStatus(data).getPermission().toShort());
    fs.delete(data, true);
  }

  /** Who owned the originals once may own other bytes by now, and knows the group file's name. */
  @Test
  void nobodyCanWriteToAGroupFileThatAllMayRead() throws Exception {
    writeFiles();
    for (int i = 0; i < FILES; i++) {
      fs.setOwner(file(i), i < 2 ? "alice" : "bob", "users");
    }
    group();
    GroupFile group = store.table().groups().get(0);
    assertEquals(FILES, group.members().size(), "of one file, as the same people may read them");
    Path path = new Path(group.path());
    for (String user : List.of("alice", "bob")) {
      try (DistributedFileSystem of = as(user);
          GroupReads reads = reads(of)) {
        assertThrows(AccessControlException.class, () -> of.append(path).close());
        assertThrows(
            AccessControlException.class, () -> of.setPermission(path, new FsPermission("644")));
        read(reads, of, file(0));
        assertEquals(1, reads.redirected());
        assertEquals(0, reads.fallbacks());
      }
    }
    assertEquals(List.of(), new GroupCheck(store).check(false).problems());
    fs.setOwner(file(0), "carol", "users");
    assertEquals(List.of(), new GroupCheck(store).check(false).problems(), "still for all");
    fs.setPermission(path, new FsPermission((short) 0644));
    assertEquals(List.of(), new GroupCheck(store).check(true).good(), "it may be written");
  }

  @Test
  void aTableSurvivesTheWayThroughBytes() throws Exception {
    writeFiles();
    group();
    byte[] bytes = store.table().toBytes();
    assertArrayEquals(bytes, RedirectTable.read(bytes).toBytes());
    for (int i = 0; i < 50; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(bytes.length)] ^= 1 << random.nextInt(8);
      assertThrows(IOException.class, () -> RedirectTable.read(damaged));
      int length = random.nextInt(bytes.length);
      assertThrows(IOException.class, () -> RedirectTable.read(Arrays.copyOf(bytes, length)));
    }
    assertFalse(store.table().groups().isEmpty());
  }
}
