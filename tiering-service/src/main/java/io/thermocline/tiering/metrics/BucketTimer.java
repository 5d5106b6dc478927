// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.metrics;

import io.dropwizard.metrics5.ExponentiallyDecayingReservoir;
import io.dropwizard.metrics5.Reservoir;
import io.dropwizard.metrics5.Snapshot;
import io.dropwizard.metrics5.Timer;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Dropwizard's timer, which also counts how many times were up to each of some bounds: percentiles can't be put together
 * over several services or a longer time, such counts can. Thread-safe.
 */
final class BucketTimer extends Timer {

  private static final double[] UP_TO_SECONDS = {
    0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, Double.POSITIVE_INFINITY
  };

  private final Buckets buckets;

  BucketTimer() {
    this(new Buckets());
  }

  private BucketTimer(Buckets buckets) {
    super(buckets);
    this.buckets = buckets;
  }

  ClassicHistogramBuckets buckets() {
    return buckets.now();
  }

  double sumSeconds() {
    return getSum() / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private static final class Buckets implements Reservoir {

    private final Reservoir sample = new ExponentiallyDecayingReservoir();
    private final LongAdder[] counts = new LongAdder[UP_TO_SECONDS.length];

    private Buckets() {
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    @Override
    public void update(long nanos) {
      double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
      int bucket = 0;
      while (seconds > UP_TO_SECONDS[bucket]) {
        bucket++;
      }
      counts[bucket].increment();
      sample.update(nanos);
    }

    private ClassicHistogramBuckets now() {
      ClassicHistogramBuckets.Builder now = ClassicHistogramBuckets.builder();
      for (int i = 0; i < counts.length; i++) {
        now.bucket(UP_TO_SECONDS[i], counts[i].sum());
      }
      return now.build();
    }

    @Override
    public int size() {
      return sample.size();
    }

    @Override
    public Snapshot getSnapshot() {
      return sample.getSnapshot();
    }
  }
}
