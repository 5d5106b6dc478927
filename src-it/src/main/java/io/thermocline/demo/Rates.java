// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.Sample;
import io.thermocline.placement.model.StorageType;
import java.util.ArrayDeque;
import java.util.Deque;

/** What happened in the last seconds, from samples of what happened since the start. Not thread-safe. */
final class Rates {

  private static final double SECONDS = 5;

  private final Deque<Sample> window = new ArrayDeque<>();

  void at(Sample sample) {
    window.addLast(sample);
    while (window.size() > 2 && sample.seconds() - window.peekFirst().seconds() > SECONDS) {
      window.removeFirst();
    }
  }

  double auditEventsPerSecond() {
    if (window.size() < 2) {
      return 0;
    }
    Sample first = window.peekFirst();
    Sample last = window.peekLast();
    double seconds = last.seconds() - first.seconds();
    return seconds <= 0 ? 0 : (last.auditEvents() - first.auditEvents()) / seconds;
  }

  /** The type's share of the reads, from 0 to 1. */
  double readShare(StorageType type) {
    long all = 0;
    for (StorageType each : StorageType.values()) {
      all += reads(each);
    }
    return all == 0 ? 0 : (double) reads(type) / all;
  }

  private long reads(StorageType type) {
    if (window.size() < 2) {
      return 0;
    }
    return total(window.peekLast(), type) - total(window.peekFirst(), type);
  }

  private static long total(Sample sample, StorageType type) {
    Sample.Tier tier = sample.tiers().get(type);
    return tier == null ? 0 : tier.readsTotal();
  }
}
