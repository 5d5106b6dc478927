// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.journal.FencedException;
import io.thermocline.tiering.journal.HdfsJournalStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two writers of one journal in a real HDFS, in those orders that matter: who takes over reads all that the other could
 * write, and from then on that one can't write.
 */
@Tag("cluster")
class JournalInHdfsTest {

  @TempDir static java.nio.file.Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK),
            1,
            Map.of(
                DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
                "1",
                DFSConfigKeys.DFS_REPLICATION_KEY,
                "1"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      try {
        NameNodeCalls.in(cluster.auditLog()).areAllOf(NameNodeCalls.ALWAYS, NameNodeCalls.JOURNAL);
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  void whoTakesOverReadsWhatTheOtherWroteWhichThenCantWrite() throws Exception {
    try (DistributedFileSystem ours = client();
        DistributedFileSystem theirs = client()) {
      Path directory = new Path("/journal/taken");
      HdfsJournalStore old = open(ours, directory);
      append(old, "one");
      HdfsJournalStore successor = open(theirs, directory);

      assertFenced(old);
      assertFenced(old);
      append(successor, "two");
      assertEquals(List.of("one", "two"), lines(successor));
      assertEquals(2, successor.segments().size());
    }
  }

  /** The successor has closed the old one's segment, and hasn't begun its own yet. */
  @Test
  void aSegmentThatTheOldOneBeginsInBetweenIsTakenOverToo() throws Exception {
    Path directory = new Path("/journal/between");
    try (DistributedFileSystem ours = client();
        Hooked theirs = new Hooked()) {
      FileSystem hdfs = cluster.superuser();
      UserGroupInformation.createRemoteUser(ServiceProcess.USER)
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    theirs.initialize(hdfs.getUri(), hdfs.getConf());
                    return null;
                  });
      HdfsJournalStore old = open(ours, directory);
      append(old, "one");
      theirs.beforeCreate =
          () -> {
            theirs.beforeCreate = null;
            assertThrows(IOException.class, () -> append(old, "lost"));
            append(old, "two");
            return null;
          };
      HdfsJournalStore successor = open(theirs, directory);

      assertEquals(List.of("one", "two"), lines(successor), "before it does anything");
      assertFenced(old);
      append(successor, "three");
      assertEquals(List.of("one", "two", "three"), lines(successor));
      assertEquals(3, successor.segments().size());
    }
  }

  /** Its next number is free again, as the successor has deleted that segment. */
  @Test
  void oneThatWasAwayForLongBeginsNoSegmentOfANumberThatWasDeleted() throws Exception {
    Path directory = new Path("/journal/away");
    try (DistributedFileSystem ours = client();
        DistributedFileSystem theirs = client()) {
      HdfsJournalStore old = open(ours, directory);
      append(old, "one");
      HdfsJournalStore successor = open(theirs, directory);
      append(successor, "two");
      successor.roll(line("checkpoint"));
      for (String segment : successor.segments().subList(0, 2)) {
        successor.delete(segment);
      }
      List<String> left = successor.segments();

      assertFenced(old);
      assertFenced(old);
      assertEquals(left, successor.segments(), "nothing was begun");
      append(successor, "three");
      assertEquals(List.of("checkpoint", "three"), lines(successor));
    }
    NameNodeCalls.in(cluster.auditLog()).include(NameNodeCalls.JOURNAL);
  }

  @Test
  void aWriterThatFailsGoesOnInASegmentOfItsOwnWhereNobodyTookOver() throws Exception {
    Path directory = new Path("/journal/alone");
    try (DistributedFileSystem ours = client();
        DistributedFileSystem theirs = client()) {
      HdfsJournalStore store = open(ours, directory);
      append(store, "one");
      HdfsJournalStore.recoverLease(
          theirs, new Path(store.segments().get(0)), JournalInHdfsTest::pause);
      IOException failure = assertThrows(IOException.class, () -> append(store, "lost"));
      assertFalse(failure instanceof FencedException, failure::toString);
      append(store, "two");
      assertEquals(List.of("one", "two"), lines(store));
      assertTrue(store.segments().get(1).endsWith("journal-0000000002.jsonl"));
    }
  }

  @Test
  void whileHdfsHasNoRoomNothingIsLeftOfWhatWasTried() throws Exception {
    try (DistributedFileSystem ours = client()) {
      Path directory = new Path("/journal/full");
      append(open(ours, directory), "one");
      HdfsJournalStore store = open(ours, directory);
      cluster.superuser().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1);
      List<String> before = store.segments();
      for (int i = 0; i < 5; i++) {
        IOException failure = assertThrows(IOException.class, () -> append(store, "lost"));
        assertFalse(failure instanceof FencedException, failure::toString);
        assertTrue(store.segments().size() <= before.size(), () -> "left behind");
      }
      cluster
          .superuser()
          .setQuota(directory, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
      append(store, "two");
      assertEquals(List.of("one", "two"), lines(store));
      assertEquals(before, store.segments());
    }
  }

  /** Whoever takes over while the other tries in vain has the last word. */
  @Test
  void whoTakesOverWhileHdfsHasNoRoomFencesTheOther() throws Exception {
    try (DistributedFileSystem ours = client();
        DistributedFileSystem theirs = client()) {
      Path directory = new Path("/journal/fullAndTaken");
      append(open(ours, directory), "one");
      HdfsJournalStore old = open(ours, directory);
      cluster.superuser().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1);
      assertThrows(IOException.class, () -> append(old, "lost"));
      cluster
          .superuser()
          .setQuota(directory, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);

      HdfsJournalStore successor = open(theirs, directory);
      assertFenced(old);
      append(successor, "two");
      assertFenced(old);
      append(successor, "three");
      assertEquals(List.of("one", "two", "three"), lines(successor));
    }
  }

  private static void assertFenced(HdfsJournalStore old) {
    assertThrows(FencedException.class, () -> append(old, "fenced"));
  }

  private static HdfsJournalStore open(DistributedFileSystem hdfs, Path directory)
      throws IOException {
    return HdfsJournalStore.open(hdfs, directory, JournalInHdfsTest::pause);
  }

  private static void pause(java.time.Duration duration) {
    java.util.concurrent.locks.LockSupport.parkNanos(duration.toNanos());
  }

  private static void append(HdfsJournalStore store, String text) throws IOException {
    store.append(line(text));
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> lines(HdfsJournalStore store) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String segment : store.segments()) {
      try (var in = store.read(segment)) {
        lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    return lines;
  }

  private static DistributedFileSystem client() throws IOException {
    return cluster.as(ServiceProcess.USER);
  }

  /** Has something happen between two calls of a client. */
  private static final class Hooked extends DistributedFileSystem {
    private Callable<Void> beforeCreate;

    @Override
    public FSDataOutputStream create(
        Path file,
        FsPermission permission,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      if (beforeCreate != null) {
        try {
          beforeCreate.call();
        } catch (Exception e) {
          throw new IOException(e);
        }
      }
      return super.create(
          file, permission, overwrite, bufferSize, replication, blockSize, progress);
    }
  }
}
