// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.ChoicePolicy;
import io.thermocline.placement.choice.Location;
import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.MetricsView;
import io.thermocline.placement.choice.SaltedCandidates;
import io.thermocline.placement.choice.ServerMetrics;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * How often a policy gets the first replica, which Ceph reads, to where it wants it: blocks with one replica
 * in each of three domains, in any order, placed by the library. Immutable.
 */
final class FirstReplicaShare {
  private static final int BLOCKS = 400_000;
  private static final int DOMAINS = 3;

  private final int nodesOfDomain;
  private final long seed;

  FirstReplicaShare(int nodesOfDomain, long seed) {
    this.nodesOfDomain = nodesOfDomain;
    this.seed = seed;
  }

  /** Seen from a client in domain 0. */
  double of(ChoicePolicy policy, int choices, MetricsView metrics, IntPredicate wanted) {
    CandidateSets sets = new CandidateSets(choices, DOMAINS);
    ChoiceEngine engine = new ChoiceEngine(policy);
    SplittableRandom keys = new SplittableRandom(seed);
    int got = 0;
    for (int block = 0; block < BLOCKS; block++) {
      SaltedCandidates.fill(keys.nextLong(), this::oneOfEachDomain, sets);
      if (wanted.test(sets.device(engine.best(sets, metrics), 0))) {
        got++;
      }
    }
    return (double) got / BLOCKS;
  }

  /** Distances from a host that is none of the servers, in domain 0. */
  MetricsView fromDomainZero() {
    ServerMetrics.Builder metrics = ServerMetrics.builder(DOMAINS * nodesOfDomain);
    for (int node = 0; node < DOMAINS * nodesOfDomain; node++) {
      metrics.location(node, Location.of("host" + node, "/rack" + domainOf(node)));
    }
    return metrics.build().seenFrom(Location.of("client", "/rack0"));
  }

  /** Domains 0 and 1 have 80 GB left, domain 2 has 128 GB: the memory experiment. */
  MetricsView memoryOfTwoOccupied() {
    return (metric, node) ->
        metric.equals(Metric.MEMORY_FREE)
            ? (domainOf(node) < 2 ? 80e9 : 128e9)
            : MetricsView.UNKNOWN;
  }

  int domainOf(int node) {
    return node / nodesOfDomain;
  }

  private int oneOfEachDomain(long key, int[] devices, int from, int to) {
    SplittableRandom draw = new SplittableRandom(key);
    int first = draw.nextInt(DOMAINS);
    int step = 1 + draw.nextInt(DOMAINS - 1);
    for (int replica = 0; replica < DOMAINS; replica++) {
      int domain = (first + replica * step) % DOMAINS;
      devices[from + replica] = domain * nodesOfDomain + draw.nextInt(nodesOfDomain);
    }
    return DOMAINS;
  }
}
