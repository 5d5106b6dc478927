// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.SeparateAuditLogs;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.Completeness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.util.AsyncRFAAppender;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counters of a real NameNode against its audit log, through its asynchronous appender. */
@Tag("cluster")
class NameNodeCompletenessTest {

  /** Records that the appender keeps for its file. */
  private static final int BUFFER = 1_000;

  private static final long BETWEEN_MEASUREMENTS = 10_000;

  @TempDir Path temp;

  /** Moved on by the test, so that each measurement is due. */
  private long millis;

  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(millis);
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }
      };

  @Test
  void isOneUntilTheAppenderDropsLinesAndThenSaysHowMany() throws Exception {
    try (AuditedNameNodes one = AuditedNameNodes.one(temp)) {
      Disk disk = new Disk();
      one.log(appender(one.file(0), disk));
      DistributedFileSystem client = connect(one);
      client.create(path("/f")).close();
      AuditSource source =
          one.source(AccessSettings.defaults(AccessSettings.Ignored.nothing()), clock);
      for (int i = 0; i < 3; i++) {
        assertFalse(measured(source).isKnown(), "nothing happens");
      }

      callAll(one, client);
      Completeness complete = settled(one, client, "complete", source);
      assertTrue(complete.isKnown(), complete::toString);
      assertEquals(complete.counted(), complete.audited(), complete::toString);
      assertEquals(0, complete.discarded());

      // While the disk hangs, all that finds the appender's buffer full is dropped.
      disk.hang();
      call(client, 2 * BUFFER + BUFFER / 2);
      disk.resume();
      Completeness lossy = settled(one, client, "lossy", source);
      assertTrue(lossy.discarded() > BUFFER, lossy::toString);
      assertEquals(lossy.counted(), lossy.audited() + lossy.discarded(), lossy::toString);
      assertTrue(lossy.share() < 0.9, lossy::toString);
      source.close();
      client.close();
    }
  }

  /** All that counts, or looks as if it did: what is missing, what is refused, what has other counters. */
  private static void callAll(AuditedNameNodes one, DistributedFileSystem client) throws Exception {
    DFSClient dfs = client.getClient();
    for (int i = 0; i < 60; i++) {
      client.create(path("/d/f" + i)).close();
      client.rename(path("/d/f" + i), path("/d/g" + i));
      client.rename(path("/d/g" + i), path("/d/f" + i), Options.Rename.OVERWRITE);
      assertFalse(client.rename(path("/d/missing"), path("/d/h")));
      client.delete(path("/d/f" + i), false);
      assertFalse(client.delete(path("/d/f" + i), false));
      assertTrue(client.isFileClosed(path("/f")));
      client.getFileLinkStatus(path("/f"));
      dfs.getLocatedFileInfo("/f", false);
      dfs.getLocatedFileInfo("/f", true);
      dfs.getLocatedBlocks("/f", 0);
      assertFalse(client.exists(path("/missing")));
    }
    client.mkdirs(path("/secret/d"), FsPermission.valueOf("-rwx------"));
    client.setPermission(path("/secret"), FsPermission.valueOf("-rwx------"));
    UserGroupInformation.createRemoteUser("mallory")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem denied = connect(one)) {
                    for (int i = 0; i < 60; i++) {
                      refused(() -> denied.getFileStatus(path("/secret/d")));
                      refused(() -> denied.delete(path("/secret/d"), true));
                      refused(() -> denied.rename(path("/secret/d"), path("/d")));
                    }
                  }
                  return null;
                });
    call(client, BUFFER);
  }

  private static DistributedFileSystem connect(AuditedNameNodes one) throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(one.cluster().getURI(), one.configuration());
  }

  private static void refused(org.junit.jupiter.api.function.Executable call) {
    assertThrows(AccessControlException.class, call);
  }

  private static void call(DistributedFileSystem client, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      client.getFileStatus(path("/f"));
    }
  }

  private static AsyncRFAAppender appender(Path file, Disk disk) throws IOException {
    Files.createDirectories(file.getParent());
    AsyncRFAAppender appender = new AsyncRFAAppender();
    appender.setFileName(file.toString());
    appender.setMaxFileSize("256MB");
    appender.setMaxBackupIndex(20);
    appender.setConversionPattern(SeparateAuditLogs.PATTERN);
    appender.setBlocking(false);
    appender.setBufferSize(BUFFER);
    appender.addAppender(disk);
    return appender;
  }

  /** Before the file, and sometimes stuck. */
  private static final class Disk extends AppenderSkeleton {
    private volatile CountDownLatch latch = new CountDownLatch(0);

    void hang() {
      latch = new CountDownLatch(1);
    }

    void resume() {
      latch.countDown();
    }

    @Override
    protected void append(LoggingEvent event) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      resume();
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  /** Of when all lines have come to the file: they come in order. */
  private Completeness settled(
      AuditedNameNodes one, DistributedFileSystem client, String phase, AuditSource source)
      throws Exception {
    // The first may find the buffer full, the last does not.
    for (String mark : new String[] {"/room-" + phase, "/end-" + phase}) {
      Eventually.holds(
          mark + " is in the log",
          () -> {
            assertFalse(client.exists(path(mark)));
            return appears(one, mark);
          });
    }
    List<Completeness> last = new ArrayList<>();
    Eventually.holds(
        "the NameNode's page, which is renewed now and then, has what the log has",
        () -> {
          LockSupport.parkNanos(500_000_000);
          last.add(measured(source));
          return isAllKnown(last.get(last.size() - 1));
        });
    return last.get(last.size() - 1);
  }

  private static boolean isAllKnown(Completeness completeness) {
    return completeness.isKnown()
        && completeness.counted() == completeness.audited() + completeness.discarded();
  }

  /** Whether it comes within a second. */
  private static boolean appears(AuditedNameNodes one, String path) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 1_000_000_000L) {
      if (!one.lines(0, "src=" + path + "\t").isEmpty()) {
        return true;
      }
      LockSupport.parkNanos(10_000_000);
    }
    return false;
  }

  private Completeness measured(AuditSource source) throws IOException, InterruptedException {
    while (source.poll(access -> {}, 1 << 20)) {
      continue;
    }
    millis += BETWEEN_MEASUREMENTS;
    source.measureCompleteness();
    return source.completeness().values().iterator().next();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
