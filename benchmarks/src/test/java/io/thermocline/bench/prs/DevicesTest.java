// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The devices of the simulation do what their data sheets say. */
class DevicesTest {

  private static final long MB = 1_000_000;

  /** Seconds for so many reads, so many of them asked at once. */
  private static double seconds(
      Events events, Device device, int reads, int atOnce, long bytes, LongUnaryOperator place) {
    int[] asked = {0};
    Runnable[] next = new Runnable[1];
    next[0] =
        () -> {
          if (asked[0] < reads) {
            device.ask(place.applyAsLong(asked[0]++), bytes, false, next[0]);
          }
        };
    for (int i = 0; i < atOnce; i++) {
      events.at(0, next[0]);
    }
    events.run();
    return events.now();
  }

  private static LongUnaryOperator anywhere() {
    SplittableRandom random = new SplittableRandom(1);
    return i -> random.nextLong(490_000 * MB);
  }

  @Test
  void aDiskSeeksAndTurnsForEachReadElsewhere() {
    Events events = new Events();
    double each = seconds(events, new Disk(events), 4_000, 1, 512, anywhere()) / 4_000;
    // 8.5 ms and half a turn of 8.33 ms.
    assertEquals(12.7e-3, each, 0.7e-3);
  }

  @Test
  void aDiskReadsOnAtItsBandwidth() {
    Events events = new Events();
    double all = seconds(events, new Disk(events), 1_000, 1, MB, i -> i * MB);
    assertEquals(1_000 * MB / Disk.BYTES_PER_SECOND, all, 0.02);
  }

  @Test
  void aDiskTakesTheNearestOfWhatItKnows() {
    Events one = new Events();
    double alone = seconds(one, new Disk(one), 2_000, 1, 512, anywhere());
    Events many = new Events();
    double queued = seconds(many, new Disk(many), 2_000, 32, 512, anywhere());
    assertTrue(queued < alone / 2, queued + " of " + alone);
  }

  @Test
  void aDiskHasReadAheadWhatIsAskedLittleLater() {
    Events events = new Events();
    Disk disk = new Disk(events);
    List<Double> ends = new ArrayList<>();
    disk.ask(0, MB, false, () -> ends.add(events.now()));
    events.at(1, () -> disk.ask(MB, MB, false, () -> ends.add(events.now())));
    events.run();
    assertEquals(1, ends.get(1), 1e-9, "from its buffer");
  }

  @Test
  void anSsdHasItsLatencyItsReadsASecondAndItsBandwidth() {
    Events one = new Events();
    assertEquals(52.7e-6, seconds(one, new Flash(one), 1_000, 1, 1_024, anywhere()) / 1_000, 1e-6);
    Events many = new Events();
    double rate = 100_000 / seconds(many, new Flash(many), 100_000, 32, 1_024, anywhere());
    assertEquals(75_000, rate, 7_500);
    Events large = new Events();
    assertEquals(
        100 * MB / Flash.BYTES_PER_SECOND,
        seconds(large, new Flash(large), 100, 4, MB, anywhere()),
        0.01);
  }

  @Test
  void aGroupIsLoadedOneObjectAfterTheOtherFromTheOneThatWasReadOn() {
    Events events = new Events();
    Disk disk = new Disk(events);
    PageCache cache = new PageCache(disk, 512 << 10);
    GroupLoader loader = new GroupLoader(cache);
    List<String> there = new ArrayList<>();
    loader.load(7, 3, 0, 1);
    loader.load(7, 3, 0, 0);
    for (double at : new double[] {0.04, 0.07, 0.12}) {
      events.at(at, () -> there.add(has(cache, 0) + " " + has(cache, 1) + " " + has(cache, 2)));
    }
    events.run();
    // 26 ms each; back to the first takes a turn.
    assertEquals(List.of("false true false", "false true true", "true true true"), there);
    assertEquals(3 * 4 * 1024 * 1024 / Disk.BYTES_PER_SECOND, events.now(), 0.045);
  }

  private static boolean has(PageCache cache, int object) {
    return cache.has(object * Storage.OBJECT_BYTES, Storage.OBJECT_BYTES);
  }

  @Test
  void whatWasReadIsInMemoryAndWhoAsksMeanwhileWaits() {
    Events events = new Events();
    Disk disk = new Disk(events);
    PageCache cache = new PageCache(disk, 64 << 10);
    List<Double> ends = new ArrayList<>();
    for (int reader = 0; reader < 3; reader++) {
      cache.ask(0, 64 << 10, false, () -> ends.add(events.now()));
    }
    events.run();
    assertEquals(1, ends.stream().distinct().count(), ends::toString);
    double before = events.now();
    cache.ask(0, 64 << 10, false, () -> ends.add(events.now()));
    assertEquals(before, ends.get(3));
    assertTrue(cache.has(0, 64 << 10) && !cache.has(64 << 10, 64 << 10));
    // What follows is read ahead.
    cache.ask(64 << 10, 64 << 10, false, () -> {});
    events.run();
    assertTrue(cache.has(128 << 10, 128 << 10));
  }

  @Test
  void whatADiskWouldTakeIsWhatItTookSoFar() {
    Events events = new Events();
    Disk disk = new Disk(events);
    double each = seconds(events, disk, 4_000, 1, 512, anywhere()) / 4_000;
    assertEquals(each, disk.wouldTake(512), 0.1e-3);
  }

  @Test
  void aLinkIsSharedAndBothEndsBindIt() {
    Events events = new Events();
    Network network = new Network(events, 2, 1);
    double[] ends = new double[2];
    for (int client = 0; client < 2; client++) {
      int to = client;
      network.ask(0, 125 * MB, () -> network.read(0, to, 125 * MB, () -> ends[to] = events.now()));
    }
    events.run();
    assertEquals(1, Math.min(ends[0], ends[1]), 0.001);
    assertEquals(2, Math.max(ends[0], ends[1]), 0.001, "the node sends to one after the other");
  }
}
