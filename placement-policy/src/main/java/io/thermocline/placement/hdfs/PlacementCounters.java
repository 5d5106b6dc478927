// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often the policy did what, since it was created. Safe for any thread, never blocks. */
public final class PlacementCounters {
  /** What is counted. */
  public enum Event {
    /** A call was answered from the snapshot, without the stock policy. */
    ANSWERED("a call was answered without the stock policy"),
    /** From the start of a NameNode to its first look at the cluster, and while looks at it fail. */
    NO_SNAPSHOT("the stock policy answered: the cluster hasn't been looked at"),
    /** Whoever turns it on wants to read the stock policy's reasons. */
    DEBUG_LOG("the stock policy answered: its debug log is on"),
    /** Writer or replica on a node that joined, or left, since the last look. */
    UNKNOWN_NODE("the stock policy answered: a node isn't in the snapshot"),
    /** No line for the wanted storage type: no bucket of ours, or no snapshot yet. */
    NO_LINE("the stock policy chose: no number line for the storage type"),
    /** Bounded tries came to nothing: full or busy storages, many exclusions. */
    NO_CANDIDATE("the stock policy chose: the sequence reached no fitting storage"),
    /** All places were looked at, with all fallback types. */
    NOT_ENOUGH("the stock policy was asked: too few nodes fit"),
    /** Of these. */
    PARTIAL("our own set was kept where too few nodes fit: the stock policy's had fewer replicas"),
    PLACEMENT_FAILED("the stock policy chose: our part failed"),
    HINT_HONOURED("the replica that a move named was deleted"),
    EXCESS_HEALED("an excess replica was deleted that the stock policy would have kept for good"),
    DELETION_FAILED("the stock policy chose the replica to delete: our part failed"),
    SNAPSHOT_BUILT("the number lines were built anew"),
    REFRESH_FAILED("the number lines could not be refreshed, after a second failure none are used"),
    TABLE_FAILED("a segment table could not be read or written, the one in memory serves on"),
    TABLE_DAMAGED("a damaged segment table was put aside, what is known of it was written anew"),
    ATTRIBUTES_LOADED("the node attributes file was read"),
    ATTRIBUTES_REJECTED("the node attributes file can't be used, what it said before stays"),
    WEAR_IGNORED("all storages of a type are past their write budget, so it was not regarded"),
    DIRECTORY_HINT("a new block went where a hint on its directory has it"),
    DIRECTORY_HINT_NO_PLACE("a hinted new block went where others go: no place was found for it"),
    DIRECTORY_HINTS_LOADED("the file of hints on directories was read"),
    DIRECTORY_HINTS_REJECTED("the file of hints on directories can't be used, it counts as empty"),
    DIRECTORY_HINTS_STALE("the file of hints on directories wasn't written anew in time"),
    REPLACED_UNKNOWN("the policy started without thermocline.placement.replaces"),
    BAD_SETTING("a setting had a bad value, the default is used");

    private final String sentence;

    Event(String sentence) {
      this.sentence = sentence;
    }

    /** For people. */
    public String sentence() {
      return sentence;
    }
  }

  private final Map<Event, LongAdder> adders = new EnumMap<>(Event.class);
  private final LongAdder[][] placed =
      new LongAdder[StorageType.values().length][Step.values().length];
  private final LongAdder decisions = new LongAdder();
  private final LongAdder decisionNanos = new LongAdder();

  PlacementCounters() {
    for (Event event : Event.values()) {
      adders.put(event, new LongAdder());
    }
    for (LongAdder[] bucket : placed) {
      Arrays.setAll(bucket, step -> new LongAdder());
    }
  }

  /** Takes counters one by one. */
  interface Reader {
    /**
     * One counter.
     *
     * @param key in upper case, words separated by underscores
     * @param sentence for people
     */
    void counter(String key, String sentence, long value);
  }

  /** Tells all counters. */
  void forEach(Reader reader) {
    adders.forEach((event, adder) -> reader.counter(event.name(), event.sentence(), adder.sum()));
    for (StorageType type : StorageType.values()) {
      for (Step step : Step.values()) {
        reader.counter(
            "PLACED_" + type + "_" + step,
            "replicas placed on " + type + ", step " + step,
            placed(type, step));
      }
    }
    reader.counter("TIMED_DECISIONS", "calls whose time was taken", timedDecisions());
    reader.counter("DECISION_NANOS", "nanoseconds that these took together", decisionNanos());
  }

  void count(Event event) {
    adders.get(event).increment();
  }

  public long get(Event event) {
    return adders.get(event).sum();
  }

  /** Counts a replica of ours. */
  void countPlaced(StorageType type, Step step) {
    placed[type.bucket()][step.ordinal()].increment();
  }

  /** Counts a call whose time was taken. */
  void decided(long nanos) {
    decisions.increment();
    decisionNanos.add(nanos);
  }

  /** Replicas that we placed in a bucket, by the step of the rack rules. */
  public long placed(StorageType type, Step step) {
    return placed[type.bucket()][step.ordinal()].sum();
  }

  /** Replicas that got their storage from a number line: all of ours but those on the writer's node. */
  public long drawn() {
    long sum = 0;
    for (StorageType type : StorageType.values()) {
      for (Step step : Step.values()) {
        sum += step == Step.LOCAL_NODE ? 0 : placed(type, step);
      }
    }
    return sum;
  }

  /** Calls whose time was taken, about one in sixteen. */
  public long timedDecisions() {
    return decisions.sum();
  }

  /** Nanoseconds that {@link #timedDecisions} took together. */
  public long decisionNanos() {
    return decisionNanos.sum();
  }

  @Override
  public String toString() {
    return adders + ", drawn " + drawn();
  }
}
