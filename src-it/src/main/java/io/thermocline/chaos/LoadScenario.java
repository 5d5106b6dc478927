// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;

/** What is read often changes all the time: files go up and down, and what the service takes of its host stays. */
final class LoadScenario extends UserScenario {

  private static final String DIRECTORY = "load";
  private static final int DIRECTORIES = 4;
  private static final int FILES = 10;

  /** Steps that one directory is read in: then it cools. */
  private static final int TURN = 40;

  private static final int STEPS_A_SAMPLE = 10;

  /** Within less a JVM hasn't come to rest. */
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(10);

  private static final int STEPS_A_SECOND = 2;
  private static final int MORE_THREADS = 10;
  private static final int MORE_DESCRIPTORS = 20;
  private static final double MORE_MEMORY = 1.25;
  private static final int MIB = 1 << 20;

  private final List<Resources> samples = new ArrayList<>();
  private int steps;
  private long moves;

  LoadScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      create(DIRECTORY + i, FILES);
    }
    moves = cluster.journal().finished();
  }

  @Override
  void step() throws IOException {
    files.read(DIRECTORY + steps / TURN % DIRECTORIES);
    if (steps % STEPS_A_SAMPLE == 0) {
      samples.add(cluster.host().service().resources());
    }
    steps++;
  }

  @Override
  void checkAfterUsers() throws IOException {
    moves = cluster.journal().finished() - moves;
    if (moves == 0) {
      violation("nothing was moved under load");
    }
    if (steps < LONG_ENOUGH.toSeconds() * STEPS_A_SECOND / 2) {
      return;
    }
    Resources first = first();
    Resources last = last();
    if (last.threads() > first.threads() + MORE_THREADS
        || last.descriptors() > first.descriptors() + MORE_DESCRIPTORS
        || last.memory() > first.memory() * MORE_MEMORY) {
      violation("the service takes more and more of its host: " + first + ", later " + last);
    }
  }

  /** After a sixth of the time. */
  private Resources first() {
    return Resources.median(samples.subList(samples.size() / 6, samples.size() / 3 + 1));
  }

  /** In the last sixth. */
  private Resources last() {
    return Resources.median(samples.subList(samples.size() * 5 / 6, samples.size()));
  }

  @Override
  void report(ObjectNode line) {
    if (samples.isEmpty()) {
      return;
    }
    line.put("load_moves", moves);
    report(line, "first", first());
    report(line, "last", last());
  }

  private static void report(ObjectNode line, String when, Resources taken) {
    line.put("load_memory_mib_" + when, taken.memory() / MIB)
        .put("load_threads_" + when, taken.threads())
        .put("load_descriptors_" + when, taken.descriptors());
  }

  @Override
  String unsettled() throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      for (int id : files.ids(DIRECTORY + i)) {
        if (files.bytesOn(id, StorageType.SSD) > 0) {
          return files.path(id) + " is on SSD, and nobody reads it";
        }
      }
    }
    return "";
  }
}
