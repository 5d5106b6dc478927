// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** Requests made up to the figures of a {@link TraceModel}; the same for the same seed. */
final class GeneratedTrace {

  /*
   * Chunks of 256 MB have ranks. The first 5 % get the share of requests that table 3.3 names, the next 15 % what is left to
   * the share of the first 20 %, the others the rest; within each class the first chunk gets three times as much as the
   * last. A chunk of the third class is at work in some epochs only, then with so much more ("most of the data chunks
   * have never been accessed in most of the periods"); and now and then a chunk of the second changes places with one of
   * the third. Within a chunk, some of its four parts are busy and the others idle, for good. Requests come in bursts
   * to one part, a few milliseconds apart.
   */
  private static final double[] CLASSES = {0.05, 0.15, 0.80};
  private static final double SLOPE = 0.5;
  private static final int PAGE = 4096;

  private final TraceModel model;
  private final SplittableRandom random;
  private final int chunks;

  /** Chunk of each rank. */
  private final int[] chunkOfRank;

  private final boolean[] busyPart;
  private final TraceModel.Use[] uses;
  private final long[] streams;

  private GeneratedTrace(TraceModel model, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.chunks = (int) (model.volumeBytes() / Extents.CHUNK);
    this.chunkOfRank = shuffled(chunks);
    this.busyPart = new boolean[chunks * Extents.PARTS];
    this.uses = new TraceModel.Use[chunks];
    this.streams = new long[chunks * Extents.PARTS];
    for (int rank = 0; rank < chunks; rank++) {
      int chunk = chunkOfRank[rank];
      uses[chunk] = model.uses().get(classOf(rank)).pick(random.nextDouble());
      // One at least.
      int one = random.nextInt(Extents.PARTS);
      for (int i = 0; i < Extents.PARTS; i++) {
        busyPart[chunk * Extents.PARTS + i] = i == one || random.nextDouble() < model.busyParts();
      }
    }
  }

  /**
   * @param epochs how long, in epochs of the model
   */
  static BlockTrace of(TraceModel model, int epochs, long seed) {
    return new BlockTrace(
        model.name(),
        new GeneratedTrace(model, seed).requests(epochs),
        model.scmBytes(),
        model.ssdBytes(),
        model.epochSeconds());
  }

  private List<BlockRequest> requests(int epochs) {
    List<BlockRequest> requests = new ArrayList<>(epochs * model.requestsPerEpoch());
    double perSecond = model.requestsPerEpoch() / model.epochSeconds();
    for (int epoch = 0; epoch < epochs; epoch++) {
      drift();
      double[] cumulative = cumulative();
      double now = epoch * model.epochSeconds();
      double end = now + model.epochSeconds();
      while (true) {
        int burst =
            1
                + (int)
                    Math.floor(Math.log(1 - random.nextDouble()) / Math.log(1 - 1 / model.burst()));
        now += -Math.log(1 - random.nextDouble()) * burst / perSecond;
        if (now >= end) {
          break;
        }
        burst(requests, now, end, burst, pick(cumulative));
      }
    }
    requests.sort(Comparator.comparingDouble(BlockRequest::seconds));
    return requests;
  }

  private void burst(List<BlockRequest> requests, double start, double end, int count, int rank) {
    int chunk = chunkOfRank[rank];
    int part;
    do {
      part = chunk * Extents.PARTS + random.nextInt(Extents.PARTS);
    } while (!busyPart[part]);
    double at = start;
    for (int i = 0; i < count && at < end; i++) {
      boolean write = random.nextDouble() < uses[chunk].writeShare();
      requests.add(request(at, write, part, uses[chunk], classOf(rank)));
      at += -Math.log(1 - random.nextDouble()) * model.gapSeconds();
    }
  }

  private BlockRequest request(
      double at, boolean write, int part, TraceModel.Use use, int rankClass) {
    double mean = (write ? model.writeBytes() : model.readBytes()) * model.sizeFactor(rankClass);
    // Between a half and three halves of the mean, in sectors.
    long bytes = Math.max(1, Math.round(mean * (0.5 + random.nextDouble()) / 512)) * 512;
    long within;
    if (use.sequential()) {
      within = streams[part];
      streams[part] = within + 2 * bytes > Extents.PART ? 0 : within + bytes;
    } else {
      long area = Math.max(2 * bytes, (long) (use.area() * Extents.PART));
      within = random.nextLong((area - bytes) / PAGE + 1) * PAGE;
    }
    return new BlockRequest(at, write, part * Extents.PART + within, bytes);
  }

  private void drift() {
    int second = (int) (CLASSES[0] * chunks);
    int third = (int) ((CLASSES[0] + CLASSES[1]) * chunks);
    for (int rank = second; rank < third; rank++) {
      if (random.nextDouble() < model.drift()) {
        int other = third + random.nextInt(chunks - third);
        int chunk = chunkOfRank[rank];
        chunkOfRank[rank] = chunkOfRank[other];
        chunkOfRank[other] = chunk;
      }
    }
  }

  private double[] cumulative() {
    double[] cumulative = new double[chunks];
    double[] shares = {
      model.top5Requests(), model.top20Requests() - model.top5Requests(), 1 - model.top20Requests()
    };
    double[] weights = new double[chunks];
    double[] sums = new double[CLASSES.length];
    int[] sizes = new int[CLASSES.length];
    for (int rank = 0; rank < chunks; rank++) {
      sizes[classOf(rank)]++;
    }
    int within = 0;
    for (int rank = 0; rank < chunks; rank++) {
      int of = classOf(rank);
      within = rank > 0 && classOf(rank - 1) == of ? within + 1 : 0;
      boolean atWork = of < 2 || random.nextDouble() < model.coldAtWork();
      weights[rank] = atWork ? 1 + SLOPE * (1 - 2.0 * within / Math.max(1, sizes[of] - 1)) : 0;
      sums[of] += weights[rank];
    }
    double sum = 0;
    for (int rank = 0; rank < chunks; rank++) {
      int of = classOf(rank);
      sum += sums[of] == 0 ? 0 : weights[rank] / sums[of] * shares[of];
      cumulative[rank] = sum;
    }
    return cumulative;
  }

  private int pick(double[] cumulative) {
    int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[chunks - 1]);
    return Math.min(chunks - 1, found < 0 ? -found - 1 : found + 1);
  }

  private int classOf(int rank) {
    if (rank < CLASSES[0] * chunks) {
      return 0;
    }
    return rank < (CLASSES[0] + CLASSES[1]) * chunks ? 1 : 2;
  }

  private int[] shuffled(int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      all[i] = all[other];
      all[other] = i;
    }
    return all;
  }
}
