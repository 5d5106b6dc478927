// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.AutoCloseableLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to reads of groups, the host goes on as with HDFS alone. */
@Tag("cluster")
class GroupsHurtNobodyTest extends GroupOnCluster {

  private static final String BESIDE = "thermocline-groups";
  private static final Duration GENEROUS = Duration.ofMinutes(2);

  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private Thread.UncaughtExceptionHandler before;

  /** Asked for the time, which is so before and after each read, a thread may get this. */
  private volatile Runnable atClock = () -> {};

  @Override
  long nanos() {
    atClock.run();
    return super.nanos();
  }

  @BeforeEach
  void watch() {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
  }

  @AfterEach
  void nothingReachedTheHost() {
    Thread.setDefaultUncaughtExceptionHandler(before);
    readers.shutdownNow();
    assertEquals(List.of(), uncaught);
  }

  private static boolean isBeside() {
    return Thread.currentThread().getName().equals(BESIDE);
  }

  private static void noMemory() {
    throw new OutOfMemoryError("in a test");
  }

  @Test
  void whereMemoryEndsBesideItIsGivenBackAndReadsGoOn() throws IOException {
    try (GroupReads reads = reads(MUCH, MUCH)) {
      isRead(reads, 0);
      Eventually.holds("all in memory", () -> memory.bytes() == FILES * BYTES);
    }
    atClock =
        () -> {
          if (isBeside()) {
            noMemory();
          }
        };
    try (GroupReads reads = reads(MUCH, MUCH)) {
      isRead(reads, 0);
      Eventually.holds("given up", memory::isGivenUp);
      assertEquals(0, memory.bytes());
      for (int i = 0; i < FILES; i++) {
        isRead(reads, i);
      }
      assertEquals(0, reads.fallbacks(), "copies are read, but not kept");
      assertEquals(1 + FILES, reads.redirected());
      assertEquals(0, memory.bytes());
    }
  }

  /** At whatever step of a read, the reader gets the bytes of the original. */
  @Test
  void whereMemoryEndsForAReaderItGetsTheOriginal() throws IOException {
    int failed = 0;
    boolean isReached = true;
    for (int step = 1; isReached; step++) {
      AtomicInteger left = new AtomicInteger(step);
      atClock =
          () -> {
            if (!isBeside() && left.decrementAndGet() == 0) {
              noMemory();
            }
          };
      try (GroupReads reads = reads(0, MUCH)) {
        isRead(reads, 1);
        isReached = left.get() <= 0;
        failed += isReached ? 1 : 0;
        assertEquals(isReached ? 1 : 0, reads.fallbacks(), "step " + step);
      }
    }
    assertTrue(failed > 2, failed + " steps");
  }

  @Test
  void whereMemoryEndsWhileAMemberIsLoadedNothingIsKept() throws IOException {
    AtomicInteger left = new AtomicInteger(3);
    atClock =
        () -> {
          if (!isBeside() && left.decrementAndGet() == 0) {
            noMemory();
          }
        };
    try (GroupReads reads = reads(BYTES, MUCH)) {
      isRead(reads, 1);
      assertTrue(memory.isGivenUp());
      assertEquals(0, memory.bytes());
      assertEquals(1, reads.fallbacks());
      isRead(reads, 2);
      assertEquals(0, memory.bytes());
    }
  }

  private LoadedGroup twoAhead() {
    return new LoadedGroup(
        group,
        new GroupCopy(group, fs.getClient(), loads),
        new GroupReads.Limits(60_000, 2 * BYTES, MUCH),
        memory);
  }

  /** Who asks while the thread is at its last member is seen, though it wakes nobody. */
  @Test
  void whatIsAskedForWhileTheLastMemberIsLoadedIsNotMissed() throws Exception {
    LoadedGroup loaded = twoAhead();
    CountDownLatch atLast = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    atClock =
        () -> {
          if (isBeside() && loaded.bytes(1) != null) {
            atLast.countDown();
            await(goOn);
          }
        };
    loaded.asked(0);
    atLast.await();
    loaded.asked(3);
    goOn.countDown();
    Eventually.holds(
        "4 and 5, which follow 3", () -> loaded.bytes(4) != null && loaded.bytes(5) != null);
    loaded.end();
  }

  /** The same by chance, often: who asks, and the thread that has nothing left to do. */
  @Test
  void nothingIsMissedHoweverTheyMeet() {
    assertTimeoutPreemptively(
        GENEROUS,
        () -> {
          for (int round = 0; round < 200; round++) {
            LoadedGroup loaded = twoAhead();
            loaded.asked(0);
            isLoaded(loaded, 2);
            loaded.asked(3);
            isLoaded(loaded, 4);
            isLoaded(loaded, 5);
            loaded.end();
          }
        },
        "4 and 5, which follow 3, are loaded in each round");
  }

  private static void isLoaded(LoadedGroup group, int index) {
    while (group.bytes(index) == null && !Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private static DatanodeInfoWithStorage[] places(String path) throws IOException {
    return fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().get(0).getLocations();
  }

  /** It takes connections and says nothing: only who was there before knows, and waits. */
  @ParameterizedTest
  @ValueSource(longs = {0, MUCH})
  void aDataNodeThatNeverAnswersKeepsNobodyElseWaiting(long ahead) throws Exception {
    DataNode hangs = cluster.getDataNodes().get(0);
    DatanodeInfoWithStorage[] ofCopy = places(group.path());
    DatanodeInfoWithStorage[] ofOriginal = places(file(1).toString());
    GroupReads reads = reads(ahead, MUCH);
    // So the table is known, and nothing else.
    reads.open(fs.open(new Path(group.path()))).close();
    Future<?> waits;
    AutoCloseableLock silence =
        hangs
            .getFSDataset()
            .acquireDatasetLockManager()
            .writeLock(
                DataNodeLockManager.LockLevel.BLOCK_POOl, cluster.getNamesystem().getBlockPoolId());
    try {
      waits =
          readers.submit(
              () -> {
                isRead(reads, 1);
                return null;
              });
      Eventually.holds(
          "it is seen that it doesn't answer",
          () -> {
            clock.addAndGet(100_000_000);
            return loads.choose(ofCopy, ofOriginal) > 0;
          });
      assertTimeoutPreemptively(
          GENEROUS,
          () -> {
            for (int i = 2; i < FILES; i++) {
              isRead(reads, i);
            }
            reads.close();
          });
      assertEquals(FILES - 2, reads.spared());
      assertFalse(waits.isDone());
    } finally {
      silence.close();
    }
    waits.get();
    Eventually.holds("nothing stays", () -> memory.bytes() == 0);
  }

  /** As of a Spark executor or HiveServer, with a file system for each of its users. */
  @Test
  void allFileSystemsOfAJvmAskForTheTableOnce() throws Exception {
    List<String> asked = List.of("getfileinfo " + TABLE, "open " + TABLE);
    for (int i = 0; i < 2; i++) {
      Asked.takeOf(TABLE);
      List<HintingFileSystem> all = new ArrayList<>();
      for (String user : List.of("alice", "bob", "carol", "alice")) {
        HintingFileSystem hinting = as(user);
        all.add(hinting);
        try (FSDataInputStream in = hinting.open(file(0))) {
          assertArrayEquals(content(0, BYTES), in.readAllBytes());
        }
        assertEquals(1, hinting.groupReads());
      }
      for (HintingFileSystem hinting : all) {
        hinting.close();
        hinting.close();
      }
      assertEquals(asked, Asked.takeOf(TABLE), "by all four; and anew after the last had gone");
    }
  }

  private static HintingFileSystem as(String user) throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("fs.hdfs.impl", HintingFileSystem.class.getName());
    conf.set("thermocline.hints.groups", GROUPS.toString());
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<HintingFileSystem>)
                () -> (HintingFileSystem) FileSystem.newInstance(fs.getUri(), conf));
  }

  /** It takes more in memory than as a file, and twice that while a newer one is read. */
  @Test
  void aTableThatWouldTakeMoreThanGroupsMayIsNotRead() throws IOException {
    long length = fs.getFileStatus(TABLE).getLen();
    try (GroupReads reads = reads(0, 4 * length - 1)) {
      isRead(reads, 0);
      assertEquals(0, reads.redirected());
    }
    try (GroupReads reads = reads(0, 4 * length)) {
      isRead(reads, 0);
      assertEquals(1, reads.redirected());
    }
  }

  @Test
  void aNameNodeThatNeverAnswersForTheTableKeepsNobodyWaiting() throws Exception {
    GroupReads.Limits always = new GroupReads.Limits(0, MUCH, MUCH);
    CachedRedirectTable table = new CachedRedirectTable(TABLE, always, System::nanoTime, 1);
    List<FSDataInputStream> opened = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      opened.add(fs.open(file(i)));
    }
    try (GroupReads reads = new GroupReads(fs.getClient(), table, always, memory, loads)) {
      cluster.getNamesystem().writeLock();
      try {
        assertTimeoutPreemptively(
            GENEROUS,
            () -> {
              for (FSDataInputStream original : opened) {
                assertEquals(original, reads.open(original), "no table is known");
              }
            });
        // Its thread may not run yet; none of them ends while the lock is held.
        Eventually.holds("one at once", () -> looks() == 1);
        for (int i = 0; i < FILES; i++) {
          assertArrayEquals(content(i, BYTES), opened.get(i).readAllBytes());
        }
      } finally {
        cluster.getNamesystem().writeUnlock();
      }
      Eventually.holds(
          "the table is known as soon as it answers",
          () -> {
            isRead(reads, 0);
            return reads.redirected() > 0;
          });
    }
  }

  private static long looks() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Stream.of(stack)
                    .anyMatch(at -> at.getClassName().equals(CachedRedirectTable.class.getName())))
        .count();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
