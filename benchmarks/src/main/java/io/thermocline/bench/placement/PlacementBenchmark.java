// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One look-up of the three replicas of a key on nodes of weights 1, 2 and 4; of jump hash and
 * JumpBackHash, which know neither weights nor replicas, of one node. Keys are in a row, as block ids are.
 *
 * <p>{@code bin/thermocline bench placement}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {
  static final int REPLICAS = 3;

  /** What is compared. */
  public enum Algorithm {
    PLAN(PlanPlacer::new),
    SUORA(SuoraPlacer::assigned),
    ATTRIBUTED(AttributedPlacer::new),
    RING(RingPlacer::new),
    ASURA(AsuraPlacer::new),
    STRAW2(Straw2Placer::new),
    JUMP(JumpPlacer::new),
    JUMPBACK(JumpBackPlacer::new);

    private final Function<double[], ReplicaPlacer> maker;

    Algorithm(Function<double[], ReplicaPlacer> maker) {
      this.maker = maker;
    }

    /** A placer on nodes of these weights. */
    public ReplicaPlacer on(double[] weights) {
      return maker.apply(weights);
    }
  }

  /** All of them, unless the command line of JMH names some. */
  @Param public Algorithm algorithm;

  @Param({"64", "512", "4096", "32768", "100000"})
  public int nodes;

  private final int[] placed = new int[REPLICAS];
  private ReplicaPlacer placer;
  private long key;

  @Setup
  public void build() {
    placer = algorithm.on(weights(nodes));
    if (algorithm != Algorithm.JUMP && algorithm != Algorithm.JUMPBACK) {
      check();
    }
  }

  @Benchmark
  public int place() {
    placer.place(key++, placed);
    return placed[0] + placed[REPLICAS - 1];
  }

  /** A placer that put two replicas on one node would be fast. */
  private void check() {
    for (int checked = 0; checked < 100; checked++) {
      placer.place(checked, placed);
      if (Arrays.stream(placed).distinct().count() < REPLICAS) {
        throw new IllegalStateException(
            algorithm + " put key " + checked + " on " + Arrays.toString(placed));
      }
    }
  }

  /** 1, 2 and 4, in turns. */
  static double[] weights(int nodes) {
    double[] weights = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      weights[node] = 1 << node % 3;
    }
    return weights;
  }
}
