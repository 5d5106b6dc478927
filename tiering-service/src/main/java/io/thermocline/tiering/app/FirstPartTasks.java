// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.FirstParts;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the journal, the log and the tasks what becomes of first parts. One thread. */
final class FirstPartTasks {

  private static final Logger LOG = LoggerFactory.getLogger(FirstPartTasks.class);

  private final Clock clock;
  private final Map<String, Tasks.Running> watched = new HashMap<>();

  FirstPartTasks(Clock clock) {
    this.clock = clock;
  }

  /** Nobody watches them any more. */
  void end(String why) {
    watched.values().forEach(task -> task.end(Tasks.State.FAILED, why));
    watched.clear();
  }

  void changed(List<FirstParts.Change> changes, Acting acting) throws IOException {
    for (FirstParts.Change change : changes) {
      acting
          .journal()
          .append(
              new JournalEntry.FirstPart(
                  clock.instant().toString(),
                  change.directory(),
                  change.state().name(),
                  change.files(),
                  change.expected(),
                  change.served(),
                  change.reason()));
      LOG.info("{}", change.reason());
      Tasks.Running ended = watched.remove(change.directory());
      if (ended != null) {
        ended.end(Tasks.State.DONE, change.reason());
      }
      if (change.state() == FirstParts.State.WATCHED) {
        watched.put(
            change.directory(),
            acting
                .planQueue()
                .tasks()
                .begin(
                    new Tasks.Asked(
                        "first part of " + change.directory(), "the service", change.reason()),
                    () -> new Tasks.Progress(0, 1)));
      }
    }
  }
}
