// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.bench.placement.PlacementBenchmark.Algorithm;
import java.util.Arrays;
import java.util.Locale;

/** What section 4 compares. */
enum Placement {
  SUORA("SUORA"),
  /** Replicas stay in the two buckets of disks. */
  SUORA_OFF("SUORA without its hotness table"),
  /** As many virtual nodes for each node. */
  CH("consistent hashing"),
  /** Straws of one length, for which straw and straw2 are the same. */
  STRAW("CRUSH, straw buckets"),
  SSD("consistent hashing, SSDs alone");

  private final String title;

  Placement(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  String field() {
    return name().toLowerCase(Locale.ROOT);
  }

  ObjectStore store(Testbed testbed, Workload workload, long seed) {
    int objects = workload.objects();
    return switch (this) {
      case SUORA -> new SuoraStore(testbed, workload.watermarks(), objects, true, seed);
      case SUORA_OFF -> new SuoraStore(testbed, workload.watermarks(), objects, false, seed);
      case CH -> hashed(Algorithm.RING, 0, objects, seed);
      case STRAW -> hashed(Algorithm.STRAW2, 0, objects, seed);
      case SSD -> hashed(Algorithm.RING, Testbed.FIRST_SSD, objects, seed);
    };
  }

  private static ObjectStore hashed(Algorithm algorithm, int firstNode, int objects, long seed) {
    double[] equal = new double[Testbed.NODES - firstNode];
    Arrays.fill(equal, 1);
    return new HashedStore(algorithm.on(equal), firstNode, objects, seed);
  }
}
