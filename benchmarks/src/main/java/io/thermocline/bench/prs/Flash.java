// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

/**
 * An SSD: SSDSC2BA200G3T of section 4. So many requests at once wait for cells; their bytes go
 * over one bus.
 *
 * <p>Bandwidth is the paper's. 50 us for a read and 65 us for a write are of the data sheet; so
 * are 75,000 reads a second, which take four at once.
 */
final class Flash implements Device {
  static final double BYTES_PER_SECOND = 380e6;

  private static final double READ = 50e-6;
  private static final double WRITE = 65e-6;
  private static final int AT_ONCE = 4;

  private final Events events;
  private final double[] channels = new double[AT_ONCE];
  private double busFreeAt;

  Flash(Events events) {
    this.events = events;
  }

  @Override
  public void ask(long place, long bytes, boolean write, Runnable done) {
    int soonest = soonest();
    double ready = Math.max(events.now(), channels[soonest]) + (write ? WRITE : READ);
    channels[soonest] = ready;
    busFreeAt = Math.max(busFreeAt, ready) + bytes / BYTES_PER_SECOND;
    events.at(busFreeAt, done);
  }

  private int soonest() {
    int soonest = 0;
    for (int i = 1; i < AT_ONCE; i++) {
      soonest = channels[i] < channels[soonest] ? i : soonest;
    }
    return soonest;
  }

  @Override
  public double wouldTake(long bytes) {
    double ready = Math.max(events.now(), channels[soonest()]) + READ;
    return Math.max(busFreeAt, ready) + bytes / BYTES_PER_SECOND - events.now();
  }
}
