// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.AccessEvent;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How hot each path is: its reads, each weighing half as much after every half-life. One thread
 * accepts events and cools; any thread may ask.
 */
public final class Heat {

  /**
   * What one read adds to the counters. Counters are whole numbers and cooling rounds down, so that
   * with 1 a single read would be forgotten at the first cooling. 2^31 / 1024 reads in a few
   * half-lives are still two million a path.
   */
  static final int UNIT = 1024;

  /** Cooling goes over the whole table, so not at every event but this often in a half-life. */
  private static final int STEPS_PER_HALF_LIFE = 16;

  private final HotnessTable table;
  private final String nameservice;
  private final long stepMillis;
  private final Clock clock;
  private final LongAdder reads = new LongAdder();
  private final AtomicLong cooledAt;

  /**
   * @param nameservice part of every key, so that equal paths of two nameservices stay apart
   * @param halfLife at least a second
   */
  public Heat(HotnessTable table, String nameservice, Duration halfLife, Clock clock) {
    this.table = table;
    this.nameservice = nameservice;
    this.stepMillis = Math.max(1, halfLife.toMillis() / STEPS_PER_HALF_LIFE);
    this.clock = clock;
    this.cooledAt = new AtomicLong(clock.millis());
  }

  /** Counts a read; carries heat along with a rename; forgets what was deleted or written anew. */
  public void accept(AccessEvent event) {
    long key = Keys.of(nameservice, event.path());
    switch (event.kind()) {
      case READ -> {
        table.add(key, UNIT);
        reads.increment();
      }
      case RENAME -> {
        int heat = table.estimate(key);
        table.subtract(key, heat);
        long newKey = Keys.of(nameservice, event.newPath());
        table.subtract(newKey, table.estimate(newKey));
        table.add(newKey, heat);
      }
      case CREATE, DELETE -> table.subtract(key, table.estimate(key));
    }
  }

  /** Applies the cooling that is due since the last call; cheap when none is. */
  public void cool() {
    long since = clock.millis() - cooledAt.get();
    long steps = since / stepMillis;
    if (steps > 0) {
      table.decay(Math.pow(0.5, (double) steps / STEPS_PER_HALF_LIFE));
      cooledAt.addAndGet(steps * stepMillis);
    }
  }

  /** Reads of the path, cooled: 3.0 is three reads just now, or six of them a half-life ago. */
  public double of(String path) {
    return (double) table.estimate(Keys.of(nameservice, path)) / UNIT;
  }

  /** Reads counted since the start, not cooled. */
  public long reads() {
    return reads.sum();
  }
}
