// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.testbed.workload.Zipf;
import java.util.SplittableRandom;

/** What one job asks for, one after the other. One thread. */
final class Requests {
  private final Load load;
  private final int job;
  private final Zipf zipf;
  private final SplittableRandom random;
  private final long stride;
  private long done;
  private int drawn;

  /**
   * @param offset in the object
   */
  record Request(int object, long offset, boolean write) {}

  /**
   * @param job number of it, over all clients
   */
  Requests(Load load, int job, Zipf zipf, SplittableRandom random) {
    this.load = load;
    this.job = job;
    this.zipf = zipf;
    this.random = random;
    // Prime to the number of requests, so that each is reached once.
    long step = load.requests() * 5 / 8 | 1;
    while (gcd(step, load.requests()) != 1) {
      step += 2;
    }
    this.stride = load.requests() == 1 ? 1 : step;
  }

  boolean hasNext() {
    return done < load.requests();
  }

  Request next() {
    boolean write = load.readShare() < 1 && random.nextDouble() >= load.readShare();
    long size = Storage.OBJECT_BYTES;
    Request request =
        switch (load.order()) {
          case SEQUENTIAL -> inFile(done, write);
          case RANDOM -> inFile((done * stride + job) % load.requests(), write);
          case DRAWN -> {
            int object = zipf.draw(random);
            yield new Request(object, load.bytes() * random.nextLong(size / load.bytes()), write);
          }
          case DRAWN_RUNS -> {
            long inObject = size / load.bytes();
            if (done % inObject == 0) {
              drawn = zipf.draw(random);
            }
            yield new Request(drawn, done % inObject * load.bytes(), write);
          }
        };
    done++;
    return request;
  }

  private Request inFile(long piece, boolean write) {
    long place = piece * load.bytes();
    int object = job * Load.FILE_OBJECTS + (int) (place / Storage.OBJECT_BYTES);
    return new Request(object, place % Storage.OBJECT_BYTES, write);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
