// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.Paths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
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
  private JournalMemory memory = new JournalMemory();
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
    journal = Journal.open(memory.open());
    owners =
        new LayoutOwners(
            journal, this::append, this::write, path -> 0, () -> "", () -> now.plus(ahead));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private void write() {
    try {
      journal.append(List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  /** HDFS shows the same policy, its own or inherited: the log tells. */
  @Test
  void whatAUserMovesBelowAPolicyOfTheServiceIsTheirs() throws Exception {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.POLICY, "/tmp/hers", null);
    comes(Access.Kind.POLICY, "/tmp/all/f", null);
    comes(Access.Kind.POLICY, "/tmp/unset", null);
    comes(Access.Kind.NO_POLICY, "/tmp/unset", null);
    for (String name : List.of("hers", "all", "unset", "plain")) {
      comes(Access.Kind.RENAME, "/tmp/" + name, "/d/" + name);
    }
    for (String path : List.of("/d/unset", "/d/plain")) {
      assertTrue(journal.maySet(path, "ONE_SSD"), path + " inherits the service's");
    }
    for (String path : List.of("/d/hers", "/d/all/f")) {
      assertFalse(journal.maySet(path, "ONE_SSD"), path);
    }
    owners.endOfPoll();
    reopen();
    assertFalse(journal.maySet("/d/hers", "ONE_SSD"), "after a restart");
    assertTrue(journal.maySet("/d/other", "ONE_SSD"), "what lies beside it");
    comes(Access.Kind.DELETE, "/d/hers", null);
    assertTrue(journal.maySet("/d/hers", "ONE_SSD"), "a new one inherits");
  }

  /** With none of its own it shows none then, and one that it has is somebody's. */
  @Test
  void whatAUserMovedInIsManagedAgainOnceThePolicyAboveIsGone() {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.POLICY, "/tmp/f", null);
    comes(Access.Kind.RENAME, "/tmp/f", "/d/f");
    assertEquals(Optional.empty(), journal.takenOver("/d/f", journal.takeovers()));
    assertTrue(journal.takenOver("/d/f", journal.takeovers() - 1).isPresent(), "since the plan");
    append(new JournalEntry.PolicySet(now.toString(), "/d", "", "ONE_SSD"));
    assertFalse(journal.maySet("/d/f", "ONE_SSD"), "its own");
    set("/d/f", "ONE_SSD", Access.By.SERVICE);
    assertTrue(journal.maySet("/d/f", "ONE_SSD"), "where it showed none");
  }

  @Test
  void whatAUserMovesElsewhereIsForgotten() throws Exception {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.POLICY, "/d/f", null);
    comes(Access.Kind.RENAME, "/d/f", "/tmp/f");
    assertFalse(journal.isOnOrBelow("/tmp"));
    comes(Access.Kind.RENAME, "/tmp/f", "/d/f");
    assertFalse(journal.maySet("/d/f", "ONE_SSD"), "hers, as before");
    comes(Access.Kind.RENAME, "/d/f", "/tmp/f");
    write();
    reopen();
    assertFalse(journal.isOnOrBelow("/tmp"));
  }

  @Test
  void whatAUserMovesFromBelowAPolicyOfTheServiceStaysTheServices() {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    set("/e", "ONE_SSD", Access.By.SERVICE);
    set("/f", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.RENAME, "/d/_temporary/1", "/d/1");
    comes(Access.Kind.RENAME, "/e/2", "/d/2");
    comes(Access.Kind.RENAME, "/f", "/d/3");
    for (String path : List.of("/d/1", "/d/2", "/d/3")) {
      assertTrue(journal.maySet(path, "ONE_SSD"), path);
    }
  }

  /** When the service set it, it saw what was there. */
  @Test
  void aRenameOfLongBeforeThePolicyThatIsReadAgainChangesNothing() {
    long before = now.toEpochMilli();
    now = now.plusSeconds(3600);
    set("/d", "ONE_SSD", Access.By.SERVICE);
    owners.accept(
        new Line(Access.Kind.RENAME, before, "/tmp/1", "/d/1", "alice", Access.By.OTHERS));
    assertTrue(journal.maySet("/d/1", "ONE_SSD"));
  }

  @Test
  void whoRenamesToAndFroFillsNoJournal() throws Exception {
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    set("/d/b", "ONE_SSD", Access.By.SERVICE);
    Growth growth = new Growth();
    for (int i = 0; i < 1000; i++) {
      comes(Access.Kind.RENAME, "/d/a", "/d/b");
      comes(Access.Kind.RENAME, "/d/b", "/d/c");
      comes(Access.Kind.RENAME, "/d/c", "/d/a");
      assertTrue(journal.maySet("/d/a", "ONE_SSD"));
      assertFalse(journal.maySet("/d/b", "ONE_SSD"), "it was replaced");
    }
    owners.endOfPoll();
    growth.isAtMost(1, 1);
    comes(Access.Kind.RENAME, "/d/a", "/d/b");
    owners.endOfPoll();
    growth.isAtMost(2, 2);
    reopen();
    assertTrue(journal.maySet("/d/b", "ONE_SSD"));
    assertFalse(journal.maySet("/d/a", "ONE_SSD"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/d", "/d/a", "/d/below"})
  void whoSetsAPolicyAgainAndAgainFillsNoJournal(String path) throws Exception {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    Growth growth = new Growth();
    for (int i = 0; i < 1000; i++) {
      comes(Access.Kind.POLICY, path, null);
    }
    owners.endOfPoll();
    growth.isAtMost(1, 1);
    for (int i = 0; i < 1000; i++) {
      comes(Access.Kind.POLICY, path, null);
      owners.endOfPoll();
    }
    growth.isAtMost(1, 1);
    for (int i = 0; i < 1000; i++) {
      comes(Access.Kind.NO_POLICY, path, null);
      comes(Access.Kind.POLICY, path, null);
    }
    owners.endOfPoll();
    growth.isAtMost(2, 2);
    reopen();
    assertFalse(journal.maySet(path, "ONE_SSD"));
  }

  @Test
  void whoSetsBothAndRenamesFillsNoJournal() throws Exception {
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    Growth growth = new Growth();
    for (int i = 0; i < 1000; i++) {
      comes(Access.Kind.RENAME, "/d/a", "/d/b");
      comes(Access.Kind.POLICY, "/d/b", null);
      comes(Access.Kind.RENAME, "/d/b", "/d/a");
      comes(Access.Kind.NO_POLICY, "/d/a", null);
    }
    owners.endOfPoll();
    growth.isAtMost(1, 1);
    reopen();
    assertEquals(
        Optional.of("alice"),
        journal.taken("/d/a", JournalEntry.Taken.NO_POLICY).map(JournalEntry.TakenOver::who));
    assertFalse(journal.maySet("/d/a", "ONE_SSD"));
  }

  /** Whatever users and the service do, a restart knows the same of whose each path is. */
  @Test
  void whatIsWrittenComesToWhatIsRemembered() throws Exception {
    List<String> paths =
        List.of("/d", "/d/a", "/d/b", "/d/s", "/d/s/a", "/e", "/e/a", "/f", "/f/a");
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder done = new StringBuilder("seed " + seed);
      journal.close();
      memory = new JournalMemory();
      open();
      for (int i = 0; i < 40; i++) {
        String path = paths.get(random.nextInt(paths.size()));
        String to = paths.get(random.nextInt(paths.size()));
        int kind = random.nextInt(10);
        done.append("\n").append(kind).append(' ').append(path).append(' ').append(to);
        switch (kind) {
          case 0, 1 -> set(path, random.nextBoolean() ? "ONE_SSD" : "", Access.By.SERVICE);
          case 2 -> comes(Access.Kind.POLICY, path, null);
          case 3 -> comes(Access.Kind.NO_POLICY, path, null);
          case 4 -> comes(Access.Kind.DELETE, path, null);
          case 5 -> owners.endOfPoll();
          default -> {
            if (!Paths.isAtOrBelow(path, to) && !Paths.isAtOrBelow(to, path)) {
              comes(Access.Kind.RENAME, path, to);
            }
          }
        }
      }
      owners.endOfPoll();
      List<Object> remembered = known(paths);
      reopen();
      assertEquals(remembered, known(paths), done::toString);
    }
  }

  private List<Object> known(List<String> paths) {
    List<Object> known = new ArrayList<>(List.of(journal.policies(), journal.changes()));
    for (String path : paths) {
      known.add(path + " " + journal.maySet(path, "ONE_SSD"));
      known.add(journal.takenFrom(path).map(JournalEntry.PolicySet::policy));
    }
    return known;
  }

  /** What waits to be written comes before what the service does after it. */
  @Test
  void whatTheServiceSetsAfterwardsIsItsOwnAfterARestart() throws Exception {
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.POLICY, "/d/a", null);
    long changes = journal.changes();
    append(new JournalEntry.PolicySet(now.toString(), "/d/a", "COLD", ""));
    assertEquals(changes + 2, journal.changes(), "as many as are written");
    reopen();
    assertTrue(journal.maySet("/d/a", "COLD"));
    assertFalse(journal.maySet("/d/a", "ONE_SSD"));
    assertEquals(changes + 2, journal.changes());
  }

  @Test
  void whatCannotBeWrittenIsWrittenLater() throws Exception {
    set("/d/a", "ONE_SSD", Access.By.SERVICE);
    memory.fail(new IOException("full"));
    comes(Access.Kind.POLICY, "/d/a", null);
    assertThrows(UncheckedIOException.class, owners::endOfPoll);
    assertFalse(journal.maySet("/d/a", "ONE_SSD"));
    memory.fail(null);
    owners.endOfPoll();
    reopen();
    assertFalse(journal.maySet("/d/a", "ONE_SSD"));
  }

  @Test
  void aDirectoryOfWhichOthersTakeVeryManyFilesIsTheirs() throws Exception {
    set("/d", "ONE_SSD", Access.By.SERVICE);
    set("/d/own", "ONE_SSD", Access.By.SERVICE);
    set("/d/sub", "ONE_SSD", Access.By.SERVICE);
    set("/e", "ONE_SSD", Access.By.SERVICE);
    comes(Access.Kind.POLICY, "/d/sub/hers", null);
    for (int i = 0; i < 10_000; i++) {
      comes(Access.Kind.POLICY, "/d/gone", null);
      comes(Access.Kind.DELETE, "/d/gone", null);
    }
    for (int i = 0; i < 5_000; i++) {
      comes(Access.Kind.POLICY, "/d/" + i, null);
      comes(Access.Kind.POLICY, "/e/" + i, null);
      comes(Access.Kind.RENAME, "/e/" + i, "/d/e" + i);
    }
    assertTrue(journal.maySet("/d/other", "ONE_SSD"));
    comes(Access.Kind.POLICY, "/d/more", null);
    comes(Access.Kind.POLICY, "/d/afterwards", null);
    owners.endOfPoll();
    for (int restarts = 0; restarts < 2; restarts++) {
      assertFalse(journal.maySet("/d/other", "ONE_SSD"));
      assertFalse(journal.maySet("/d/7", "ONE_SSD"));
      assertTrue(journal.taken("/d/7", JournalEntry.Taken.POLICY).isEmpty(), "forgotten");
      assertTrue(journal.taken("/d/afterwards", JournalEntry.Taken.POLICY).isEmpty());
      assertTrue(journal.maySet("/d/own", "ONE_SSD"), "set on it");
      assertFalse(journal.maySet("/d/sub/hers", "ONE_SSD"), "below another of ours");
      reopen();
    }
  }

  /** As a restart does. */
  private void reopen() throws IOException {
    journal.close();
    open();
  }

  /** Of the journal. */
  private final class Growth {
    private final long entries = journal.size().appended();
    private int boundaries;

    Growth() {
      memory.boundary(() -> boundaries++);
    }

    void isAtMost(int more, int writes) {
      long appended = journal.size().appended() - entries;
      assertTrue(appended <= more, () -> appended + " entries");
      assertTrue(boundaries <= 3 * writes, () -> boundaries / 3 + " writes");
    }
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
  private static final class Factor implements ActionCalls {
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
