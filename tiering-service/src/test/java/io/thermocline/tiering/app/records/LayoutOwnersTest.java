// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service's host and the NameNode, whose log it follows, don't agree on the time. */
class LayoutOwnersTest {

  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration CALL = Duration.ofMillis(20);

  /** By the NameNode's clock. */
  private Instant now = NOON;

  private Duration ahead = Duration.ZERO;
  private Journal journal;
  private LayoutOwners owners;

  private record Line(Kind kind, long timeMillis, String path, String newPath, String user, By by)
      implements Access {
    @Override
    public long key() {
      return path.hashCode();
    }

    @Override
    public PathHashes hashes() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  @BeforeEach
  void open() throws IOException {
    journal = Journal.open(new JournalMemory().open());
    owners = new LayoutOwners(journal, this::append, path -> 0, () -> "", () -> now.plus(ahead));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private void append(JournalEntry entry) {
    try {
      journal.append(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** And reads of it in the log. */
  private void set(String path, String policy, Access.By by) {
    append(new JournalEntry.PolicySet(now.plus(ahead).toString(), path, policy, ""));
    now = now.plus(CALL);
    owners.accept(new Line(Access.Kind.POLICY, now.toEpochMilli(), path, null, "thermocline", by));
  }

  private void comes(Access.Kind kind, String path, String to) {
    now = now.plus(Duration.ofSeconds(30));
    owners.accept(new Line(kind, now.toEpochMilli(), path, to, "alice", Access.By.OTHERS));
  }

  @ParameterizedTest
  @ValueSource(ints = {-3600, -30, 0, 30, 3600})
  void whatAUserSetsIsTheirsHoweverTheClocksDiffer(int seconds) {
    ahead = Duration.ofSeconds(seconds);
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    assertTrue(journal.maySet("/d/a", "ONE_SSD"));
    comes(Access.Kind.POLICY, "/d/a", null);
    assertFalse(journal.maySet("/d/a", "ONE_SSD"), "it stays the service's");
  }

  @ParameterizedTest
  @ValueSource(ints = {-3600, 0, 30, 3600})
  void whatAUserRenamesStaysTheServicesHoweverTheClocksDiffer(int seconds) {
    ahead = Duration.ofSeconds(seconds);
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.RENAME, "/d/a", "/d/b");
    assertTrue(journal.maySet("/d/b", "ONE_SSD"));
  }

  /** Also where it is what the service had made it. */
  @Test
  void theFactorOfAGroupsMemberThatAUserSetsIsTheirs() throws Exception {
    append(new JournalEntry.ReplicationSet(now.toString(), "/d/a", 2, 3, 7));
    assertEquals(Optional.of(new Journal.Raised(2, 3)), journal.raised("/d/a"));
    comes(Access.Kind.REPLICATION, "/d/a", null);
    assertEquals(Optional.empty(), journal.raised("/d/a"));
    assertTrue(journal.taken("/d/a", JournalEntry.Taken.REPLICATION).isPresent());
  }

  /** Alice sets the factor that the file has, and the service, which didn't read of it yet, lowers it. */
  @Test
  void theFactorThatAUserSetRightBeforeTheServiceLoweredItIsPutBack() throws Exception {
    Factor factor = new Factor();
    append(new JournalEntry.ReplicationSet(now.toString(), "/d/a", 3, 5));
    now = now.plusSeconds(600);
    Instant hers = now;
    now = now.plusMillis(300);
    factor.now = 3;
    append(new JournalEntry.ReplicationSet(now.toString(), "/d/a", 5, 3));
    replicates(hers, "alice", Access.By.OTHERS);
    replicates(now, "thermocline", Access.By.SERVICE);

    owners.settle(new FakeHdfs(), factor);

    assertEquals(5, factor.now);
    assertTrue(journal.taken("/d/a", JournalEntry.Taken.REPLICATION).isPresent(), "it is hers");
    assertEquals(0, owners.unrestored());
  }

  @Test
  void whatAUserSetAfterThatStays() throws Exception {
    Factor factor = new Factor();
    append(new JournalEntry.ReplicationSet(now.toString(), "/d/a", 3, 5));
    now = now.plusSeconds(600);
    append(new JournalEntry.ReplicationSet(now.toString(), "/d/a", 5, 3));
    replicates(now, "thermocline", Access.By.SERVICE);
    factor.now = 3;
    comes(Access.Kind.REPLICATION, "/d/a", null);
    owners.settle(new FakeHdfs(), factor);
    assertEquals(3, factor.now);
  }

  private void replicates(Instant at, String user, Access.By by) {
    owners.accept(new Line(Access.Kind.REPLICATION, at.toEpochMilli(), "/d/a", null, user, by));
  }

  /** Of one file. */
  private static final class Factor implements LeverActions {
    private int now;

    @Override
    public void setReplication(String path, int factor) {
      now = factor;
    }

    @Override
    public Optional<FileView> file(String path) {
      return Optional.of(new FileView(path, 0, now, 0, List.of()));
    }

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) {
      throw new IllegalStateException();
    }

    @Override
    public void uncache(String path, Directive ours) {
      throw new IllegalStateException();
    }

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      throw new IllegalStateException();
    }
  }

  @Test
  void whatHdfsRefusesToPutBackHoldsUpNothingElseAndIsGivenUp() throws Exception {
    FakeHdfs hdfs = new FakeHdfs();
    overwritten(hdfs, "/d/a");
    overwritten(hdfs, "/d/b");
    hdfs.refuse("/d/a", new AccessControlException("Permission denied"));

    owners.settle(hdfs, null);

    assertEquals("HOT", hdfs.storagePolicy("/d/b"));
    settle(hdfs);
    assertEquals(10, hdfs.calls().stream().filter("policy /d/a HOT"::equals).count());
    assertEquals(1, owners.unrestored());
  }

  @Test
  void nothingIsGivenUpWhileNoNameNodeAnswers() throws Exception {
    FakeHdfs hdfs = new FakeHdfs();
    overwritten(hdfs, "/d/a");
    hdfs.refuse("/d/a", new ConnectException("Connection refused"));
    settle(hdfs);
    hdfs.refuse("/d/a", null);
    settle(hdfs);
    assertEquals("HOT", hdfs.storagePolicy("/d/a"));
    assertEquals(0, owners.unrestored());
    assertEquals(0, owners.stillMarked());
  }

  @Test
  void aMarkThatHdfsKeepsHoldsUpNoOtherAndIsGivenUp() throws Exception {
    FakeHdfs hdfs = new FakeHdfs();
    for (String path : List.of("/d/a", "/d/b")) {
      set(path, "ONE_SSD", Access.By.SERVICE);
      comes(Access.Kind.POLICY, path, null);
    }
    hdfs.refuse("/d/a", new AccessControlException("Permission denied"));

    owners.unmark(hdfs, null);

    assertEquals(List.of("/d/a", "/d/b"), hdfs.unmarkings());
    settle(hdfs);
    assertEquals(11, hdfs.unmarkings().size());
    assertEquals(1, owners.stillMarked());
  }

  /** For twenty minutes. */
  private void settle(FakeHdfs hdfs) {
    for (int second = 0; second < 1200; second++) {
      now = now.plusSeconds(1);
      owners.settle(hdfs, null);
      owners.unmark(hdfs, null);
    }
  }

  /** Alice sets HOT, and the service, which didn't read of it yet, ONE_SSD. */
  private void overwritten(FakeHdfs hdfs, String path) throws IOException {
    long hers = now.toEpochMilli();
    now = now.plusMillis(300);
    append(new JournalEntry.PolicySet(now.toString(), path, "ONE_SSD", "HOT"));
    hdfs.setStoragePolicy(path, "ONE_SSD");
    owners.accept(new Line(Access.Kind.POLICY, hers, path, null, "alice", Access.By.OTHERS));
    long ours = now.toEpochMilli();
    owners.accept(new Line(Access.Kind.POLICY, ours, path, null, "thermocline", Access.By.SERVICE));
  }

  /** As HDFS has it by default. */
  @ParameterizedTest
  @EnumSource(
      value = Access.By.class,
      names = {"SERVICE", "ITS_USER"})
  void knowsItsOwnChangesWithoutCallerContexts(Access.By by) {
    ahead = Duration.ofMinutes(20);
    set("/d/a", "ONE_SSD", by);
    assertTrue(journal.maySet("/d/a", "ONE_SSD"));
  }

  @Test
  void aClockThatIsSetRightIsBelieved() {
    ahead = Duration.ofHours(1);
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    ahead = Duration.ZERO;
    set("/d/b", "ONE_SSD", Access.By.SERVICE);
    // An old line of a log that is read again: the service's own is later.
    owners.accept(
        new Line(
            Access.Kind.POLICY,
            now.minus(Duration.ofMinutes(20)).toEpochMilli(),
            "/d/b",
            null,
            "alice",
            Access.By.OTHERS));
    assertTrue(journal.maySet("/d/b", "ONE_SSD"));
    assertEquals(List.of(), journal.taken("/d/b", JournalEntry.Taken.POLICY).stream().toList());
  }
}
