// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Task;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.decide.ChunkOperation;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.PlanUnderWay;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks that outlast the service, in the journal. */
public final class JournaledTasks implements Tasks.Log {

  private static final Logger LOG = LoggerFactory.getLogger(JournaledTasks.class);

  private final Journal journal;

  private JournaledTasks(Journal journal) {
    this.journal = journal;
  }

  /**
   * With those of earlier runs. What a hint asked for is left running, for who follows hints; all else ended with the process that
   * was at it.
   */
  public static Tasks open(Journal journal, Clock clock) {
    Tasks tasks =
        new Tasks(
            clock,
            new JournaledTasks(journal),
            journal.tasks().stream().map(JournaledTasks::task).toList());
    PlanUnderWay plan = journal.underWay();
    for (Tasks.Running task : tasks.running()) {
      if (task.asked().hint().isEmpty()) {
        if (task.asked().what().equals("plan " + plan.number())) {
          task.goesOn(() -> new Tasks.Progress(plan.done(), plan.moves()));
        }
        task.end(
            Tasks.State.FAILED,
            "the service ended before it was done, and was restarted; what was begun in HDFS"
                + " is looked after");
      }
    }
    return tasks;
  }

  /** Has those of a service that goes on kept in the journal as it was opened again. */
  public static Tasks goOn(Tasks tasks, Journal journal) {
    tasks.keepIn(new JournaledTasks(journal));
    return tasks;
  }

  @Override
  public void began(Task task) throws IOException {
    Journals.record(
        journal,
        new JournalEntry.TaskBegun(
            task.began().toString(),
            task.id(),
            task.what(),
            task.who(),
            task.why(),
            task.hint().orElse("")));
  }

  @Override
  public void ended(Task task) {
    try {
      journal.append(
          new JournalEntry.TaskEnded(
              task.ended().orElseThrow().toString(),
              task.id(),
              task.state().name(),
              task.done(),
              task.total(),
              task.operations().stream().map(JournaledTasks::entry).toList(),
              task.result().orElse("")));
    } catch (IOException e) {
      LOG.warn("the end of task {} isn't recorded: {}", task.id(), e.getMessage());
    }
  }

  private static Task task(Journal.KeptTask kept) {
    JournalEntry.TaskBegun begun = kept.begun();
    Optional<JournalEntry.TaskEnded> ended = kept.ended();
    return new Task(
        begun.task(),
        ended.map(end -> Tasks.State.valueOf(end.state())).orElse(Tasks.State.RUNNING),
        begun.what(),
        begun.who(),
        begun.why(),
        Optional.of(begun.hint()).filter(hint -> !hint.isEmpty()),
        Instant.parse(begun.at()),
        ended.map(end -> Instant.parse(end.at())),
        ended.map(JournalEntry.TaskEnded::done).orElse(0L),
        ended.map(JournalEntry.TaskEnded::total).orElse(0L),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        ended.map(JournalEntry.TaskEnded::operations).orElse(List.of()).stream()
            .map(JournaledTasks::operation)
            .toList(),
        ended.map(JournalEntry.TaskEnded::result));
  }

  private static ChunkOperation operation(JournalEntry.TaskOperation kept) {
    return new ChunkOperation(
        Operation.valueOf(kept.op()),
        kept.chunk(),
        kept.bytes(),
        StorageType.valueOf(kept.source()),
        Optional.of(kept.destination()).filter(type -> !type.isEmpty()).map(StorageType::valueOf));
  }

  private static JournalEntry.TaskOperation entry(ChunkOperation operation) {
    return new JournalEntry.TaskOperation(
        operation.op().name(),
        operation.chunk(),
        operation.bytes(),
        operation.source().name(),
        operation.destination().map(StorageType::name).orElse(""));
  }
}
