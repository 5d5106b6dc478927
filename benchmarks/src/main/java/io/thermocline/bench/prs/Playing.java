// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.testbed.workload.Zipf;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.device.SimDevice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Jobs on storage nodes, in events on a virtual clock: a request waits for a device, then for its client's link. One
 * thread, used once.
 *
 * <p>The first read of a group whose bytes were worth it loads the whole group into its node's memory, in one go: "the
 * subsequent reads are pre-loaded" (section 3.1). Objects that aren't in a group are read as they are.
 */
final class Playing {
  /** 1 Gbit/s. */
  private static final DeviceSpec LINK = new DeviceSpec(125e6, 125e6, 0, 0, 0, 0);

  /** Of what a node of 16 GB keeps loaded; the operating system's cache is for nobody. */
  private static final long MEMORY_BYTES = 2L << 30;

  /** What the paper's runs report. */
  record Result(double megabytesPerSecond, double requestsPerSecond, double meanMillis) {}

  private final Load load;
  private final Storage storage;
  private final CorrelationMiner miner;
  private final boolean[] preloaded;
  private final SimDevice[] devices;
  private final SimDevice[] links;
  private final PriorityQueue<Job> events = new PriorityQueue<>();
  private final double[][][] loadedAt;
  private final List<Queue<Integer>> inMemory = new ArrayList<>();
  private final long[] memory;
  private final Zipf zipf;
  private long bytes;
  private long requests;
  private double waited;
  private double now;

  /**
   * @param miner to which all reads are told; null for none
   * @param preloaded groups that are read enough to be loaded whole
   */
  Playing(Load load, Storage storage, CorrelationMiner miner, boolean[] preloaded) {
    this.load = load;
    this.storage = storage;
    this.miner = miner;
    this.preloaded = preloaded;
    devices = new SimDevice[storage.nodes()];
    memory = new long[storage.nodes()];
    for (int node = 0; node < devices.length; node++) {
      devices[node] = new SimDevice(storage.device(node));
      inMemory.add(new ArrayDeque<>());
    }
    links = new SimDevice[load.clients()];
    for (int client = 0; client < links.length; client++) {
      links[client] = new SimDevice(LINK);
    }
    loadedAt = new double[storage.nodes()][storage.groups()][];
    zipf = new Zipf(load.objects(), load.skew());
  }

  Result play(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < load.allJobs(); i++) {
      events.add(new Job(i, random.split()));
    }
    while (!events.isEmpty()) {
      Job job = events.poll();
      now = job.at;
      if (job.step()) {
        events.add(job);
      }
    }
    return new Result(bytes / now / 1e6, requests / now, waited / requests * 1e3);
  }

  private final class Job implements Comparable<Job> {
    private final int number;
    private final SplittableRandom random;
    private final long stride;
    private double at;
    private long done;
    private boolean waitingForLink;
    private boolean write;
    private int object;
    private long offset;
    private int node;
    private double began;

    Job(int number, SplittableRandom random) {
      this.number = number;
      this.random = random;
      // Prime to the number of requests, so that each is reached once.
      long step = load.requests() * 5 / 8 | 1;
      while (gcd(step, load.requests()) != 1) {
        step += 2;
      }
      this.stride = load.requests() == 1 ? 1 : step;
      // All don't begin in the same instant.
      this.at = number * 1e-6;
    }

    /** One event; returns whether there is another. */
    boolean step() {
      if (!waitingForLink) {
        began = now;
        choose();
        if (write) {
          return toLink(now);
        }
        double end = read();
        return toLink(end);
      }
      waitingForLink = false;
      boolean local = load.atSsd() && number < load.jobs() && node == storage.nodes() - 1;
      at = local ? now : links[number / load.jobs()].serveApart(now, load.bytes(), write);
      if (write) {
        at = Math.max(at, writeCopies());
      }
      bytes += load.bytes();
      requests++;
      waited += at - began;
      return ++done < load.requests();
    }

    private boolean toLink(double end) {
      waitingForLink = true;
      at = end;
      return true;
    }

    private void choose() {
      write = load.readShare() < 1 && random.nextDouble() >= load.readShare();
      long size = Storage.OBJECT_BYTES;
      switch (load.order()) {
        case SEQUENTIAL, RANDOM -> {
          boolean shuffled = load.order() == Load.Order.RANDOM;
          long piece = shuffled ? (done * stride + number) % load.requests() : done;
          long place = piece * load.bytes();
          object = number * Load.FILE_OBJECTS + (int) (place / size);
          offset = place % size;
        }
        case DRAWN -> {
          object = zipf.draw(random);
          offset = load.bytes() * random.nextLong(size / load.bytes());
        }
        case DRAWN_RUNS -> {
          long inObject = size / load.bytes();
          if (done % inObject == 0) {
            object = zipf.draw(random);
          }
          offset = done % inObject * load.bytes();
        }
      }
    }

    private double read() {
      if (miner != null) {
        miner.read(object, (long) (now * 1000), offset, load.bytes());
      }
      int group = storage.group(object);
      if (group < 0) {
        int[] copies = storage.copies(object);
        node = copies[random.nextInt(copies.length)];
        return devices[node].serve(
            now, object * Storage.OBJECT_BYTES + offset, load.bytes(), false);
      }
      int[] nodes = storage.nodesOf(group);
      node = storage.readsFastest() ? soonest(nodes) : nodes[random.nextInt(nodes.length)];
      for (int other : nodes) {
        // In memory somewhere, or coming.
        node = loadedAt[other][group] == null ? node : other;
      }
      int index = indexOf(group);
      long place = (load.objects() + group * 16L + index) * Storage.OBJECT_BYTES;
      if (!preloaded[group]) {
        return devices[node].serve(now, place + offset, load.bytes(), false);
      }
      if (loadedAt[node][group] == null) {
        load(group, index);
      }
      return Math.max(now, loadedAt[node][group][index]);
    }

    /** The fastest copy, or another one where that device is overloaded (section 3.2.2). */
    private int soonest(int[] nodes) {
      int best = nodes[0];
      for (int other : nodes) {
        if (wouldEnd(other) < wouldEnd(best)) {
          best = other;
        }
      }
      return best;
    }

    private double wouldEnd(int other) {
      return Math.max(now, devices[other].freeAt())
          + storage.device(other).seconds(load.bytes(), false, false);
    }

    private int indexOf(int group) {
      int[] members = storage.objectsOf(group);
      int index = 0;
      while (members[index] != object) {
        index++;
      }
      return index;
    }

    /** From the object that is asked for on, then the ones before it. */
    private void load(int group, int from) {
      int size = storage.objectsOf(group).length;
      double[] ends = new double[size];
      for (int i = 0; i < size; i++) {
        int index = (from + i) % size;
        long place = (load.objects() + group * 16L + index) * Storage.OBJECT_BYTES;
        ends[index] = devices[node].serve(now, place, Storage.OBJECT_BYTES, false);
      }
      loadedAt[node][group] = ends;
      inMemory.get(node).add(group);
      memory[node] += size * Storage.OBJECT_BYTES;
      while (memory[node] > MEMORY_BYTES) {
        int oldest = inMemory.get(node).remove();
        loadedAt[node][oldest] = null;
        memory[node] -= storage.objectsOf(oldest).length * Storage.OBJECT_BYTES;
      }
    }

    /** All copies, and those of its group. */
    private double writeCopies() {
      double end = now;
      for (int copy : storage.copies(object)) {
        end = Math.max(end, write(copy, object));
      }
      int group = storage.group(object);
      if (group >= 0) {
        for (int copy : storage.nodesOf(group)) {
          end = Math.max(end, write(copy, load.objects() + group * 16L + indexOf(group)));
        }
      }
      return end;
    }

    private double write(int to, long at) {
      return devices[to].serve(now, at * Storage.OBJECT_BYTES + offset, load.bytes(), true);
    }

    @Override
    public int compareTo(Job other) {
      int order = Double.compare(at, other.at);
      return order == 0 ? Integer.compare(number, other.number) : order;
    }
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
