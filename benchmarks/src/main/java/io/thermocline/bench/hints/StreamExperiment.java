// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.hints.Volume.Request;
import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.OwnerReliability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Figures 2.8 and 2.9 of the thesis: four kinds of files, placed as they come or by what the hints of their streams say, with
 * the most accessed chunks migrated to SCM from time to time in both cases.
 */
final class StreamExperiment {

  private static final long CHUNK = TopChunks.CHUNK;
  private static final int HDD = 0;
  private static final int SSD = 1;
  private static final int SCM = 2;

  /** In chunks: 125, 20 and 5 GB. */
  private static final int[] CAPACITY = {125 * 1024, 20 * 1024, 5 * 1024};

  /** The application's own time for an operation. */
  private static final double THINK_SECONDS = 0.0002;

  /** A stream: 125 GB in all, so that what is written at random fits SCM and what is read at random fits SSD. */
  private enum Kind {
    RANDOM_WRITE(AccessPattern.RANDOM_WRITE, 4, 1, 4),
    WEB_SERVER(AccessPattern.READ_INTENSIVE, 18, 900, 25),
    FILE_SERVER(AccessPattern.UNKNOWN, 83, 658, 12),
    SINGLE_STREAM_WRITE(AccessPattern.SEQUENTIAL, 20, 1, 1);

    private final AccessPattern pattern;
    private final int chunks;
    private final int files;
    private final int threads;

    Kind(AccessPattern pattern, int gigabytes, int files, int threads) {
      this.pattern = pattern;
      this.chunks = gigabytes * 1024;
      this.files = files;
      this.threads = threads;
    }
  }

  /**
   * @param megabytesPerSecond of all requests
   * @param migrated bytes
   */
  record Result(double megabytesPerSecond, double requestsPerSecond, long migrated) {}

  private final int[] device;
  private final int[] first = new int[Kind.values().length];
  private final int[] used = new int[3];
  private final SplittableRandom random;
  private final Volume volume = new Volume(Volume.HDD, Volume.SSD, Volume.SCM);
  private final TopChunks top;
  private long streamAt;

  private StreamExperiment(boolean hinted, long seed) {
    random = new SplittableRandom(seed);
    int chunks = 0;
    for (Kind kind : Kind.values()) {
      first[kind.ordinal()] = chunks;
      chunks += kind.chunks;
    }
    device = new int[chunks];
    if (hinted) {
      byStream();
    } else {
      byOrder();
    }
    top = new TopChunks(volume, device, used, CAPACITY[SCM]);
  }

  /**
   * @param seconds of the virtual clock
   * @param every seconds between migrations
   */
  static Result run(boolean hinted, double seconds, double every, long seed) {
    return new StreamExperiment(hinted, seed).run(seconds, every);
  }

  private Result run(double seconds, double every) {
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < kind.threads; i++) {
        volume.thread(THINK_SECONDS, () -> operation(kind));
      }
    }
    top.every(every, seconds);
    volume.run(seconds);
    return new Result(
        volume.megabytesPerSecond(), volume.requestsPerSecond(), volume.migratedBytes());
  }

  /** Files of all kinds as they come: the volume is filled from its slowest device on. */
  private void byOrder() {
    List<Integer> order = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      int perFile = kind.chunks / kind.files;
      for (int at = 0; at < kind.chunks; at += perFile) {
        order.add(first[kind.ordinal()] + at);
      }
    }
    for (int i = order.size() - 1; i > 0; i--) {
      java.util.Collections.swap(order, i, random.nextInt(i + 1));
    }
    for (int start : order) {
      Kind kind = kindOf(start);
      int perFile = kind.chunks / kind.files;
      int end = Math.min(start + perFile, first[kind.ordinal()] + kind.chunks);
      for (int chunk = start; chunk < end; chunk++) {
        put(chunk, HDD);
      }
    }
  }

  private Kind kindOf(int chunk) {
    Kind found = Kind.RANDOM_WRITE;
    for (Kind kind : Kind.values()) {
      found = first[kind.ordinal()] <= chunk ? kind : found;
    }
    return found;
  }

  /** By the enhanced stream ID: random writes on SCM, random reads on SSD, sequences on HDD, the rest where room is left. */
  private void byStream() {
    List<GivenHint> hints = new ArrayList<>();
    Map<String, String> tags = new HashMap<>();
    for (Kind kind : Kind.values()) {
      Hint hint =
          Hint.onStream(Operation.ADVISE, kind.name())
              .pattern(kind.pattern)
              .owner("filebench")
              .leaseExpiryMillis(Long.MAX_VALUE)
              .build();
      hints.add(GivenHint.onStream(hint, 0));
      tags.put("/" + kind.name(), GivenHint.streamOf("filebench", kind.name()));
    }
    HintsInForce inForce =
        new HintsInForce(hints, tags, owner -> OwnerReliability.NEW, HintRates.DEFAULT, 1);
    for (Kind kind : Kind.values()) {
      AccessPattern pattern =
          inForce.of("/" + kind.name() + "/file", Operation.ADVISE).orElseThrow().hint().pattern();
      for (int i = 0; i < kind.chunks; i++) {
        switch (pattern) {
          case RANDOM_WRITE -> put(first[kind.ordinal()] + i, SCM);
          case READ_INTENSIVE -> put(first[kind.ordinal()] + i, SSD);
          case SEQUENTIAL -> put(first[kind.ordinal()] + i, HDD);
          default -> put(first[kind.ordinal()] + i, used[SSD] < CAPACITY[SSD] ? SSD : HDD);
        }
      }
    }
  }

  /** On the device, or the next faster one with room. */
  private void put(int chunk, int wanted) {
    int at = wanted;
    while (used[at] >= CAPACITY[at]) {
      at = (at + 1) % CAPACITY.length;
    }
    device[chunk] = at;
    used[at]++;
  }

  private List<Request> operation(Kind kind) {
    int start = first[kind.ordinal()];
    int perFile = kind.chunks / kind.files;
    return switch (kind) {
      case RANDOM_WRITE -> one(start + random.nextInt(kind.chunks), 8 << 10, true);
      case WEB_SERVER -> one(start + random.nextInt(kind.chunks), 64 << 10, false);
      case SINGLE_STREAM_WRITE -> one(start + (int) (streamAt++ % kind.chunks), CHUNK, true);
      case FILE_SERVER -> {
        int file = start + perFile * random.nextInt(kind.files);
        boolean write = random.nextBoolean();
        List<Request> all = new ArrayList<>();
        // A file in parts, as many as its mean of 13 MB.
        int from = random.nextInt(Math.max(1, perFile - 13));
        for (int i = 0; i < 13; i++) {
          all.addAll(one(file + from + i, CHUNK, write));
        }
        yield all;
      }
    };
  }

  private List<Request> one(int chunk, long bytes, boolean write) {
    long inside = bytes == CHUNK ? 0 : bytes * random.nextLong(CHUNK / bytes);
    return List.of(new Request(top.accessed(chunk), chunk * CHUNK + inside, bytes, write));
  }
}
