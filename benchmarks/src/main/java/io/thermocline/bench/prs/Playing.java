// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.Requests.Request;
import io.thermocline.testbed.workload.Zipf;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Jobs on storage nodes, in events on a virtual clock: a request goes to a node, waits for its
 * device, and its bytes for the links. One thread, used once.
 *
 * <p>Every node keeps what it read in a page cache. Where groups are loaded, the first read of one has
 * a node load all of it into that: "the subsequent reads are pre-loaded" (section 3.1).
 */
final class Playing {
  /** Of a node's journal, at the other end of the data. */
  private static final long JOURNAL = 400_000_000_000L;

  private static final int JOURNAL_BYTES = 4096;

  /** What the paper's runs report. */
  record Result(double megabytesPerSecond, double requestsPerSecond, double meanMillis) {}

  private final Load load;
  private final Storage storage;
  private final CorrelationMiner miner;
  private final int[] loadedAt;
  private final Events events = new Events();
  private final Network network;
  private final PageCache[] devices;
  private final GroupLoader[] loaders;
  private final int[] underWay;
  private final List<Queue<Job>> waiting;
  private long requests;
  private double waited;
  private double end;

  /**
   * @param miner to which all reads are told; null for none
   * @param loadedAt of each group the node that loads it; -1 for none
   */
  Playing(Load load, Storage storage, CorrelationMiner miner, int[] loadedAt) {
    this.load = load;
    this.storage = storage;
    this.miner = miner;
    this.loadedAt = loadedAt;
    network = new Network(events, load.clients(), storage.nodes());
    underWay = new int[load.clients()];
    waiting =
        Stream.generate(() -> (Queue<Job>) new ArrayDeque<Job>()).limit(load.clients()).toList();
    devices = new PageCache[storage.nodes()];
    loaders = new GroupLoader[storage.nodes()];
    for (int node = 0; node < devices.length; node++) {
      Device device =
          storage.isInMemory()
              ? Device.instant()
              : storage.isSsd(node) ? new Flash(events) : new Disk(events);
      devices[node] = new PageCache(device, load.bytes());
      loaders[node] = new GroupLoader(devices[node]);
    }
  }

  Result play(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Zipf zipf = new Zipf(load.objects(), load.skew());
    for (int i = 0; i < load.allJobs(); i++) {
      Job job = new Job(i, zipf, random.split());
      // All don't begin in the same instant.
      events.at(i * 1e-6, job::next);
    }
    events.run();
    return new Result(requests * load.bytes() / end / 1e6, requests / end, waited / requests * 1e3);
  }

  private final class Job {
    private final int client;
    private final SplittableRandom random;
    private final Requests asked;
    private Request request;
    private double began;
    private int left;

    Job(int number, Zipf zipf, SplittableRandom random) {
      this.client = number / load.jobs();
      this.random = random;
      this.asked = new Requests(load, number, zipf, random.split());
    }

    void next() {
      if (!asked.hasNext()) {
        return;
      }
      if (underWay[client] == load.atOnce()) {
        waiting.get(client).add(this);
        return;
      }
      underWay[client]++;
      request = asked.next();
      began = events.now();
      if (request.write()) {
        write();
      } else {
        read();
      }
    }

    private void done() {
      end = events.now();
      requests++;
      waited += end - began;
      underWay[client]--;
      Queue<Job> others = waiting.get(client);
      others.add(this);
      while (underWay[client] < load.atOnce() && !others.isEmpty()) {
        others.remove().next();
      }
    }

    private void read() {
      int object = request.object();
      if (miner != null) {
        miner.read(object, client, (long) (events.now() * 1000), request.offset(), load.bytes());
      }
      int group = storage.group(object);
      int[] copies = storage.copies(object);
      if (group < 0) {
        readCopy(any(copies), object);
        return;
      }
      int index = indexOf(group);
      int loader = loadedAt[group];
      if (loader >= 0) {
        int objects = storage.objectsOf(group).length;
        loaders[loader].load(group, objects, storage.placeOf(group, loader), index);
      }
      int[] nodes = storage.nodesOf(group);
      if (!storage.isLaidOut()) {
        boolean isLoaded =
            loader >= 0 && devices[loader].has(placeInGroup(group, loader, index), load.bytes());
        readGroup(isLoaded ? loader : any(nodes), group, index);
        return;
      }
      ToDoubleFunction<Integer> ofGroup = node -> wouldTake(node, placeInGroup(group, node, index));
      ToDoubleFunction<Integer> ofCopy = node -> wouldTake(node, place(object, node));
      int node = soonest(nodes, ofGroup);
      int copy = soonest(copies, ofCopy);
      if (ofCopy.applyAsDouble(copy) < ofGroup.applyAsDouble(node)) {
        readCopy(copy, object);
      } else {
        readGroup(node, group, index);
      }
    }

    private void readCopy(int node, int object) {
      readAt(node, then -> devices[node].ask(place(object, node), load.bytes(), false, then));
    }

    private void readGroup(int node, int group, int index) {
      long place = placeInGroup(group, node, index);
      readAt(node, then -> devices[node].ask(place, load.bytes(), false, then));
    }

    private void readAt(int node, Consumer<Runnable> device) {
      if (isLocal(node)) {
        device.accept(this::done);
      } else {
        network.ask(
            node,
            load.bytes(),
            () -> device.accept(() -> network.read(node, client, load.bytes(), this::done)));
      }
    }

    private boolean isLocal(int node) {
      return load.atSsd() && client == 0 && node == storage.nodes() - 1;
    }

    /** Sheepdog reads at its gateway where that has a copy, else any. */
    private int any(int[] nodes) {
      for (int node : nodes) {
        if (isLocal(node)) {
          return node;
        }
      }
      return nodes[random.nextInt(nodes.length)];
    }

    /** The fastest, or another one where that is overloaded (section 3.2.2). */
    private int soonest(int[] nodes, ToDoubleFunction<Integer> seconds) {
      int best = nodes[0];
      for (int other : nodes) {
        best = seconds.applyAsDouble(other) < seconds.applyAsDouble(best) ? other : best;
      }
      return best;
    }

    private double wouldTake(int node, long place) {
      return (devices[node].has(place, load.bytes()) ? 0 : devices[node].wouldTake(load.bytes()))
          + (isLocal(node) ? 0 : network.wouldTake(node, load.bytes()));
    }

    private int indexOf(int group) {
      int[] members = storage.objectsOf(group);
      int index = 0;
      while (members[index] != request.object()) {
        index++;
      }
      return index;
    }

    private long place(int object, int node) {
      return storage.place(object, node) + request.offset();
    }

    private long placeInGroup(int group, int node, int index) {
      return storage.placeOf(group, node) + index * Storage.OBJECT_BYTES + request.offset();
    }

    /** All copies, and those of its group. */
    private void write() {
      int object = request.object();
      int group = storage.group(object);
      int[] copies = storage.copies(object);
      int[] others = group < 0 ? new int[0] : storage.nodesOf(group);
      left = copies.length + others.length;
      for (int node : copies) {
        writeAt(node, place(object, node));
      }
      for (int node : others) {
        writeAt(node, placeInGroup(group, node, indexOf(group)));
      }
    }

    private void writeAt(int node, long place) {
      network.write(
          client,
          node,
          load.bytes(),
          () -> devices[node].ask(place, load.bytes(), true, () -> written(node)));
    }

    /** What is new is in the file system's journal too before it counts. */
    private void written(int node) {
      if (load.creates()) {
        devices[node].ask(JOURNAL, JOURNAL_BYTES, true, this::copied);
      } else {
        copied();
      }
    }

    private void copied() {
      if (--left == 0) {
        done();
      }
    }
  }
}
