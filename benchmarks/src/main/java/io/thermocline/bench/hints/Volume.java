// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.device.SimDevice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Devices, and threads that send them requests, each waiting for one before the next, in events on a virtual clock. A
 * background mover copies beside them through the same devices. One thread.
 */
final class Volume {

  static final long MB = 1_000_000;

  /** As conf/thermocline.yaml has them; a request elsewhere than where the last one ended seeks. */
  static final DeviceSpec HDD = new DeviceSpec(150 * MB, 140 * MB, 0, 0, 0.008, 0);

  static final DeviceSpec SSD = new DeviceSpec(450 * MB, 400 * MB, 0.0001, 0.0001, 0, 0);
  static final DeviceSpec SCM = new DeviceSpec(2000 * MB, 1000 * MB, 0.00001, 0.00001, 0, 0);

  /** The slowest first. */
  static final DeviceSpec[] DEVICES = {HDD, SSD, SCM};

  /**
   * As the thesis has them in its table 1.1: those that its chapter 3 names as its own, an archive disk of 8 TB and a SATA
   * SSD; and memory in the place of SCM.
   */
  static final DeviceSpec[] TABLE_1_1 = {
    new DeviceSpec(150 * MB, 150 * MB, 0, 0, 0.0055, 0),
    new DeviceSpec(550 * MB, 220 * MB, 1.0 / 10_000, 1.0 / 90_000, 0, 0),
    new DeviceSpec(10_000 * MB, 10_000 * MB, 0, 0, 0, 0)
  };

  private final SimDevice[] devices;
  private final PriorityQueue<Actor> events = new PriorityQueue<>();
  private final Queue<Copy> copies = new ArrayDeque<>();
  private boolean moving;
  private long number;
  private double now;

  // What was served.
  private long requests;
  private double waited;
  private long bytes;
  private long migrated;

  /** One request of a thread. */
  record Request(int device, long offset, long bytes, boolean write) {}

  /** A chunk that is copied beside; {@code done} is told when it is there. */
  record Copy(int from, int to, long offset, long bytes, Runnable done) {}

  private static final class Actor implements Comparable<Actor> {
    private final double at;
    private final long order;
    private final Runnable act;

    Actor(double at, long order, Runnable act) {
      this.at = at;
      this.order = order;
      this.act = act;
    }

    @Override
    public int compareTo(Actor other) {
      int by = Double.compare(at, other.at);
      return by == 0 ? Long.compare(order, other.order) : by;
    }
  }

  Volume(DeviceSpec... specs) {
    devices = new SimDevice[specs.length];
    for (int i = 0; i < specs.length; i++) {
      devices[i] = new SimDevice(specs[i]);
    }
  }

  double now() {
    return now;
  }

  /** Runs something at a time. */
  void at(double time, Runnable act) {
    events.add(new Actor(time, number++, act));
  }

  /**
   * A thread that takes one operation after the other, a list of requests, until one has none.
   *
   * @param thinkSeconds before each: the application's own time
   */
  void thread(double thinkSeconds, Supplier<List<Request>> operations) {
    next(thinkSeconds, operations, new ArrayDeque<>());
  }

  private void next(double thinkSeconds, Supplier<List<Request>> operations, Queue<Request> left) {
    if (left.isEmpty()) {
      at(
          now + thinkSeconds,
          () -> {
            left.addAll(operations.get());
            if (!left.isEmpty()) {
              send(thinkSeconds, operations, left);
            }
          });
    } else {
      send(thinkSeconds, operations, left);
    }
  }

  private void send(double thinkSeconds, Supplier<List<Request>> operations, Queue<Request> left) {
    Request request = left.poll();
    double began = now;
    double end =
        devices[request.device()].serve(now, request.offset(), request.bytes(), request.write());
    at(
        end,
        () -> {
          requests++;
          waited += now - began;
          bytes += request.bytes();
          next(thinkSeconds, operations, left);
        });
  }

  /** Copies in their order, one at a time. */
  void migrate(List<Copy> more) {
    copies.addAll(more);
    if (!moving) {
      moving = true;
      copy();
    }
  }

  /** Gives up what was not begun. */
  void dropCopies() {
    copies.clear();
  }

  private void copy() {
    Copy copy = copies.poll();
    if (copy == null) {
      moving = false;
      return;
    }
    double read = devices[copy.from()].serve(now, copy.offset(), copy.bytes(), false);
    at(
        read,
        () ->
            at(
                devices[copy.to()].serve(now, copy.offset(), copy.bytes(), true),
                () -> {
                  migrated += copy.bytes();
                  copy.done().run();
                  copy();
                }));
  }

  /** Runs until nothing is left to do, or the time is over. */
  void run(double untilSeconds) {
    while (!events.isEmpty() && events.peek().at <= untilSeconds) {
      Actor next = events.poll();
      now = next.at;
      next.act.run();
    }
  }

  double meanLatencyMillis() {
    return 1000 * waited / Math.max(1, requests);
  }

  double megabytesPerSecond() {
    return bytes / now / MB;
  }

  double requestsPerSecond() {
    return requests / now;
  }

  long migratedBytes() {
    return migrated;
  }

  /**
   * A file's bytes from an offset.
   *
   * @param turn bytes of a request
   */
  static List<Request> whole(int device, long offset, long length, boolean write, long turn) {
    List<Request> all = new ArrayList<>();
    for (long at = 0; at < length; at += turn) {
      all.add(new Request(device, offset + at, Math.min(turn, length - at), write));
    }
    return all;
  }
}
