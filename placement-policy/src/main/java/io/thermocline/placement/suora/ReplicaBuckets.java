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
    Arrays.sort(initial);
    Arrays.sort(now);
  }

  /**
   * An item of which replicas may have moved since it was written.
   *
   * @param initial buckets that it is written to, at least one
   * @param now where its replicas are, as many
   */
  public static ReplicaBuckets of(int[] initial, int[] now) {
    if (initial.length == 0 || now.length != initial.length) {
      throw new IllegalArgumentException(
          now.length + " replicas of an item that is written with " + initial.length);
    }
    return new ReplicaBuckets(initial.clone(), now.clone());
  }

  private boolean holds(int bucket) {
    return count(now, bucket) > 0;
  }

  /**
   * The move by which a replica gets to the bucket that the item's hotness has reached.
   *
   * @return null if nothing moves: the item started in that bucket or a faster one, the bucket holds
   *     a replica, or all replicas have left where they started
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
   * @param from the bucket that it leaves
   * @param deserved the bucket that the item's hotness has reached
   * @return null if the bucket holds no promoted replica of the item, or the hotness still asks for it
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

  private static int count(int[] buckets, int bucket) {
    int count = 0;
    for (int held : buckets) {
      count += held == bucket ? 1 : 0;
    }
    return count;
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
    public String toString() {
      return "b" + from + "->b" + to;
    }
  }
}
