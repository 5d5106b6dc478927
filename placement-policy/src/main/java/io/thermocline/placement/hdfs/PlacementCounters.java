// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often the policy did what, since it was created. Safe for any thread, never blocks. */
public final class PlacementCounters {
  /** What is counted. */
  public enum Event {
    /** A replica got a storage from a number line. */
    PLACED("a replica was placed by its random sequence"),
    /** No line for the wanted storage type: none of it in the cluster, or no snapshot yet. */
    NO_LINE("the stock policy chose: no number line for the storage type"),
    /** Bounded tries came to nothing: a small scope, full or busy storages, many exclusions. */
    NO_CANDIDATE("the stock policy chose: the sequence reached no fitting storage"),
    PLACEMENT_FAILED("the stock policy chose: our part failed"),
    HINT_HONOURED("the replica that a move named was deleted"),
    EXCESS_HEALED("an excess replica was deleted that the stock policy would have kept for good"),
    DELETION_FAILED("the stock policy chose the replica to delete: our part failed"),
    SNAPSHOT_BUILT("the number lines were built anew"),
    REFRESH_FAILED("the number lines could not be refreshed, the old ones stay"),
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

  PlacementCounters() {
    for (Event event : Event.values()) {
      adders.put(event, new LongAdder());
    }
  }

  void count(Event event) {
    adders.get(event).increment();
  }

  public long get(Event event) {
    return adders.get(event).sum();
  }

  @Override
  public String toString() {
    return adders.toString();
  }
}
