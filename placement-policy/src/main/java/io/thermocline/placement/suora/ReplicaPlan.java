// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * How the three replicas of a new block are drawn, so that each node gets its share of them although no
 * node holds two and no rack holds three. Immutable, safe for any thread; draws allocate nothing.
 *
 * <p>Nodes and racks are numbered from 0. A share is the expected number of replicas of a block.
 */
public final class ReplicaPlan {

  // Replicas that are drawn one after the other, in proportion to capacity, don't come out in
  // proportion: what may not be drawn twice, and the second rack, give light nodes too much. So the
  // shares are chosen first and the draws after them.
  //
  // 1. a[i] is the probability that node i has the first replica, the single: the writer's node, or
  //    drawn. b[i] is the expected number of the other two, the pair, on it. Rules allow b[i] up to
  //    1 - a[i], and on a rack up to 2 minus the rack's a. Within that, b is as close to proportion
  //    as can be: all grow together until one can't, and the others go on.
  // 2. The pair is drawn by weights w of nodes. Given the single on node j of rack r, nodes i and k
  //    are drawn with a probability in proportion to w[i] w[k] if both are on one rack other than
  //    r, to lambda w[i] w[k] if they are on different racks, and 0 if one is j or both are on r.
  //    The weights are fitted until the expected numbers are b. For lambda > 0 that has a solution
  //    for each b that the rules allow. 0 is HDFS's own rule, two replicas on one rack and one on
  //    another, and is tried first.
  //
  // A cluster with one rack is drawn as if each node were one.

  /** There is no such node. */
  public static final int NONE = -1;

  private static final double[] LAMBDAS = {0, 1.0 / 4096, 1.0 / 64, 1};
  private static final int STEPS = 60;
  private static final int LEAST_ROUNDS = 100;
  private static final int MOST_ROUNDS = 3000;
  private static final int NODES_AND_ROUNDS = 1 << 20;
  private static final double CLOSE = 1e-10;
  private static final double FITTED = 1e-4;
  private static final double TOLERANCE = 0.002;

  /** Shares at the limit of what the rules allow would take weights without limit. */
  private static final double OF_LIMIT = 0.9995;

  // By place on the line, where the nodes of a rack lie side by side.
  private final int[] nodeAt;
  private final int[] placeOf;
  private final int[] rackStart;
  private final int[] rackAt;

  /** Ends of each place: of free singles, of weights, of pairs with later ones of the same rack and of others. */
  private final double[] singleEnds;

  private final double[] ends;
  private final double[] sameEnds;
  private final double[] crossEnds;
  private final double lambda;
  private final double[] shares;

  private ReplicaPlan(Fit fit, double[] free, double[] shares) {
    int nodes = free.length;
    this.nodeAt = fit.line.nodeAt;
    this.rackStart = fit.line.rackStart;
    this.lambda = fit.lambda;
    this.shares = shares;
    this.placeOf = new int[nodes];
    this.rackAt = new int[nodes];
    this.singleEnds = new double[nodes];
    this.ends = new double[nodes + 1];
    this.sameEnds = new double[nodes + 1];
    this.crossEnds = new double[nodes + 1];
    double sum = 0;
    for (int place = 0; place < nodes; place++) {
      placeOf[nodeAt[place]] = place;
      rackAt[place] = fit.line.rackOf[nodeAt[place]];
      sum += free[nodeAt[place]];
      singleEnds[place] = sum;
      ends[place + 1] = ends[place] + fit.w[nodeAt[place]];
    }
    for (int place = 0; place < nodes; place++) {
      double behindRack = ends[rackStart[rackAt[place] + 1]];
      double w = ends[place + 1] - ends[place];
      sameEnds[place + 1] = sameEnds[place] + w * (behindRack - ends[place + 1]);
      crossEnds[place + 1] = crossEnds[place] + w * (ends[nodes] - behindRack);
    }
  }

  /**
   * A plan.
   *
   * @param single by node, its weight for the single replica; 0 where it can't have that
   * @param pair the same for the other two; the same array where all three have one storage type, and then
   *     only what the node gets altogether counts
   * @param rackOf by node
   * @param local by node, the share of blocks whose single is on it in any case, as their writer is; may
   *     add up to 1 at most
   * @return null where the cluster is too small for any choice
   */
  public static ReplicaPlan of(double[] single, double[] pair, int[] rackOf, double[] local) {
    int nodes = single.length;
    double outside = Math.max(0, 1 - sum(local));
    double[] a = new double[nodes];
    double[] b;
    Line line = new Line(rackOf);
    if (single == pair) {
      double[] all = filled(pair, local, new double[nodes], line, 3 - sum(local));
      if (all == null) {
        return null;
      }
      // Any order of the three will do, so each has its part of what isn't given.
      b = new double[nodes];
      for (int i = 0; i < nodes; i++) {
        a[i] = local[i] + all[i] * outside / (2 + outside);
        b[i] = all[i] * 2 / (2 + outside);
      }
    } else {
      double ofSingle = sum(single);
      if (!(ofSingle > 0)) {
        return null;
      }
      Arrays.setAll(a, i -> local[i] + outside * single[i] / ofSingle);
      b = filled(pair, new double[nodes], a, line, 2);
      if (b == null) {
        return null;
      }
    }
    Fit best = null;
    for (double lambda : LAMBDAS) {
      Fit fit = new Fit(line, a, b, lambda);
      fit.run(Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, NODES_AND_ROUNDS / nodes)));
      if (best == null || fit.off < best.off) {
        best = fit;
      }
      if (best.off < TOLERANCE) {
        break;
      }
    }
    if (best.off == Double.MAX_VALUE) {
      return null;
    }
    double[] free = new double[nodes];
    Arrays.setAll(free, i -> Math.max(0, a[i] - local[i]));
    double[] shares = new double[nodes];
    double[] pairs = best.shares;
    Arrays.setAll(shares, i -> a[i] + pairs[i]);
    return new ReplicaPlan(best, sum(free) < CLOSE ? a : free, shares);
  }

  /** By node, the expected number of replicas of a block that it gets. */
  public double[] shares() {
    return shares.clone();
  }

  /** Memory of the tables. */
  public long bytes() {
    long numbers = singleEnds.length + ends.length + sameEnds.length + crossEnds.length;
    long indices = nodeAt.length + placeOf.length + rackAt.length + rackStart.length;
    return (numbers + shares.length) * Double.BYTES + indices * Integer.BYTES;
  }

  /** The node of the single replica, for a writer that is none. */
  public int single(long key) {
    int last = singleEnds.length - 1;
    return nodeAt[find(singleEnds, 0, last, unit(key) * singleEnds[last])];
  }

  /**
   * The two nodes of the pair, in any order, for {@link #one} and {@link #other}.
   *
   * @param single the node of the single replica
   * @return {@link #NONE} where the key has none, or the single leaves none
   */
  public long pair(long key, int single) {
    int j = placeOf[single];
    int rack = rackAt[j];
    int start = rackStart[rack];
    int end = rackStart[rack + 1];
    int nodes = nodeAt.length;
    double wide = ends[nodes];
    double own = ends[end] - ends[start];
    double same = sameEnds[nodes] - (sameEnds[end] - sameEnds[start]);
    double before = crossEnds[start] - own * ends[start];
    double cross = before + crossEnds[nodes] - crossEnds[end];
    double ofOwn = (own - (ends[j + 1] - ends[j])) * (wide - own);
    double at = unit(key) * (same + lambda * (cross + ofOwn));
    double second = unit(mix(key));
    int i;
    int k;
    if (at < same) {
      i = find(sameEnds, 1, nodes, skipping(at, sameEnds[start], sameEnds[end])) - 1;
      int behind = rackStart[rackAt[i] + 1];
      k = find(ends, 1, nodes, ends[i + 1] + second * (ends[behind] - ends[i + 1])) - 1;
    } else {
      at = (at - same) / lambda;
      if (at < cross) {
        i =
            at < before
                ? findBefore(start, own, at)
                : find(crossEnds, 1, nodes, at - before + crossEnds[end]) - 1;
        double from = ends[rackStart[rackAt[i] + 1]];
        double skipped = i < start ? own : 0;
        double to = from + second * (wide - from - skipped);
        k = find(ends, 1, nodes, i < start && to >= ends[start] ? to + own : to) - 1;
      } else {
        double width = own - (ends[j + 1] - ends[j]);
        double to = ends[start] + Math.min(1, (at - cross) / ofOwn) * width;
        i = find(ends, 1, nodes, skipping(to, ends[j], ends[j + 1])) - 1;
        k = find(ends, 1, nodes, skipping(second * (wide - own), ends[start], ends[end])) - 1;
      }
    }
    boolean bothOwn = rackAt[i] == rack && rackAt[k] == rack;
    if (i == k || i == j || k == j || bothOwn) {
      // At the very end of a range, by rounding.
      return NONE;
    }
    return (key & 1) == 0 ? (long) nodeAt[i] << 32 | nodeAt[k] : (long) nodeAt[k] << 32 | nodeAt[i];
  }

  /** One node of a {@link #pair}. */
  public static int one(long pair) {
    return (int) (pair >>> 32);
  }

  /** The other node of a {@link #pair}. */
  public static int other(long pair) {
    return (int) pair;
  }

  private static double skipping(double at, double start, double end) {
    return at < start ? at : at + (end - start);
  }

  /** The place before a rack whose pairs with later places, but for those of that rack, reach so far. */
  private int findBefore(int start, double own, double at) {
    int low = 0;
    int high = start - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at < crossEnds[middle + 1] - own * ends[middle + 1]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The first index, of those in between, whose end is greater. */
  private static int find(double[] ends, int from, int to, double at) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at < ends[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** From 0 to 1, of a well mixed key. */
  private static double unit(long key) {
    return (key >>> 11) * 0x1p-53;
  }

  /** The finalizer of SplitMix64. */
  public static long mix(long key) {
    long mixed = (key ^ key >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  // --- The shares. ---

  /**
   * What nodes get beside what they have, in proportion to weight as far as the rules allow.
   *
   * @param has counts as part of a node's share
   * @param taken by the single, where that doesn't count
   * @return null where the nodes can't take the total
   */
  private static double[] filled(
      double[] weights, double[] has, double[] taken, Line line, double total) {
    double[] most = new double[weights.length];
    double least = Double.MAX_VALUE;
    for (int i = 0; i < weights.length; i++) {
      most[i] = weights[i] > 0 ? OF_LIMIT * Math.max(0, 1 - has[i] - taken[i]) : 0;
      least = weights[i] > 0 ? Math.min(least, weights[i]) : least;
    }
    double highest = 4 / least;
    double[] levels = new double[weights.length];
    for (int rack = 0; rack < line.racks(); rack++) {
      int start = line.rackStart[rack];
      int end = line.rackStart[rack + 1];
      double limit = 2;
      for (int place = start; place < end; place++) {
        limit -= has[line.nodeAt[place]] + taken[line.nodeAt[place]];
      }
      double level =
          level(
              highest,
              OF_LIMIT * limit,
              high -> {
                double sum = 0;
                for (int place = start; place < end; place++) {
                  int i = line.nodeAt[place];
                  sum += got(high, weights[i], has[i], most[i]);
                }
                return sum;
              });
      for (int place = start; place < end; place++) {
        levels[line.nodeAt[place]] = level;
      }
    }
    double[] got = new double[weights.length];
    DoubleUnaryOperator all =
        high -> {
          Arrays.setAll(got, i -> got(Math.min(high, levels[i]), weights[i], has[i], most[i]));
          return sum(got);
        };
    double sum = all.applyAsDouble(level(highest, total, all));
    if (sum < total * (2 * OF_LIMIT - 1)) {
      return null;
    }
    Arrays.setAll(got, i -> got[i] * total / sum);
    return got;
  }

  private static double got(double level, double weight, double has, double most) {
    return Math.max(0, Math.min(most, level * weight - has));
  }

  /** The highest level, up to a highest, whose sum isn't above the limit. */
  private static double level(double highest, double limit, DoubleUnaryOperator sumAt) {
    if (sumAt.applyAsDouble(highest) <= limit) {
      return highest;
    }
    double low = 0;
    double high = highest;
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      if (sumAt.applyAsDouble(middle) <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The nodes in an order in which those of a rack lie side by side. */
  private static final class Line {
    final int[] rackOf;
    final int[] nodeAt;
    final int[] rackStart;

    Line(int[] racks) {
      this.rackOf = racks.clone();
      if (Arrays.stream(racks).distinct().count() == 1) {
        Arrays.setAll(rackOf, i -> i);
      }
      this.rackStart = new int[Arrays.stream(rackOf).max().orElse(-1) + 2];
      for (int rack : rackOf) {
        rackStart[rack + 1]++;
      }
      for (int rack = 1; rack < rackStart.length; rack++) {
        rackStart[rack] += rackStart[rack - 1];
      }
      this.nodeAt = new int[rackOf.length];
      int[] next = rackStart.clone();
      for (int i = 0; i < rackOf.length; i++) {
        nodeAt[next[rackOf[i]]++] = i;
      }
    }

    int racks() {
      return rackStart.length - 1;
    }
  }

  // --- The weights. ---

  /** Weights of nodes that give the pair's shares. Used while a plan is made. */
  private static final class Fit {
    final Line line;
    private final int[] rackOf;
    final double lambda;
    final double[] w;
    private final double[] a;
    private final double[] wanted;

    /** What the weights give, and how far the worst is from what is wanted, as a part of that. */
    double[] shares;

    double off = Double.MAX_VALUE;

    private final double[] now;
    private final double[] onRack;
    private final double[] squares;
    private final double[] perMass;
    private final double[] weighted;
    private final double[] masses;

    Fit(Line line, double[] a, double[] wanted, double lambda) {
      this.line = line;
      this.rackOf = line.rackOf;
      this.a = a;
      this.wanted = wanted;
      this.lambda = lambda;
      this.w = wanted.clone();
      this.now = new double[wanted.length];
      this.onRack = new double[line.racks()];
      this.squares = new double[line.racks()];
      this.perMass = new double[line.racks()];
      this.weighted = new double[line.racks()];
      this.masses = new double[wanted.length];
    }

    void run(int rounds) {
      double[] best = null;
      for (int round = 0; round < rounds && off > FITTED; round++) {
        if (!expect()) {
          break;
        }
        double worst = 0;
        for (int i = 0; i < w.length; i++) {
          worst = wanted[i] > 0 ? Math.max(worst, Math.abs(now[i] / wanted[i] - 1)) : worst;
        }
        if (worst < off) {
          off = worst;
          best = w.clone();
          shares = now.clone();
        }
        for (int i = 0; i < w.length; i++) {
          w[i] *= wanted[i] > 0 ? Math.sqrt(wanted[i] / now[i]) : 0;
        }
      }
      if (best != null) {
        System.arraycopy(best, 0, w, 0, w.length);
      }
    }

    /** Finds what the weights give; false where some single leaves no pair. */
    private boolean expect() {
      double scale = 1 / sum(w);
      Arrays.fill(onRack, 0);
      Arrays.fill(squares, 0);
      Arrays.fill(perMass, 0);
      Arrays.fill(weighted, 0);
      for (int i = 0; i < w.length; i++) {
        w[i] *= scale;
        onRack[rackOf[i]] += w[i];
        squares[rackOf[i]] += w[i] * w[i];
      }
      double same = 0;
      double cross = 0.5;
      for (int rack = 0; rack < onRack.length; rack++) {
        same += (onRack[rack] * onRack[rack] - squares[rack]) / 2;
        cross -= onRack[rack] * onRack[rack] / 2;
      }
      double all = 0;
      double allWeighted = 0;
      for (int j = 0; j < w.length; j++) {
        int rack = rackOf[j];
        double own = onRack[rack];
        double others = cross - own * (1 - own) + (own - w[j]) * (1 - own);
        masses[j] = same - (own * own - squares[rack]) / 2 + lambda * others;
        if (a[j] > 0) {
          if (!(masses[j] > 0)) {
            return false;
          }
          perMass[rack] += a[j] / masses[j];
          weighted[rack] += a[j] * w[j] / masses[j];
          all += a[j] / masses[j];
          allWeighted += a[j] * w[j] / masses[j];
        }
      }
      for (int i = 0; i < w.length; i++) {
        int rack = rackOf[i];
        double own = onRack[rack];
        double elsewhere =
            (all - perMass[rack]) * (own - w[i] + lambda * (1 - own))
                - lambda * (allWeighted - weighted[rack]);
        double here = a[i] > 0 ? perMass[rack] - a[i] / masses[i] : perMass[rack];
        now[i] = w[i] * (elsewhere + lambda * (1 - own) * here);
      }
      return true;
    }
  }
}
