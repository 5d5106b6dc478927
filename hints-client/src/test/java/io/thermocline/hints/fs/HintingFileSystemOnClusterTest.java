// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.choice.FileChoices;
import io.thermocline.hints.choice.ServerTable;
import io.thermocline.hints.choice.hdfs.PublishedTable;
import io.thermocline.hints.client.HintServer;
import io.thermocline.hints.wire.HintError;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.MetricsAsserts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that knows nothing of hints, on a real NameNode and DataNodes with three
 * storage types.
 */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HintingFileSystemOnClusterTest {
  private MiniDFSCluster cluster;
  private HintServer service;
  private int test;

  /** Of each test its own. */
  private String root;

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws IOException {
    Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(3)
            .storagesPerDatanode(3)
            .storageTypes(
                new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE})
            .build();
    cluster.waitActive();
    service = new HintServer();
  }

  @AfterAll
  void stop() {
    if (service != null) {
      service.close();
    }
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  @BeforeEach
  void clean() throws IOException {
    service.hints.clear();
    service.trouble = null;
    root = "/t" + test++;
    cluster.getFileSystem().mkdirs(new Path(root));
    cluster
        .getFileSystem()
        .setPermission(new Path(root), FsPermission.createImmutable((short) 0777));
  }

  @Test
  void filesAreCreatedWhereTheirRuleWantsThem() throws Exception {
    try (FileSystem fs = fileSystem(conf())) {
      write(fs, root + "/hot/f1", false);
      write(fs, root + "/hot/f2", true);
      write(fs, root + "/cold/f", false);
      write(fs, root + "/other/f", false);
      assertEquals("ONE_SSD", policy(root + "/hot/f1"));
      assertEquals("ONE_SSD", policy(root + "/hot/f2"));
      assertEquals("COLD", policy(root + "/cold/f"));
      assertNull(policy(root + "/other/f"));
      assertTrue(types(root + "/hot/f1").contains(StorageType.SSD));
      assertEquals(EnumSet.of(StorageType.ARCHIVE), types(root + "/cold/f"));
      assertEquals(EnumSet.of(StorageType.DISK), types(root + "/other/f"));
      eventually(() -> hints().size() == 3);
      Hint hint = hints().get(0);
      assertEquals(Operation.REDIRECT, hint.operation());
      assertEquals(Scope.FILE, hint.scope());
      assertEquals(root + "/hot/f1", hint.target());
      assertEquals(Source.FILE_SYSTEM, hint.source());
      assertEquals(Requirement.LOW_LATENCY, hint.requirement());
      assertEquals("job-7", hint.stream());
      assertEquals(UserGroupInformation.getCurrentUser().getShortUserName(), hint.owner());
      assertEquals("hello", read(fs, root + "/hot/f2"));
    }
  }

  @Test
  void fileWithoutItsParentsIsCreatedByItsRuleWhereTheyAre() throws Exception {
    try (FileSystem fs = fileSystem(conf())) {
      Path file = new Path(root + "/hot/f");
      assertThrows(
          FileNotFoundException.class,
          () -> fs.createNonRecursive(file, true, 4096, (short) 1, 1 << 20, null));
      assertFalse(fs.exists(file.getParent()));
      fs.mkdirs(file.getParent());
      fs.createNonRecursive(file, false, 4096, (short) 1, 1 << 20, null).close();
      assertEquals("ONE_SSD", policy(root + "/hot/f"));
      assertThrows(
          FileAlreadyExistsException.class,
          () -> fs.createNonRecursive(file, false, 4096, (short) 1, 1 << 20, null));
    }
  }

  @Test
  void anOwnSchemeIsTheSameCluster() throws Exception {
    Configuration conf = conf();
    conf.setClass("fs.tiered.impl", HintingFileSystem.class, FileSystem.class);
    conf.setClass(
        "fs.AbstractFileSystem.tiered.impl", HintingFs.class, HintingFs.class.getSuperclass());
    URI uri = URI.create("tiered://" + cluster.getURI().getAuthority());
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      assertInstanceOf(DistributedFileSystem.class, fs);
      assertEquals(uri, fs.getUri());
      Path file = new Path(uri.toString() + root + "/hot/a");
      write(fs, file.toString(), false);
      write(fs, root + "/hot/b", false);
      assertEquals("ONE_SSD", policy(root + "/hot/a"));
      assertEquals(file, fs.listStatus(new Path(root + "/hot"))[0].getPath());
      assertEquals("tiered", fs.getWorkingDirectory().toUri().getScheme());
      assertTrue(fs.rename(file, new Path(root + "/hot/c")));
      assertEquals("hello", read(fs, root + "/hot/c"));
      assertThrows(
          IllegalArgumentException.class,
          () -> fs.open(new Path(cluster.getURI() + root + "/hot/c")));

      FileContext context = FileContext.getFileContext(uri, conf);
      try (OutputStream out =
          context.create(
              new Path(root + "/hot/d"),
              EnumSet.of(CreateFlag.CREATE),
              CreateOpts.createParent())) {
        out.write('x');
      }
      assertEquals("ONE_SSD", policy(root + "/hot/d"));
    }
  }

  @Test
  void whatAJobCommitsIsHintedByItsLastName() throws Exception {
    try (HintingFileSystem fs = fileSystem(conf())) {
      Path staged = new Path(root + "/hot/_temporary/0/part-0");
      write(fs, staged.toString(), false);
      assertTrue(fs.rename(staged, new Path(root + "/hot/_temporary/part-0")));
      assertTrue(
          fs.rename(new Path(root + "/hot/_temporary/part-0"), new Path(root + "/hot/part-0")));
      assertEquals("ONE_SSD", policy(root + "/hot/part-0"));
      assertTrue(fs.rename(new Path(root + "/hot/part-0"), new Path(root + "/hot/renamed")));
      end(fs);
      assertEquals(
          List.of(staged.toString(), root + "/hot/part-0"),
          hints().stream().map(Hint::target).toList());
    }
  }

  @Test
  void whatIsWrittenUnderATemporaryNameIsHintedByItsLastName() throws Exception {
    try (HintingFileSystem fs = fileSystem(conf())) {
      List<String> expected = new ArrayList<>();
      for (String name : List.of(".0.1b83.tmp", "part-0._COPYING_")) {
        String temporary = root + "/hot/" + name;
        String last = root + "/hot/last-" + expected.size();
        write(fs, temporary, false);
        assertTrue(fs.rename(new Path(temporary), new Path(last)));
        expected.addAll(List.of(temporary, last));
      }
      end(fs);
      assertEquals(expected, hints().stream().map(Hint::target).toList());
    }
  }

  @Test
  void aRuleMayWaitForTheQueue() throws Exception {
    Configuration conf = conf();
    conf.set("thermocline.hints.rule.hot.when", "queue");
    conf.set("thermocline.hints.redirect.refresh", "1ms");
    String page = "/api/v1/hints/queue";
    service.pages.put(page, "{\"isLong\":false}");
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/a", false);
      eventually(() -> service.requests.stream().anyMatch(asked -> asked.contains(page)));
      assertNull(policy(root + "/hot/a"));
      service.pages.put(page, "{\"isLong\":true}");
      eventually(() -> isRedirected(fs, root + "/hot/b"));
      service.pages.put(page, "nothing that can be understood");
      eventually(() -> !isRedirected(fs, root + "/hot/b"));
    } finally {
      service.pages.remove(page);
    }
  }

  /** And by what it was given then, whatever the queue is by now. */
  @Test
  void whatIsCommittedIsHintedByWhatItWasCreatedWith() throws Exception {
    Configuration conf = conf();
    conf.set("thermocline.hints.rule.hot.when", "queue");
    conf.set("thermocline.hints.redirect.refresh", "1ms");
    String page = "/api/v1/hints/queue";
    service.pages.put(page, "{\"isLong\":false}");
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/_temporary/0/early/part-0", false);
      service.pages.put(page, "{\"isLong\":true}");
      eventually(() -> isRedirected(fs, root + "/hot/_temporary/0/late/part-1"));
      // As a task, and then its job, does it.
      for (String task : List.of("early", "late")) {
        assertTrue(
            fs.rename(
                new Path(root + "/hot/_temporary/0/" + task),
                new Path(root + "/hot/_temporary/" + task)));
      }
      assertTrue(
          fs.rename(new Path(root + "/hot/_temporary/early/part-0"), new Path(root + "/hot/p0")));
      service.pages.put(page, "{\"isLong\":false}");
      eventually(() -> !isRedirected(fs, root + "/hot/other"));
      assertTrue(
          fs.rename(new Path(root + "/hot/_temporary/late/part-1"), new Path(root + "/hot/p1")));
      end(fs);
      assertEquals(Operation.ADVISE, hintOn("/hot/p0"));
      assertEquals(Operation.REDIRECT, hintOn("/hot/p1"));
    } finally {
      service.pages.remove(page);
    }
  }

  private Operation hintOn(String path) {
    List<Operation> said =
        hints().stream()
            .filter(hint -> hint.target().equals(root + path))
            .map(Hint::operation)
            .toList();
    assertEquals(1, said.size(), said::toString);
    return said.get(0);
  }

  @Test
  void whatSomebodySetOnADirectoryAboveIsNotBeaten() throws Exception {
    DistributedFileSystem hdfs = cluster.getFileSystem();
    hdfs.mkdirs(new Path(root + "/hot/cold"));
    hdfs.setStoragePolicy(new Path(root + "/hot/cold"), "COLD");
    Configuration conf = conf();
    conf.set("thermocline.hints.redirect.refresh", "1h");
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/cold/a", false);
      write(fs, root + "/hot/cold/made/with/it/b", true);
      assertEquals(EnumSet.of(StorageType.ARCHIVE), types(root + "/hot/cold/a"));
      assertEquals(EnumSet.of(StorageType.ARCHIVE), types(root + "/hot/cold/made/with/it/b"));
      write(fs, root + "/hot/c", false);
      assertEquals("ONE_SSD", policy(root + "/hot/c"));
      assertEquals(0, fs.hintFailures());

      // One call for the directory, not one for each file, staged or not.
      long before = looks();
      for (int i = 0; i < 10; i++) {
        write(fs, root + "/hot/d" + i, false);
        write(fs, root + "/hot/_temporary/" + i + "/e", false);
      }
      assertEquals(before, looks());
      end(fs);
      assertEquals(Operation.ADVISE, hintOn("/hot/cold/a"));
      assertEquals(Operation.REDIRECT, hintOn("/hot/c"));
    }
    // With another client: this one may have looked just now.
    hdfs.unsetStoragePolicy(new Path(root + "/hot/cold"));
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/cold/f", false);
      assertEquals("ONE_SSD", policy(root + "/hot/cold/f"));
    }
  }

  /** Calls of getFileInfo that the NameNode answered. */
  private static long looks() {
    return MetricsAsserts.getLongCounter(
        "FileInfoOps", MetricsAsserts.getMetrics("NameNodeActivity"));
  }

  private boolean isRedirected(FileSystem fs, String path) {
    try {
      write(fs, path, false);
      return "ONE_SSD".equals(policy(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void opensAreHintedOnce() throws Exception {
    Configuration conf = conf();
    conf.set("thermocline.hints.rule.hot.on", "open");
    conf.set("thermocline.hints.rule.hot.operation", "prefetch");
    conf.set("thermocline.hints.rule.hot.scope", "directory");
    try (FileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/a", false);
      write(fs, root + "/hot/b", false);
      for (int i = 0; i < 50; i++) {
        read(fs, root + "/hot/" + (i % 2 == 0 ? "a" : "b"));
      }
      fs.openFile(new Path(root + "/hot/a")).build().get().close();
      assertNull(policy(root + "/hot/a"));
      end(fs);
      assertEquals(1, hints().size(), hints().toString());
      assertEquals(Operation.PREFETCH, hints().get(0).operation());
      assertEquals(root + "/hot", hints().get(0).target());
    }
  }

  @Test
  void troubleOfTheServiceIsNotTheApplications() throws Exception {
    Configuration conf = conf();
    HintServer down = new HintServer();
    down.close();
    conf.set("thermocline.hints.service", down.address());
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/f", false);
      assertEquals("ONE_SSD", policy(root + "/hot/f"));
      assertEquals("hello", read(fs, root + "/hot/f"));
      end(fs);
      assertEquals(1, fs.hintCounts().dropped());
    }
  }

  @Test
  void strictHintsFail() throws Exception {
    Configuration conf = conf();
    conf.setBoolean("thermocline.hints.strict", true);
    try (FileSystem fs = fileSystem(conf)) {
      write(fs, root + "/hot/f", false);
      assertEquals(1, hints().size());
      service.trouble = HintServer.error(HintError.NOT_READY);
      IOException e = assertThrows(IOException.class, () -> write(fs, root + "/hot/g", false));
      assertEquals("NOT_READY: trouble; wait", e.getMessage());
      write(fs, root + "/other/g", false);
    }
    conf.set("thermocline.hints.rule.hot.pattern", "often");
    assertTrue(
        assertThrows(IOException.class, () -> fileSystem(conf)).getMessage().contains("'often'"));
  }

  @Test
  void aBadConfigurationIsLeftOut() throws Exception {
    Configuration conf = conf();
    conf.set("thermocline.hints.rule.hot.pattern", "often");
    conf.set("thermocline.hints.service", "nonsense");
    conf.set("thermocline.hints.open.redirect", "no.such.Class");
    conf.set("thermocline.hints.redirect.refresh", "often");
    conf.set("thermocline.hints.groups", "/groups");
    conf.set("thermocline.hints.groups.memory", "much");
    conf.set("thermocline.hints.choice.paths", "/chosen/**");
    conf.set("thermocline.hints.choice.refresh", "seldom");
    try (HintingFileSystem fs = fileSystem(conf)) {
      assertEquals(5, fs.hintFailures());
      write(fs, root + "/hot/f", false);
      write(fs, root + "/cold/f", false);
      assertNull(policy(root + "/hot/f"));
      assertEquals("COLD", policy(root + "/cold/f"));
      assertEquals("hello", read(fs, root + "/hot/f"));
    }
  }

  @Test
  void theApplicationSeesHdfsOwnErrors() throws Exception {
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    try (HintingFileSystem fs =
        alice.doAs((PrivilegedExceptionAction<HintingFileSystem>) () -> fileSystem(conf()))) {
      write(fs, root + "/hot/f", false);
      assertThrows(
          FileAlreadyExistsException.class, () -> fs.create(new Path(root + "/hot/f"), false));
      cluster.getFileSystem().mkdirs(new Path(root + "/hot/closed"));
      assertThrows(AccessControlException.class, () -> fs.create(new Path(root + "/hot/closed/f")));
      assertThrows(FileNotFoundException.class, () -> fs.open(new Path(root + "/hot/none")));
      assertEquals(2, fs.hintFailures());
      // Overwriting is no error.
      fs.create(new Path(root + "/hot/f"), true).close();
      assertEquals("ONE_SSD", policy(root + "/hot/f"));
    }
  }

  @Test
  void filesAreWhereTheirClientChose() throws Exception {
    Path table = new Path("/servers");
    ServerTable servers = new PublishedTable(cluster.getFileSystem(), table).publish();
    FileChoices choices = FileChoices.of(servers, 2, 1);
    Configuration conf = conf();
    conf.setInt("dfs.replication", 1);
    conf.set("thermocline.hints.choice.paths", root + "/chosen/*");
    conf.set("thermocline.hints.choice.table", table.toString());
    try (HintingFileSystem fs = fileSystem(conf)) {
      // Until the table is there HDFS chooses, on the host that writes, where each of these
      // nodes seems to be.
      int[] tries = {0};
      eventually(() -> isChosen(fs, choices, root + "/chosen/first" + tries[0]++));
      for (int i = 0; i < 12; i++) {
        assertTrue(isChosen(fs, choices, root + "/chosen/f" + i), "file " + i);
      }
      assertEquals(0, fs.hintFailures());
      // More replicas than servers: HDFS does what it can.
      fs.create(new Path(root + "/chosen/many"), (short) 5).close();
      assertEquals(5, fs.getFileStatus(new Path(root + "/chosen/many")).getReplication());
      assertEquals(0, fs.hintFailures());
    }
  }

  private boolean isChosen(FileSystem fs, FileChoices choices, String path) {
    try {
      write(fs, path, false);
      Set<String> candidates = new HashSet<>();
      choices.candidatesFor(path).servers().forEach(server -> candidates.add(server.id()));
      String at =
          cluster
              .getFileSystem()
              .getClient()
              .getLocatedBlocks(path, 0)
              .get(0)
              .getLocations()[0]
              .getDatanodeUuid();
      return candidates.contains(at);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void opensAreLedElsewhereWhereThatIsBetter() throws Exception {
    Configuration conf = conf();
    conf.setClass("thermocline.hints.open.redirect", ToCopies.class, OpenRedirect.class);
    try (HintingFileSystem fs = fileSystem(conf)) {
      write(fs, root + "/with", false);
      write(fs, root + "/without", false);
      try (OutputStream out = fs.create(new Path(root + "/with.copy"))) {
        out.write("copy".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals("copy", read(fs, root + "/with"));
      assertEquals(0, fs.hintFailures());
      assertEquals("hello", read(fs, root + "/without"));
      assertEquals(1, fs.hintFailures());
    }
  }

  /** Leads every open to a copy, which not every file has. */
  public static final class ToCopies implements OpenRedirect {
    @Override
    public Path target(Path path) {
      return path.suffix(".copy");
    }
  }

  @Test
  void replicasAreReadByTypeWhereTheClientOrdersThem() throws Exception {
    int files = 12;
    DistributedFileSystem hdfs = cluster.getFileSystem();
    Path directory = new Path(root + "/fast");
    hdfs.mkdirs(directory);
    hdfs.setStoragePolicy(directory, "ONE_SSD");
    for (int file = 0; file < files; file++) {
      write(hdfs, directory + "/" + file, false);
    }
    Configuration ordered = conf();
    ordered.set("thermocline.hints.read.order", "fastest");
    ordered.setInt("dfs.client.socket-timeout", 2_000);
    try (HintingFileSystem stock = fileSystem(conf());
        HintingFileSystem fastest = fileSystem(ordered)) {
      assertEquals(files, readFromSsd(fastest, directory, files));
      assertTrue(readFromSsd(stock, directory, files) < files, "off unless it is asked for");
      // Its fast copies are gone; the other replicas are read, as ever.
      MiniDFSCluster.DataNodeProperties gone = cluster.stopDataNode(0);
      try {
        for (int file = 0; file < files; file++) {
          assertEquals("hello", read(fastest, directory + "/" + file));
        }
      } finally {
        // At other ports: somebody may have taken these meanwhile.
        assertTrue(cluster.restartDataNode(gone, false));
        cluster.waitActive();
      }
      assertEquals(0, fastest.hintFailures());
    }
  }

  private static int readFromSsd(FileSystem fs, Path directory, int files) throws IOException {
    int fromSsd = 0;
    for (int file = 0; file < files; file++) {
      try (FSDataInputStream in = fs.open(new Path(directory, Integer.toString(file)))) {
        assertTrue(in.read() >= 0);
        DatanodeInfoWithStorage from =
            (DatanodeInfoWithStorage) ((HdfsDataInputStream) in).getCurrentDatanode();
        fromSsd += from.getStorageType() == StorageType.SSD ? 1 : 0;
      }
    }
    return fromSsd;
  }

  private Configuration conf() {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.setClass("fs.hdfs.impl", HintingFileSystem.class, FileSystem.class);
    conf.set("thermocline.hints.service", service.address());
    conf.set("thermocline.hints.rules", "hot,cold");
    conf.set("thermocline.hints.rule.hot.path", root + "/hot/**");
    conf.set("thermocline.hints.rule.hot.requirement", "low-latency");
    conf.set("thermocline.hints.rule.hot.stream", "${mapreduce.job.name}");
    conf.set("mapreduce.job.name", "job-7");
    conf.set("thermocline.hints.rule.cold.path", root + "/cold/**");
    conf.set("thermocline.hints.rule.cold.pattern", "archival");
    return conf;
  }

  private HintingFileSystem fileSystem(Configuration conf) throws IOException {
    return (HintingFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
  }

  private static void write(FileSystem fs, String path, boolean byBuilder) throws IOException {
    Path file = new Path(path);
    try (OutputStream out = byBuilder ? fs.createFile(file).recursive().build() : fs.create(file)) {
      out.write("hello".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String read(FileSystem fs, String path) throws IOException {
    try (InputStream in = fs.open(new Path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Of this test: a client of another may send its last ones now. */
  private List<Hint> hints() {
    return service.hints.stream().filter(hint -> hint.target().startsWith(root + "/")).toList();
  }

  /** Sends what is still there. */
  private static void end(FileSystem fs) throws IOException {
    fs.close();
  }

  /** Of the file itself; null for none. */
  private String policy(String path) throws IOException {
    byte id = cluster.getFileSystem().getClient().getFileInfo(path).getStoragePolicy();
    return id == 0
        ? null
        : cluster.getFileSystem().getAllStoragePolicies().stream()
            .filter(policy -> policy.getId() == id)
            .findFirst()
            .orElseThrow()
            .getName();
  }

  private EnumSet<StorageType> types(String path) throws IOException {
    EnumSet<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (LocatedBlock block :
        cluster.getFileSystem().getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      types.addAll(java.util.Arrays.asList(block.getStorageTypes()));
    }
    return types;
  }

  private static void eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
