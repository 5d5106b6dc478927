// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * How the three replicas of a new block are drawn, so that each node gets its share of them although no
 * node holds two and one rack holds exactly two. Immutable, safe for any thread; draws allocate nothing.
 *
 * <p>Nodes and racks are numbered from 0. A share is the expected number of replicas of a block.
 */
public final class ReplicaPlan {

  // Replicas that are drawn one after the other, in proportion to capacity, don't come out in
  // proportion: what may not be drawn twice, and the second rack, give light nodes too much. So the
  // probabilities are chosen first and the draws after them.
  //
  // A block has one replica, the single, in one rack and two, the pair, in another. T[i] is the
  // share that node i should get, T[r] that of its rack.
  //
  // 1. The probability pi[r] that rack r has the pair is near T[r] / 3, at most what the rack's
  //    nodes can take without one of them being in more than all pairs, and at least T[r] - 1. That
  // it
  //    has the single is sigma[r] = T[r] - 2 pi[r].
  // 2. Node i is in the pair with b[i] = min(pi[r], theta T[i]), theta so that these add up to
  //    2 pi[r]; it is the single with a[i] = T[i] - b[i].
  // 3. Single and pair must not be in one rack. alpha and beta are fitted so that drawing the rack
  //    of the pair by beta among the others, after the rack of the single, gives sigma and pi.
  //
  // The pair: nodes lie on a line of length 2 with the segment b[i] / pi[r], which is at most 1.
  // Two
  // points one unit apart never hit the same node, and hit each exactly as often as they should. A
  // number of fixed orders of the nodes on the line, one picked for each block, make the pairs
  // many.
  //
  // Racks with one node can't hold a pair. They are drawn as if several of them were one rack: the
  // replicas are then on three. Where shares don't come out otherwise, so are racks of which one
  // node has more than half. A cluster with one rack is divided in the same way.

  /** There is no such node. */
  public static final int NONE = -1;

  private static final int STEPS = 100;
  private static final int ROUNDS = 3000;
  private static final double CLOSE = 1e-10;
  private static final double TOLERANCE = 0.002;
  private static final double ALWAYS = 1e-4;
  private static final int LEAST_NODES_ON_ONE_RACK = 6;
  private static final int MOST_GROUPS_OF_ONE_RACK = 10;
  private static final int NODES_OF_A_GROUP = 3;
  private static final int ENTRIES_OF_ORDERS = 1 << 16;
  private static final int MOST_ORDERS = 16;
  private static final int LEAST_ORDERS = 2;

  private final int[] groupOf;
  private final double[] singleEnds;
  private final double[] pairRackEnds;
  private final double[][][] pairEnds;
  private final int[][][] pairNodes;
  private final double[] shares;

  private ReplicaPlan(
      int[] groupOf,
      double[] singleEnds,
      double[] pairRackEnds,
      double[][][] pairEnds,
      int[][][] pairNodes,
      double[] shares) {
    this.groupOf = groupOf;
    this.singleEnds = singleEnds;
    this.pairRackEnds = pairRackEnds;
    this.pairEnds = pairEnds;
    this.pairNodes = pairNodes;
    this.shares = shares;
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
   * @param seed of the orders of nodes
   * @return null where the cluster is too small for any choice
   */
  public static ReplicaPlan of(
      double[] single, double[] pair, int[] rackOf, double[] local, long seed) {
    double[] fair = new double[single.length];
    double ofSingle = sum(single);
    double ofPair = sum(pair);
    Arrays.setAll(fair, i -> Math.min(1, single[i] / ofSingle + 2 * pair[i] / ofPair));
    ReplicaPlan plan = grouped(single, pair, groups(single, pair, rackOf, false), local, seed);
    if (plan != null && plan.off(fair) < TOLERANCE) {
      return plan;
    }
    ReplicaPlan other = grouped(single, pair, groups(single, pair, rackOf, true), local, seed);
    return other == null || plan != null && plan.off(fair) <= other.off(fair) ? plan : other;
  }

  private static ReplicaPlan grouped(
      double[] single, double[] pair, int[] groupOf, double[] local, long seed) {
    if (groupOf == null) {
      return null;
    }
    int groups = Arrays.stream(groupOf).max().orElse(-1) + 1;
    Probabilities of = new Probabilities(groupOf, groups, local);
    boolean found = single == pair ? of.ofOneType(pair) : of.ofTwoTypes(single, pair);
    if (!found) {
      return null;
    }
    double[] beta = of.fit();
    return beta == null ? null : compile(of, beta, seed);
  }

  private static ReplicaPlan compile(Probabilities of, double[] beta, long seed) {
    int nodes = of.groupOf.length;
    double[] free = new double[nodes];
    Arrays.setAll(free, i -> Math.max(0, of.a[i] - of.local[i]));
    if (sum(free) < CLOSE) {
      System.arraycopy(of.a, 0, free, 0, nodes);
    }
    int orders = Math.max(LEAST_ORDERS, Math.min(MOST_ORDERS, ENTRIES_OF_ORDERS / nodes));
    double[][][] ends = new double[of.groups][][];
    int[][][] members = new int[of.groups][][];
    Random random = new Random(seed);
    for (int g = 0; g < of.groups; g++) {
      List<Integer> paired = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        if (of.groupOf[i] == g && of.b[i] > 0) {
          paired.add(i);
        }
      }
      int count = paired.size() < 2 ? 0 : orders;
      ends[g] = new double[count][];
      members[g] = new int[count][];
      for (int order = 0; order < count; order++) {
        Collections.shuffle(paired, random);
        members[g][order] = paired.stream().mapToInt(Integer::intValue).toArray();
        double[] lengths = Arrays.stream(members[g][order]).mapToDouble(i -> of.b[i]).toArray();
        ends[g][order] = ends(lengths, 2 / sum(lengths));
      }
    }
    double[] drawn = of.pairsDrawn(beta);
    double[] shares = new double[nodes];
    Arrays.setAll(
        shares,
        i -> {
          int g = of.groupOf[i];
          return of.a[i] + (of.pi[g] > 0 ? of.b[i] * drawn[g] / of.pi[g] : 0);
        });
    return new ReplicaPlan(
        of.groupOf, ends(free, 1 / sum(free)), ends(beta, 1), ends, members, shares);
  }

  /** How far the worst share is off, as a part of what it should be. */
  private double off(double[] fair) {
    double worst = 0;
    for (int i = 0; i < fair.length; i++) {
      worst = fair[i] > 0 ? Math.max(worst, Math.abs(shares[i] / fair[i] - 1)) : worst;
    }
    return worst;
  }

  /** By node, the expected number of replicas of a block that it gets. */
  public double[] shares() {
    return shares.clone();
  }

  /** Memory of the tables. */
  public long bytes() {
    long numbers = singleEnds.length + pairRackEnds.length + shares.length + groupOf.length / 2;
    for (int group = 0; group < pairEnds.length; group++) {
      for (double[] ends : pairEnds[group]) {
        numbers += ends.length + ends.length / 2;
      }
    }
    return numbers * Double.BYTES;
  }

  /** The node of the single replica, for a writer that is none. */
  public int single(long key) {
    return find(singleEnds, unit(key) * singleEnds[singleEnds.length - 1]);
  }

  /**
   * One node of the pair; its partner is {@link #partner} of the same key and node.
   *
   * @param single the node of the single replica
   */
  public int pair(long key, int single) {
    int group = pairGroup(key, groupOf[single]);
    if (group == NONE) {
      return NONE;
    }
    int order = order(key, group);
    return pairNodes[group][order][find(pairEnds[group][order], 2 * unit(mix(key)))];
  }

  /** The other node of the pair that {@link #pair} gave for the key. */
  public int partner(long key, int pair) {
    int group = groupOf[pair];
    int order = order(key, group);
    double at = 2 * unit(mix(key)) + 1;
    int partner = pairNodes[group][order][find(pairEnds[group][order], at < 2 ? at : at - 2)];
    return partner == pair ? NONE : partner;
  }

  private int pairGroup(long key, int without) {
    double start = without == 0 ? 0 : pairRackEnds[without - 1];
    double length = pairRackEnds[without] - start;
    double total = pairRackEnds[pairRackEnds.length - 1] - length;
    if (!(total > 0)) {
      return NONE;
    }
    double at = unit(key) * total;
    int group = find(pairRackEnds, at < start ? at : at + length);
    return group == without || pairNodes[group].length == 0 ? NONE : group;
  }

  private int order(long key, int group) {
    return (int) Long.remainderUnsigned(mix(~key), pairNodes[group].length);
  }

  /** The first index whose end is greater. */
  private static int find(double[] ends, double at) {
    int low = 0;
    int high = ends.length - 1;
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

  private static double[] ends(double[] lengths, double scale) {
    double[] ends = new double[lengths.length];
    double end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += lengths[i] * scale;
      ends[i] = end;
    }
    return ends;
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

  // --- What counts as a rack. ---

  /**
   * By node; null where there are fewer than two.
   *
   * @param joinUneven whether racks of which one node has more than half count as those with one node
   */
  private static int[] groups(double[] single, double[] pair, int[] rackOf, boolean joinUneven) {
    int racks = Arrays.stream(rackOf).max().orElse(-1) + 1;
    int[] pairNodes = new int[racks];
    double[] weights = new double[racks];
    double[] most = new double[racks];
    boolean[] used = new boolean[racks];
    int usedNodes = 0;
    for (int i = 0; i < rackOf.length; i++) {
      if (single[i] > 0 || pair[i] > 0) {
        used[rackOf[i]] = true;
        usedNodes++;
        weights[rackOf[i]] += pair[i];
        most[rackOf[i]] = Math.max(most[rackOf[i]], pair[i]);
        pairNodes[rackOf[i]] += pair[i] > 0 ? 1 : 0;
      }
    }
    List<Integer> lonely = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      if (used[rack]) {
        boolean isUneven = joinUneven && most[rack] * 2 > weights[rack] * (1 + CLOSE);
        (pairNodes[rack] == 1 || isUneven ? lonely : others).add(rack);
      }
    }
    if (lonely.size() + others.size() < 2) {
      return usedNodes < LEAST_NODES_ON_ONE_RACK ? null : divided(single, pair, usedNodes);
    }
    int[] groupOfRack = new int[racks];
    int groups = 0;
    for (int rack : others) {
      groupOfRack[rack] = groups++;
    }
    lonely.sort(Comparator.comparingDouble(rack -> -weights[rack]));
    if (lonely.size() == 1 && others.size() > 1) {
      // With the lightest that can hold a pair.
      int lightest = NONE;
      for (int rack : others) {
        if (pairNodes[rack] > 1 && (lightest == NONE || weights[rack] < weights[lightest])) {
          lightest = rack;
        }
      }
      groupOfRack[lonely.get(0)] = lightest == NONE ? groups++ : groupOfRack[lightest];
    } else {
      int of = Math.max(others.isEmpty() ? 2 : 1, lonely.size() / 2);
      double[] ofLonely = lonely.stream().mapToDouble(rack -> weights[rack]).toArray();
      int[] blocks = blocks(ofLonely, of);
      for (int i = 0; i < lonely.size(); i++) {
        groupOfRack[lonely.get(i)] = groups + blocks[i];
      }
    }
    int[] groupOf = new int[rackOf.length];
    Arrays.setAll(groupOf, i -> groupOfRack[rackOf[i]]);
    return groupOf;
  }

  /** One rack as several. */
  private static int[] divided(double[] single, double[] pair, int usedNodes) {
    Integer[] byWeight = new Integer[single.length];
    Arrays.setAll(byWeight, i -> i);
    Arrays.sort(byWeight, Comparator.comparingDouble(i -> -pair[i] - single[i] * 1e-9));
    int groups =
        Math.max(NODES_OF_A_GROUP, Math.min(MOST_GROUPS_OF_ONE_RACK, usedNodes / NODES_OF_A_GROUP));
    int[] blocks = blocks(Arrays.stream(byWeight).mapToDouble(i -> pair[i]).toArray(), groups);
    int[] groupOf = new int[single.length];
    for (int i = 0; i < byWeight.length; i++) {
      groupOf[byWeight[i]] = blocks[i];
    }
    return groupOf;
  }

  /**
   * Cuts a descending series into parts of about the same sum, of two at least: beside its equals no node
   * is too heavy for a pair.
   */
  private static int[] blocks(double[] descending, int parts) {
    double all = sum(descending);
    int[] blocks = new int[descending.length];
    double before = 0;
    int part = 0;
    int inPart = 0;
    for (int i = 0; i < blocks.length; i++) {
      boolean drops = i > 0 && descending[i] < descending[i - 1] / 2;
      if (drops && inPart == 1 && part > 0) {
        blocks[i - 1] = part - 1;
        inPart = 0;
      }
      boolean full = drops || before >= all * (part + 1) / parts - all * CLOSE;
      if (full && inPart >= 2 && part < parts - 1 && blocks.length - i >= 2) {
        part++;
        inPart = 0;
      }
      blocks[i] = part;
      before += descending[i];
      inPart++;
    }
    return blocks;
  }

  // --- The probabilities. ---

  /** As named at the top. Used while a plan is made. */
  private static final class Probabilities {
    final int[] groupOf;
    final int groups;
    final int[][] nodesOf;
    final double[] local;
    final double[] a;
    final double[] b;
    final double[] sigma;
    final double[] pi;

    Probabilities(int[] groupOf, int groups, double[] local) {
      this.groupOf = groupOf;
      this.groups = groups;
      this.nodesOf = new int[groups][];
      int[] sizes = new int[groups];
      for (int g : groupOf) {
        sizes[g]++;
      }
      Arrays.setAll(nodesOf, g -> new int[sizes[g]]);
      for (int i = 0; i < groupOf.length; i++) {
        nodesOf[groupOf[i]][--sizes[groupOf[i]]] = i;
      }
      this.local = local;
      this.a = new double[groupOf.length];
      this.b = new double[groupOf.length];
      this.sigma = new double[groups];
      this.pi = new double[groups];
    }

    boolean ofOneType(double[] weights) {
      double[] given = byGroup(local);
      int[] members = members(weights);
      double[] target = targets(weights, given, members);
      if (target == null) {
        return false;
      }
      double[] inGroup = byGroup(target);
      double[] open = new double[target.length];
      Arrays.setAll(open, i -> Math.max(0, target[i] - local[i]));
      double[] caps = caps(open, members);
      double[] least = new double[groups];
      double[] hard = new double[groups];
      for (int g = 0; g < groups; g++) {
        hard[g] = members[g] < 2 ? 0 : 1 - given[g];
        caps[g] = Math.max(0, Math.min(caps[g], hard[g]));
        least[g] = Math.min(caps[g], Math.max(0, inGroup[g] - 1));
      }
      boolean fits = sum(caps) >= 1 - CLOSE;
      if (!spread(
          pi, fits ? inGroup : caps, fits ? least : new double[groups], fits ? caps : hard, 1)) {
        return false;
      }
      double[] rest = new double[groups];
      double[] open1 = new double[groups];
      for (int g = 0; g < groups; g++) {
        rest[g] = Math.max(0, inGroup[g] - 2 * pi[g] - given[g]);
        open1[g] = Math.max(0, 1 - pi[g] - given[g]);
      }
      double outside = 1 - sum(given);
      double[] free = new double[groups];
      if (outside > CLOSE && !spread(free, rest, new double[groups], open1, outside)) {
        return false;
      }
      Arrays.setAll(sigma, g -> given[g] + free[g]);
      pairs(open, weights);
      double[] left = new double[target.length];
      Arrays.setAll(left, i -> Math.max(0, target[i] - b[i] - local[i]));
      singles(left, weights);
      return true;
    }

    boolean ofTwoTypes(double[] single, double[] pair) {
      double outside = 1 - sum(local);
      double total = sum(single);
      if (!(total > 0) || !(sum(pair) > 0)) {
        return false;
      }
      for (int i = 0; i < single.length; i++) {
        a[i] = local[i] + outside * single[i] / total;
      }
      double[] given = byGroup(a);
      double[] caps = caps(pair, members(pair));
      double[] scaled = byGroup(pair);
      for (int g = 0; g < groups; g++) {
        sigma[g] = given[g];
        caps[g] = caps[g] > 0 ? 1 - sigma[g] : 0;
      }
      if (!spread(pi, scaled, new double[groups], caps, 1)) {
        return false;
      }
      pairs(pair, pair);
      return true;
    }

    /** Shares in proportion to weight, but for nodes and racks that can't have theirs. */
    private double[] targets(double[] weights, double[] given, int[] members) {
      double[] limits = new double[groups];
      for (int g = 0; g < groups; g++) {
        limits[g] = members[g] > 1 ? 2 - given[g] : Math.min(1, members[g]);
      }
      double[] target = new double[weights.length];
      double largest = 3 / smallest(weights);
      double low = 0;
      double high = largest;
      for (int step = 0; step < STEPS; step++) {
        double theta = (low + high) / 2;
        double total = 0;
        double[] in = byGroup(scaled(weights, theta, target));
        for (int g = 0; g < groups; g++) {
          total += Math.min(limits[g], in[g]);
        }
        if (total < 3) {
          low = theta;
        } else {
          high = theta;
        }
      }
      double[] in = byGroup(scaled(weights, high, target));
      double sum = 0;
      for (int g = 0; g < groups; g++) {
        sum += Math.min(limits[g], in[g]);
        if (in[g] > limits[g]) {
          double to = limits[g] / in[g];
          for (int i = 0; i < target.length; i++) {
            target[i] = groupOf[i] == g ? Math.max(local[i], target[i] * to) : target[i];
          }
        }
      }
      return sum < 3 - 1e-6 ? null : target;
    }

    private double[] scaled(double[] weights, double theta, double[] into) {
      for (int i = 0; i < weights.length; i++) {
        into[i] = Math.max(local[i], Math.min(1, theta * weights[i]));
      }
      return into;
    }

    /** By group, how often it can have the pair without a node that is in it more often. */
    private double[] caps(double[] open, int[] members) {
      double[] most = new double[groups];
      for (int i = 0; i < open.length; i++) {
        most[groupOf[i]] = Math.max(most[groupOf[i]], open[i]);
      }
      double[] caps = byGroup(open);
      for (int g = 0; g < groups; g++) {
        caps[g] = members[g] < 2 ? 0 : Math.min(caps[g] / 2, caps[g] - most[g]);
      }
      return caps;
    }

    /** Values in proportion to weights, within bounds, that add up to the total; false where none do. */
    private static boolean spread(
        double[] into, double[] weights, double[] least, double[] caps, double total) {
      if (sum(caps) < total - 1e-6) {
        return false;
      }
      double low = 0;
      double high = 1 / smallest(weights);
      for (int step = 0; step < STEPS; step++) {
        double theta = (low + high) / 2;
        double sum = 0;
        for (int g = 0; g < into.length; g++) {
          into[g] = Math.min(caps[g], Math.max(least[g], theta * weights[g]));
          sum += into[g];
        }
        if (sum < total) {
          low = theta;
        } else {
          high = theta;
        }
      }
      // What has no weight takes what is left, as far as it may.
      double left = total - sum(into);
      double room = sum(caps) - sum(into);
      for (int g = 0; g < into.length && left > CLOSE && room > 0; g++) {
        into[g] += left * (caps[g] - into[g]) / room;
      }
      return true;
    }

    /** Shares of the pair: by what is open, and then by weight, at most the group's. */
    private void pairs(double[] open, double[] weights) {
      for (int g = 0; g < groups; g++) {
        if (pi[g] > 0 && !share(b, open, g, pi[g], 2 * pi[g])) {
          share(b, weights, g, pi[g], 2 * pi[g]);
        }
      }
    }

    /** Shares of the single: what is given, and the rest by what is left to a node's target. */
    private void singles(double[] rest, double[] weights) {
      double[] given = byGroup(local);
      for (int g = 0; g < groups; g++) {
        double open = Math.max(0, sigma[g] - given[g]);
        if (!share(a, rest, g, 1, open)) {
          share(a, weights, g, 1, open);
        }
      }
      for (int i = 0; i < a.length; i++) {
        a[i] += local[i];
      }
    }

    /** Divides a total among a group's nodes, in proportion to weights, at most so much each. */
    private boolean share(double[] into, double[] weights, int group, double most, double total) {
      double low = 0;
      double high = 0;
      int count = 0;
      for (int i : nodesOf[group]) {
        if (weights[i] > 0) {
          high = Math.max(high, most / weights[i]);
          count++;
        }
      }
      if (count == 0 || count * most < total * (1 - CLOSE)) {
        return total < CLOSE;
      }
      for (int step = 0; step < STEPS; step++) {
        double theta = (low + high) / 2;
        double sum = 0;
        for (int i : nodesOf[group]) {
          into[i] = Math.min(most, theta * weights[i]);
          sum += into[i];
        }
        if (sum < total) {
          low = theta;
        } else {
          high = theta;
        }
      }
      return true;
    }

    /** By group, the weight to draw the pair's by when the single's is known; null where that can't be. */
    double[] fit() {
      double[] alpha = sigma.clone();
      double[] beta = pi.clone();
      if (groups == 2) {
        // The other one, in any case.
        return new double[] {1, 1};
      }
      for (int g = 0; g < groups; g++) {
        if (sigma[g] + pi[g] > 1 - ALWAYS) {
          // It is in each block: fitting would get there only in the limit.
          for (int other = 0; other < groups; other++) {
            beta[other] = other == g ? 1 : ALWAYS * ALWAYS * pi[other];
          }
          return beta;
        }
      }
      for (int round = 0; round < ROUNDS; round++) {
        double worst = 0;
        double all = sum(alpha);
        for (int g = 0; g < groups; g++) {
          double others = Math.max(1e-12, all - alpha[g]);
          double next = pi[g] / others;
          worst = Math.max(worst, Math.abs(next - beta[g]) / Math.max(1e-12, next));
          beta[g] = next;
        }
        all = sum(beta);
        for (int g = 0; g < groups; g++) {
          alpha[g] = sigma[g] / Math.max(1e-12, all - beta[g]);
        }
        if (worst < CLOSE) {
          break;
        }
      }
      return beta;
    }

    /** By group, how often it has the pair, drawn by these weights. */
    double[] pairsDrawn(double[] beta) {
      double all = sum(beta);
      double sums = 0;
      for (int g = 0; g < groups; g++) {
        sums += sigma[g] / Math.max(1e-300, all - beta[g]);
      }
      double[] drawn = new double[groups];
      for (int g = 0; g < groups; g++) {
        drawn[g] = beta[g] * (sums - sigma[g] / Math.max(1e-300, all - beta[g]));
      }
      return drawn;
    }

    private int[] members(double[] weights) {
      int[] members = new int[groups];
      for (int i = 0; i < weights.length; i++) {
        members[groupOf[i]] += weights[i] > 0 ? 1 : 0;
      }
      return members;
    }

    private double[] byGroup(double[] values) {
      double[] sums = new double[groups];
      for (int i = 0; i < values.length; i++) {
        sums[groupOf[i]] += values[i];
      }
      return sums;
    }

    private static double smallest(double[] weights) {
      return Arrays.stream(weights).filter(weight -> weight > 0).min().orElse(1);
    }

    private static void normalize(double[] values) {
      double sum = sum(values);
      for (int i = 0; i < values.length && sum > 0; i++) {
        values[i] /= sum;
      }
    }
  }
}
