// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * What of one kind of objects is read together: in this period, and in the one before as long as this one may know too
 * little. Memory is bounded by the settings. Not thread-safe.
 */
final class ReadTogether {

  private static final int WITH_DATED_SETS = 4;

  private final MiningSettings settings;
  private final DatedSets sets = new DatedSets();
  private Period current;
  private Period before;

  /** Reads of one period, and the names that keys stand for. */
  private static final class Period {
    private final CorrelationMiner miner;
    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, DatedSets.Dated> dated = new HashMap<>();
    private final long beganMillis;

    private Period(CorrelationMiner miner, long beganMillis) {
      this.miner = miner;
      this.beganMillis = beganMillis;
    }

    private void name(long key, String name) {
      names.put(key, name);
      DatedSets.Dated folded = DatedSets.fold(name);
      if (folded != null) {
        dated.put(key, folded);
      }
    }
  }

  /** A group, and what its members' keys stand for; null where that was forgotten. */
  record Group(ObjectGroup group, LongFunction<String> names) {}

  ReadTogether(MiningSettings settings, long nowMillis) {
    this.settings = settings;
    this.current = new Period(new CorrelationMiner(settings), nowMillis);
    this.before = current;
  }

  /** Whether the name of an object is needed no more. */
  boolean knows(long key) {
    return current.names.containsKey(key);
  }

  /** Keeps what a key stands for. */
  void name(long key, String name) {
    if (current.names.size() >= 2 * settings.mostObjects()) {
      current.names.keySet().removeIf(known -> current.miner.reads(known) == 0);
      current.dated.keySet().retainAll(current.names.keySet());
    }
    current.name(key, name);
  }

  /**
   * @param reader hash of who reads
   * @param bytes how many; 0 where nobody knows
   */
  void read(long key, long reader, long atMillis, long offset, long bytes) {
    current.miner.read(key, reader, atMillis, offset, bytes);
  }

  /** A period that is older than this becomes the one before. */
  void turn(long nowMillis, long periodMillis) {
    if (nowMillis - current.beganMillis >= periodMillis) {
      before = current;
      current = new Period(new CorrelationMiner(settings), nowMillis);
    }
  }

  /**
   * Of this period, then of the one before.
   *
   * @param hotShare of the objects that are hot, 0 to 1
   */
  List<Group> groups(double hotShare) {
    List<Group> groups = new ArrayList<>();
    for (Period period : before == current ? List.of(current) : List.of(current, before)) {
      sets.and(period.miner, period.miner.groups(hotShare), period.dated)
          .forEach(group -> groups.add(new Group(group, period.names::get)));
    }
    return groups;
  }

  void writeTo(StateSink sink) {
    sink.text(settings.toString());
    sink.number(WITH_DATED_SETS | (before == current ? 1 : 2));
    write(current, sink);
    if (before != current) {
      write(before, sink);
    }
    sets.writeTo(sink);
  }

  private static void write(Period period, StateSink sink) {
    sink.number(period.beganMillis);
    period.miner.writeTo(sink);
    sink.number(period.names.size());
    period.names.forEach(
        (key, name) -> {
          sink.number(key);
          sink.text(name);
        });
  }

  /**
   * Goes on from what was saved.
   *
   * @return false where that was of other settings: then it begins anew, and what follows can't be read
   */
  boolean restore(StateSource source) {
    if (!source.text().equals(settings.toString())) {
      return false;
    }
    Supplier<Period> period =
        () -> {
          long began = source.number();
          Period read = new Period(CorrelationMiner.restore(settings, source), began);
          for (int left = source.size(2L * settings.mostObjects()); left > 0; left--) {
            read.name(source.number(), source.text());
          }
          return read;
        };
    long periods = source.number();
    current = period.get();
    before = (periods & 2) != 0 ? period.get() : current;
    if ((periods & WITH_DATED_SETS) != 0) {
      sets.restore(source);
    }
    return true;
  }
}
