// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Arrays;

/**
 * The buckets that hold the replicas of one data item, and the one move that its hotness asks for.
 * Immutable. Buckets are numbered from 0, the slowest, on.
 *
 * <p>Source: SUORA, section 3.6 and algorithm 3.
 */
public final class ReplicaBuckets {
  // One copy in a fast bucket serves all reads, so a promotion moves one replica, whatever their
  // number, and directly to the bucket that the hotness has reached. It takes the fastest replica
  // that is still where it started: those already promoted stay, so that an item that goes on
  // getting hotter has copies on several fast devices. Where all have been promoted nothing moves.
  //
  // A replica that is to leave a fast bucket takes the way back: to the bucket that its hotness
  // still deserves if no other is there, else to where one started and is missing.

  private final int[] initial;
  private final int[] now;

  private ReplicaBuckets(int[] initial, int[] now) {
    this.initial = initial;
    this.now = now;
    Arrays.sort(now);
  }

  /**
   * An item as it is written.
   *
   * @param buckets of its replicas, at least one; a bucket may hold several
   */
  public static ReplicaBuckets startingAt(int... buckets) {
    if (buckets.length == 0) {
      throw new IllegalArgumentException("an item has at least one replica");
    }
    int[] initial = buckets.clone();
    Arrays.sort(initial);
    if (initial[0] < 0) {
      throw new IllegalArgumentException("buckets are numbered from 0, got " + initial[0]);
    }
    return new ReplicaBuckets(initial, initial.clone());
  }

  /**
   * An item of which replicas may have moved since it was written.
   *
   * @param initial buckets that it is written to, at least one
   * @param now where its replicas are, as many
   */
  public static ReplicaBuckets of(int[] initial, int[] now) {
    ReplicaBuckets written = startingAt(initial);
    if (now.length != initial.length) {
      throw new IllegalArgumentException(
          now.length + " replicas of an item that is written with " + initial.length);
    }
    return new ReplicaBuckets(written.initial, now.clone());
  }

  /** The buckets of the replicas, ascending. */
  public int[] buckets() {
    return now.clone();
  }

  public boolean holds(int bucket) {
    return count(now, bucket) > 0;
  }

  /** The fastest bucket with a replica: what readers take. */
  public int fastest() {
    return now[now.length - 1];
  }

  /**
   * The bucket that a hotness belongs to: the fastest whose threshold it reaches.
   *
   * @param thresholds by bucket, ascending, that of bucket 0 being 0
   */
  public static int bucketOf(double hotness, double[] thresholds) {
    int bucket = 0;
    while (bucket + 1 < thresholds.length && hotness >= thresholds[bucket + 1]) {
      bucket++;
    }
    return bucket;
  }

  /**
   * The move that a hotness asks for.
   *
   * @return null where nothing is to move: the hotness reaches no bucket faster than those that the
   *     item started in, the bucket holds a replica, or all replicas have left where they started
   */
  public Step promotion(double hotness, double[] thresholds) {
    return promotionTo(bucketOf(hotness, thresholds));
  }

  /**
   * The move by which a replica gets to the bucket that the item's hotness has reached.
   *
   * @return null where nothing is to move, as {@link #promotion} says
   */
  public Step promotionTo(int target) {
    if (target <= initial[initial.length - 1] || holds(target)) {
      return null;
    }
    for (int i = initial.length - 1; i >= 0; i--) {
      if (holds(initial[i])) {
        return new Step(initial[i], target);
      }
    }
    return null;
  }

  /**
   * The move by which a replica leaves a bucket that it was promoted to.
   *
   * @param from the bucket that is to be relieved
   * @return null where it holds no promoted replica of the item, or the hotness still asks for it
   */
  public Step demotion(int from, double hotness, double[] thresholds) {
    return demotionTo(from, bucketOf(hotness, thresholds));
  }

  /**
   * The move by which a replica leaves a bucket that it was promoted to, for an item of which the hotness is
   * that of another.
   *
   * @param deserved the bucket that its hotness has reached
   * @return null as {@link #demotion} says
   */
  public Step demotionTo(int from, int deserved) {
    int top = initial[initial.length - 1];
    if (!holds(from) || from <= top || deserved >= from) {
      return null;
    }
    for (int bucket = deserved; bucket > top; bucket--) {
      if (!holds(bucket)) {
        return new Step(from, bucket);
      }
    }
    for (int i = initial.length - 1; i >= 0; i--) {
      if (count(now, initial[i]) < count(initial, initial[i])) {
        return new Step(from, initial[i]);
      }
    }
    // Each promoted replica left a place behind.
    throw new IllegalStateException(
        this + " has a replica in b" + from + " that came from nowhere");
  }

  /**
   * The item after a move.
   *
   * @throws IllegalArgumentException if there is no replica to move
   */
  public ReplicaBuckets after(Step step) {
    for (int i = 0; i < now.length; i++) {
      if (now[i] == step.from) {
        int[] next = now.clone();
        next[i] = step.to;
        return new ReplicaBuckets(initial, next);
      }
    }
    throw new IllegalArgumentException("no replica in b" + step.from + " of " + this);
  }

  private static int count(int[] buckets, int bucket) {
    int count = 0;
    for (int held : buckets) {
      count += held == bucket ? 1 : 0;
    }
    return count;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReplicaBuckets
        && Arrays.equals(((ReplicaBuckets) other).initial, initial)
        && Arrays.equals(((ReplicaBuckets) other).now, now);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(initial) + Arrays.hashCode(now);
  }

  @Override
  public String toString() {
    return Arrays.toString(now);
  }

  /** One replica from a bucket to another. Immutable. */
  public static final class Step {
    private final int from;
    private final int to;

    private Step(int from, int to) {
      this.from = from;
      this.to = to;
    }

    public int from() {
      return from;
    }

    public int to() {
      return to;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Step && ((Step) other).from == from && ((Step) other).to == to;
    }

    @Override
    public int hashCode() {
      return 31 * from + to;
    }

    @Override
    public String toString() {
      return "b" + from + "->b" + to;
    }
  }
}
