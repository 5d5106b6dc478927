// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.api.Task;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.app.records.JournaledTasks;
import io.thermocline.tiering.decide.ChunkOperation;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintTasksTest {

  private static final long HOUR = 3_600_000;

  @TempDir Path directory;

  private final Scene scene =
      new Scene().nodes(3, Map.of(DISK, 10_000L, SSD, 10_000L, ARCHIVE, 10_000L));
  private final FileView onDisk = scene.file("/d/a", 10, "n1-DISK", "n2-DISK");
  private final FileView onSsd = scene.file("/d/a", 10, "n1-SSD", "n2-DISK");
  private final FileView other = scene.file("/d/b", 10, "n1-DISK", "n2-DISK");
  private final FileView archived = scene.file("/d/a", 10, "n1-ARCHIVE", "n2-ARCHIVE");

  private Journal journal;
  private HintRegistry registry;
  private Tasks tasks;
  private HintTasks followed;

  /** Files of which a move is under way or is tried again. */
  private final Set<String> waitedFor = new HashSet<>();

  @BeforeEach
  void open() throws IOException {
    journal = Journal.open(directory);
    Clock clock = Clock.fixed(Instant.ofEpochMilli(1), ZoneOffset.UTC);
    registry =
        new HintRegistry(
            HintSettings.DEFAULT,
            SeenAccess.NAMESERVICE,
            new JournaledHints(journal::append, clock));
    JournaledHints.tell(journal, registry);
    tasks = JournaledTasks.open(journal, clock);
    followed = new HintTasks(tasks, registry, waitedFor::contains);
  }

  private void reopen() throws IOException {
    close();
    open();
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  @Test
  void isNotLookedAtBeforeItsHintBegins() throws IOException {
    Hint hint =
        Hint.onFile(Operation.PREFETCH, "/d/a")
            .owner("etl")
            .startMillis(HOUR / 2)
            .leaseExpiryMillis(HOUR)
            .build();
    GivenHint given = new GivenHint(hint, 1, "/d/a", 0);
    assertEquals(HOUR / 2, given.sinceMillis(), "it is judged from then on");
    assertEquals(HOUR / 2, given.leaseMillis());
    registry.give(given, 0);
    long id = followed.follow(given, "etl").orElseThrow();
    for (long now : new long[] {HOUR / 4, HOUR / 2}) {
      assertEquals(
          now == HOUR / 2,
          registry.inForce(now).of("/d/a", Operation.PREFETCH).isPresent(),
          "at " + now);
    }
    followed.saw(
        List.of(new HotFile(onDisk, 0)),
        List.of(),
        registry.inForce(HOUR / 4),
        path -> false,
        HOUR / 4);
    Task task = tasks.get(id).orElseThrow();
    assertEquals(Tasks.State.RUNNING, task.state());
    assertTrue(task.what().endsWith(" from 1970-01-01T00:30:00Z"), task::what);
    assertTrue(!registry.hasBegun(0, HOUR / 4) && registry.hasBegun(HOUR / 4, HOUR / 2));
  }

  @Test
  void isDoneWhenAllItsFilesAreThere() throws IOException {
    GivenHint hint = give(Operation.PREFETCH, Temperature.HOT);
    long id = followed.follow(hint, "etl").orElseThrow();
    assertEquals(id, followed.follow(hint, "etl").orElseThrow(), "renewed: the same task");
    saw(List.of(onDisk, other), Set.of("/d/a", "/d/b"), 2);
    assertTask(id, Tasks.State.RUNNING, 0, 2);
    saw(List.of(onSsd, other), Set.of("/d/b"), 2);
    assertTask(id, Tasks.State.RUNNING, 1, 2);
    saw(List.of(onSsd), Set.of(), 2);
    assertTask(id, Tasks.State.DONE, 1, 1);
    assertEquals("PREFETCH /d", tasks.get(id).orElseThrow().what());
  }

  @Test
  void showsTheTuplesOfItsOperation() throws IOException {
    List<FileView.Block> blocks =
        Stream.of(onDisk, onSsd, archived, archived).map(file -> file.blocks().get(0)).toList();
    FileView large = new FileView("/d/l", 40, 2, 0, blocks);
    long id = followed.follow(give(Operation.PREFETCH, Temperature.HOT), "etl").orElseThrow();
    saw(List.of(onDisk, large), Set.of("/d/a"), 2);
    assertEquals(
        List.of(
            operation("/d/a", 10, DISK, Optional.of(SSD)),
            operation("/d/l#0", 10, DISK, Optional.empty()),
            operation("/d/l#1", 10, SSD, Optional.empty()),
            operation("/d/l#2-3", 20, ARCHIVE, Optional.empty())),
        tasks.get(id).orElseThrow().operations());
  }

  private static ChunkOperation operation(
      String chunk, long bytes, StorageType source, Optional<StorageType> destination) {
    return new ChunkOperation(Operation.PREFETCH, chunk, bytes, source, destination);
  }

  @Test
  void goesOnAfterARestart() throws IOException {
    GivenHint hint = give(Operation.PREFETCH, Temperature.HOT);
    long ended = followed.follow(hint, "etl").orElseThrow();
    saw(List.of(onDisk), Set.of("/d/a"), 2);
    saw(List.of(onSsd), Set.of(), 2);
    long moves = followed.follow(give(Operation.MIGRATE, Temperature.COLD), "etl").orElseThrow();
    long copies = followed.follow(give(Operation.REPLICATE, Temperature.HOT), "etl").orElseThrow();
    long plan =
        tasks.begin(new Tasks.Asked("plan 7", "ann", "why"), () -> new Tasks.Progress(0, 1)).id();
    Task before = tasks.get(ended).orElseThrow();
    // Taken back by nobody who tells the tasks: the service was killed in between.
    registry.end("7.replicate", HintEnd.REMOVED, 3);

    reopen();
    assertEquals(before, tasks.get(ended).orElseThrow());
    assertEquals(
        List.of(operation("/d/a", 10, DISK, Optional.of(SSD))),
        tasks.get(ended).orElseThrow().operations());
    assertTask(plan, Tasks.State.FAILED, 0, 0);
    assertTrue(
        tasks.get(plan).orElseThrow().result().orElseThrow().startsWith("the service ended"));
    assertTask(copies, Tasks.State.FAILED, 0, 0);
    assertTask(moves, Tasks.State.RUNNING, 0, 0);
    saw(List.of(archived), Set.of(), 2);
    assertTask(moves, Tasks.State.DONE, 1, 1);
    assertEquals(
        plan + 1, followed.follow(give(Operation.PREFETCH, Temperature.HOT), "x").orElseThrow());

    reopen();
    assertTask(moves, Tasks.State.DONE, 1, 1);
    assertTask(plan, Tasks.State.FAILED, 0, 0);
    assertTask(plan + 1, Tasks.State.RUNNING, 0, 0);
  }

  @Test
  void oneOfNewFilesEndsWithTheHintAlone() throws IOException {
    GivenHint hint = give(Operation.REDIRECT, Temperature.HOT);
    long id = followed.follow(hint, "etl").orElseThrow();
    saw(List.of(), Set.of(), 2);
    assertTask(id, Tasks.State.RUNNING, 0, 0);
    saw(List.of(onSsd), Set.of(), 2);
    assertTask(id, Tasks.State.RUNNING, 1, 1);
    followed.saw(files(List.of(onSsd)), List.of(), registry.inForce(2), path -> false, HOUR);
    assertTask(id, Tasks.State.DONE, 1, 1);
  }

  @Test
  void saysWhatWasNotDone() throws IOException {
    long id = followed.follow(give(Operation.PREFETCH, Temperature.HOT), "etl").orElseThrow();
    saw(List.of(onSsd, other), Set.of(), 2);
    assertTask(id, Tasks.State.FAILED, 1, 2);
    String result = tasks.get(id).orElseThrow().result().orElseThrow();
    assertTrue(result.contains("like /d/b, explain says why not"), result);
  }

  @Test
  void waitsUntilHdfsShowsWhatThePlanBeforeDid() throws IOException {
    long id = followed.follow(give(Operation.MIGRATE, Temperature.COLD), "etl").orElseThrow();
    saw(List.of(onDisk), Set.of("/d/a"), 2);
    saw(List.of(onDisk), Set.of(), 2);
    assertTask(id, Tasks.State.RUNNING, 0, 1);
    saw(List.of(archived), Set.of(), 2);
    assertTask(id, Tasks.State.DONE, 1, 1);
  }

  @Test
  void waitsWhileAFileIsHeldForAMoveOfBefore() throws IOException {
    long id = followed.follow(give(Operation.PREFETCH, Temperature.HOT), "etl").orElseThrow();
    waitedFor.add("/d/a");
    saw(List.of(onDisk), Set.of(), 2);
    saw(List.of(onDisk), Set.of(), 2);
    assertTask(id, Tasks.State.RUNNING, 0, 1);
    waitedFor.clear();
    saw(List.of(onDisk), Set.of("/d/a"), 2);
    saw(List.of(onSsd), Set.of(), 2);
    assertTask(id, Tasks.State.DONE, 1, 1);
  }

  @Test
  void aPlanThatBeganBeforeHasNoPartInIt() throws IOException {
    long id = followed.follow(give(Operation.PREFETCH, Temperature.HOT), "etl").orElseThrow();
    saw(List.of(onDisk), Set.of(), 1);
    assertTask(id, Tasks.State.RUNNING, 0, 0);
  }

  @Test
  void endsWithTheHint() throws IOException {
    GivenHint hint = give(Operation.PREFETCH, Temperature.HOT);
    long id = followed.follow(hint, "etl").orElseThrow();
    registry.end(hint.id(), HintEnd.REMOVED, 3);
    saw(List.of(onDisk), Set.of("/d/a"), 4);
    assertTask(id, Tasks.State.FAILED, 0, 0);
    assertTrue(tasks.get(id).orElseThrow().result().orElseThrow().endsWith("the hint is over"));
  }

  @Test
  void eachOperationHasItsOwnEnd() throws IOException {
    long cold = followed.follow(give(Operation.MIGRATE, Temperature.COLD), "etl").orElseThrow();
    saw(List.of(onSsd), Set.of("/d/a"), 2);
    assertTask(cold, Tasks.State.RUNNING, 0, 1);
    saw(List.of(archived), Set.of(), 2);
    assertTask(cold, Tasks.State.DONE, 1, 1);
    long copies = followed.follow(give(Operation.REPLICATE, Temperature.HOT), "etl").orElseThrow();
    saw(List.of(onDisk), Set.of("/d/a"), 2);
    assertTask(copies, Tasks.State.RUNNING, 0, 1);
    followed.saw(files(List.of(onDisk)), List.of(), registry.inForce(2), path -> true, 2);
    assertTask(copies, Tasks.State.DONE, 1, 1);
    assertTrue(followed.follow(give(Operation.PIN, Temperature.HOT), "etl").isEmpty());
  }

  @Test
  void whatIsWarmIsThereOnceItIsNotOnArchiveAlone() throws IOException {
    long warm = followed.follow(give(Operation.MIGRATE, Temperature.WARM), "etl").orElseThrow();
    saw(List.of(archived), Set.of("/d/a"), 2);
    assertTask(warm, Tasks.State.RUNNING, 0, 1);
    saw(List.of(onDisk), Set.of(), 2);
    assertTask(warm, Tasks.State.DONE, 1, 1);
    long fast = followed.follow(give(Operation.PREFETCH, Temperature.WARM), "etl").orElseThrow();
    saw(List.of(onDisk), Set.of("/d/a"), 2);
    assertTask(fast, Tasks.State.RUNNING, 0, 1);
  }

  private void assertTask(long id, Tasks.State state, long done, long total) {
    Task task = tasks.get(id).orElseThrow();
    assertEquals(state, task.state(), task::toString);
    assertEquals(List.of(done, total), List.of(task.done(), task.total()), task::toString);
  }

  private void saw(List<FileView> files, Set<String> decided, long beganMillis) {
    List<HotFile> hot = files(files);
    followed.saw(
        hot,
        hot.stream()
            .filter(file -> decided.contains(file.file().path()))
            .map(
                file ->
                    new Decision(
                        file,
                        DISK,
                        new Target(List.of(SSD, DISK), "ONE_SSD"),
                        Decision.Cause.PROMOTED,
                        "",
                        new Gate.Benefit(0, 0, 0)))
            .toList(),
        registry.inForce(2),
        path -> false,
        beganMillis);
  }

  private static List<HotFile> files(List<FileView> files) {
    return files.stream().map(file -> new HotFile(file, 0)).toList();
  }

  private GivenHint give(Operation operation, Temperature temperature) {
    Hint hint =
        Hint.onDirectory(operation, "/d")
            .temperature(temperature)
            .owner("etl")
            .leaseExpiryMillis(HOUR)
            .build();
    GivenHint given = new GivenHint(hint, 7, "/d", 1);
    registry.give(given, 1);
    return given;
  }
}
