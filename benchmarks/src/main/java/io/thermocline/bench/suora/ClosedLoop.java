// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.device.SimDevice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Jobs that read and write objects on the nodes of a testbed, each waiting for one request before the next, in events on
 * a virtual clock. One thread.
 *
 * <p>A read waits for the device, then for its client's link; a write for the link, then for the devices of all replicas.
 * What the store wants moved is copied beside that, by as many movers as there are SSDs, each with one piece at a time
 * through the same devices.
 */
final class ClosedLoop {

  /*
   * Each data set is first read through once: the learning passes. Plans are made 20 times in each, where no copy of
   * the plan before is left, and once more at its end. Then, when all copies are made, the last data set is
   * read through again: the measured pass, with reads counted as ever, but no more plans.
   */
  private static final int PLANS_OF_A_PASS = 20;

  private static final int MOVERS = Testbed.NODES_OF_A_BUCKET;
  private static final long PIECE_BYTES = 1 << 20;

  private final ObjectStore store;
  private final Workload workload;
  private final SplittableRandom random;
  private final SimDevice[] devices = new SimDevice[Testbed.NODES];
  private final List<Job> jobs = new ArrayList<>();
  private final List<Mover> idle = new ArrayList<>();
  private final PriorityQueue<Actor> events = new PriorityQueue<>();
  private final Queue<ObjectStore.Copying> copies = new ArrayDeque<>();
  private final BitSet moved = new BitSet();
  private double now;

  // Of the pass at hand.
  private Popularity dataSet;
  private long left;
  private long bytes;
  private double lastEnd;
  private long reads;
  private long ssdReads;

  private long demotions;

  private ClosedLoop(Testbed testbed, ObjectStore store, Workload workload, long seed) {
    this.store = store;
    this.workload = workload;
    this.random = new SplittableRandom(seed);
    for (int node = 0; node < devices.length; node++) {
      devices[node] = new SimDevice(testbed.device(node));
    }
    for (int client = 0; client < workload.clients(); client++) {
      SimDevice in = link();
      SimDevice out = link();
      for (int i = 0; i < workload.jobs(); i++) {
        jobs.add(new Job(jobs.size(), in, out));
      }
    }
    for (int i = 0; i < MOVERS; i++) {
      idle.add(new Mover(jobs.size() + i));
    }
  }

  private static SimDevice link() {
    double rate = Testbed.LINK_BYTES_PER_SECOND;
    return new SimDevice(new DeviceSpec(rate, rate, 0, 0, 0, 0));
  }

  /** The same seed and input give the same outcome. */
  static Outcome run(Testbed testbed, ObjectStore store, Workload workload, long seed) {
    return new ClosedLoop(testbed, store, workload, seed).run();
  }

  private Outcome run() {
    double learnedBytes = 0;
    double learningSeconds = 0;
    for (int i = 0; i < workload.dataSets().size(); i++) {
      if (i > 0) {
        store.cool();
      }
      learningSeconds += pass(workload.dataSets().get(i), true);
      learnedBytes += bytes;
    }
    double seconds = pass(dataSet, false);
    return new Outcome(
        bytes / seconds / 1e6,
        learnedBytes / learningSeconds / 1e6,
        reads == 0 ? 0 : (double) ssdReads / reads,
        (double) moved.cardinality() / workload.objects(),
        (double) demotions / workload.objects());
  }

  /** Reads a data set through; returns the seconds until the last request's end. Ends when all copies are made. */
  private double pass(Popularity objects, boolean planning) {
    dataSet = objects;
    left = workload.operations(objects);
    bytes = 0;
    reads = 0;
    ssdReads = 0;
    double start = now;
    long planEvery = Math.max(1, left / PLANS_OF_A_PASS);
    long planAt = left - planEvery;
    jobs.forEach(Job::begin);
    while (!events.isEmpty()) {
      next();
      if (planning && left <= planAt) {
        plan();
        planAt = left - planEvery;
      }
    }
    if (planning) {
      plan();
      while (!events.isEmpty()) {
        next();
      }
    }
    return lastEnd - start;
  }

  private void next() {
    Actor actor = events.poll();
    now = actor.at;
    actor.act();
  }

  private void plan() {
    if (idle.size() == MOVERS) {
      copies.addAll(store.plan());
      List<Mover> waiting = List.copyOf(idle);
      idle.clear();
      waiting.forEach(Mover::next);
    }
  }

  /** Has one event ahead of it at most. */
  private abstract static class Actor implements Comparable<Actor> {
    private final int number;
    double at;

    Actor(int number) {
      this.number = number;
    }

    abstract void act();

    @Override
    public final int compareTo(Actor other) {
      int order = Double.compare(at, other.at);
      return order == 0 ? Integer.compare(number, other.number) : order;
    }
  }

  private enum Step {
    READ,
    RECEIVED,
    SENT,
    WRITTEN
  }

  private final class Job extends Actor {
    private final SimDevice in;
    private final SimDevice out;
    private int object;
    private int node;
    private long offset;
    private int requestsLeft;
    private boolean write;
    private Step step;

    Job(int number, SimDevice in, SimDevice out) {
      super(number);
      this.in = in;
      this.out = out;
    }

    void begin() {
      if (left == 0) {
        return;
      }
      left--;
      object = dataSet.pick(random);
      write = random.nextDouble() >= workload.readShare();
      requestsLeft = workload.requests();
      offset =
          requestsLeft > 1
              ? 0
              : workload.requestBytes()
                  * random.nextLong(Testbed.OBJECT_BYTES / workload.requestBytes());
      if (!write) {
        node = store.read(object, random);
        reads++;
        ssdReads += node >= Testbed.FIRST_SSD ? 1 : 0;
      }
      request();
    }

    private void request() {
      if (write) {
        then(Step.SENT, out.serveApart(now, workload.requestBytes(), true));
      } else {
        then(Step.READ, device(node, false));
      }
    }

    private double device(int target, boolean writing) {
      long place = object * Testbed.OBJECT_BYTES + offset;
      return devices[target].serve(now, place, workload.requestBytes(), writing);
    }

    @Override
    void act() {
      switch (step) {
        case READ -> then(Step.RECEIVED, in.serveApart(now, workload.requestBytes(), false));
        case SENT -> {
          double end = now;
          for (int replica : store.nodes(object)) {
            end = Math.max(end, device(replica, true));
          }
          then(Step.WRITTEN, end);
        }
        case RECEIVED, WRITTEN -> {
          bytes += workload.requestBytes();
          lastEnd = now;
          offset += workload.requestBytes();
          if (--requestsLeft > 0) {
            request();
          } else {
            begin();
          }
        }
      }
    }

    private void then(Step next, double end) {
      step = next;
      at = end;
      events.add(this);
    }
  }

  private final class Mover extends Actor {
    private ObjectStore.Copying copying;
    private long done;
    private boolean writing;

    Mover(int number) {
      super(number);
    }

    void next() {
      copying = copies.poll();
      if (copying == null) {
        idle.add(this);
        return;
      }
      done = 0;
      piece(copying.from(), false);
    }

    private void piece(int node, boolean write) {
      writing = write;
      long place = copying.object() * Testbed.OBJECT_BYTES + done;
      at = devices[node].serve(now, place, PIECE_BYTES, write);
      events.add(this);
    }

    @Override
    void act() {
      if (!writing) {
        piece(copying.to(), true);
        return;
      }
      done += PIECE_BYTES;
      if (done < Testbed.OBJECT_BYTES) {
        piece(copying.from(), false);
        return;
      }
      store.copied(copying);
      demotions += copying.from() >= Testbed.FIRST_SSD ? 1 : 0;
      moved.set(copying.object());
      next();
    }
  }
}
