// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * One bucket's number line, compiled to give all replicas of a key at once: distinct devices, each in
 * proportion to its length. Immutable, safe for any thread, allocates nothing per look-up. Devices are
 * numbered from 0 in the order of their first segments, as on the {@link NumberLine}.
 *
 * <p>Shares are exact on first assignments and through joins. After a removal they are close: off by 0.5 %
 * in a bucket of ten equal devices, by 0.3 % in one of thirty mixed ones, but by 5 % where the removal leaves
 * a device that should hold a replica of every key. Memory: about 70 bytes a device.
 */
public final class ReplicaLine {
  // A set of replicas is followed through the history of the table:
  //
  // - The first assignment draws it (Columns): a device's share is exactly min(1, r*w/W).
  // - A device that joins replaces one replica of as many keys as are its share (Joins): shares
  //   stay exact, and nothing moves but to the new device.
  // - Where a device was removed, the sets that held it draw another one for it, from the line as
  //   it was then: devices present, not in the set, in proportion to their lengths. Nothing else
  //   moves.
  //
  // In the order of time, so that what happens later changes nothing of what was before, and none
  // of this moves a replica from an old device to another old one.
  //
  // After a removal shares are close, no longer exact: where a heavy device is in a set already,
  // the draw goes to a light one. Weighting by w/(1-rho), rho = (r-1)*w/W being how often a
  // device is in the set already, takes back most of that, as does giving the replica to a device
  // that should now hold one of every key. No rule can take back all: of 3:1:1:1:1 with two
  // replicas lose a light one, and the heavy one ought to hold a replica of every key; but the
  // keys on two light ones don't move. A device that joins later thins the deviation out, as it
  // does all else.

  /** Replicas a line may be compiled for. */
  public static final int MOST_REPLICAS = 64;

  /** No device: there are fewer than replicas, or no other one was accepted. */
  public static final int NONE = NumberLine.NONE;

  /** After so many misses the whole line is looked at. */
  private static final int MOST_DRAWS = 512;

  private static final long DRAW_GAMMA = 0x8CB92BA72F3D8DD7L;

  private final int replicas;
  private final long seed;
  private final Columns columns;
  private final Joins joins;
  private final History history;

  /** Whether members have other numbers than devices. */
  private final boolean anyGone;

  private ReplicaLine(int replicas, long seed, Columns columns, Joins joins, History history) {
    this.replicas = replicas;
    this.seed = HashedNumbers.mix(seed + HashedNumbers.GOLDEN_GAMMA);
    this.columns = columns;
    this.joins = joins;
    this.history = history;
    this.anyGone = history.anyGone();
  }

  static ReplicaLine compile(SegmentTable table, int replicas, long seed) {
    if (replicas < 1 || replicas > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "a line places 1 to " + MOST_REPLICAS + " replicas, got " + replicas);
    }
    List<Member> members = table.members();
    if (members.size() > Columns.MOST_MEMBERS) {
      throw new IllegalArgumentException(
          members.size() + " devices in one bucket; a line has room for " + Columns.MOST_MEMBERS);
    }
    int first = 0;
    while (first < members.size() && members.get(first).joinedAt == 0) {
      first++;
    }
    double[] weights = new double[first];
    for (int i = 0; i < first; i++) {
      weights[i] = members.get(i).length();
    }
    Joins.Builder joins = new Joins.Builder(replicas, members.size() - first);
    History history = History.follow(table, replicas, joins);
    return new ReplicaLine(replicas, seed, Columns.of(weights, replicas), joins.build(), history);
  }

  /**
   * The devices of a key, all different.
   *
   * @param key of any bits, need not be mixed
   * @param devices takes the {@link #replicas} device numbers, some {@link #NONE} where there are fewer
   *     devices than replicas
   */
  public void place(long key, int[] devices) {
    long state = HashedNumbers.mix(key + seed);
    follow(state, devices);
    if (anyGone) {
      number(devices);
    }
  }

  /**
   * The devices of a key where some are refused for now (worn out, full, excluded). Each refused one is
   * replaced by what its removal would lead to, or, where that is refused too, by the next of the key's
   * own sequence; the others stay.
   *
   * @param accept takes a device number; may be asked for the same device again
   * @param maxDraws for each refused device
   * @param devices takes the device numbers, {@link #NONE} where no other one was accepted
   */
  public void place(long key, IntPredicate accept, int maxDraws, int[] devices) {
    long state = HashedNumbers.mix(key + seed);
    follow(state, devices);
    long refused = 0;
    for (int j = 0; j < replicas; j++) {
      if (devices[j] != NONE && !accept.test(history.number(devices[j]))) {
        refused |= 1L << j;
      }
    }
    for (int j = 0; refused != 0; j++, refused >>>= 1) {
      if ((refused & 1) != 0) {
        devices[j] = redrawn(state, devices, j, accept, maxDraws);
      }
    }
    if (anyGone) {
      number(devices);
    }
  }

  /** Number of replicas that each look-up gives. */
  public int replicas() {
    return replicas;
  }

  /** Number of devices. */
  public int devices() {
    return history.devices();
  }

  /**
   * Id of a device.
   *
   * @throws IndexOutOfBoundsException if the index isn't in 0 to {@link #devices()} - 1
   */
  public String deviceId(int index) {
    return history.deviceId(index);
  }

  /** The part of all keys of which a device should hold a replica: min(1, r*w/W), 0 to 1. */
  public double inclusion(int index) {
    return history.inclusion(index);
  }

  /** The devices that can't have their share, heaviest first; unmodifiable, mostly empty. */
  public List<CroppedDevice> croppedDevices() {
    List<CroppedDevice> cropped = new ArrayList<>();
    for (int i = 0; i < devices(); i++) {
      double wanted = history.share(i);
      double given = inclusion(i) / Math.min(replicas, devices());
      if (wanted > given * (1 + 1e-9)) {
        cropped.add(new CroppedDevice(deviceId(i), wanted, given));
      }
    }
    cropped.sort((a, b) -> Double.compare(b.wantedShare(), a.wantedShare()));
    return Collections.unmodifiableList(cropped);
  }

  /** Memory of the compiled line. */
  public long bytes() {
    return columns.bytes() + (joins == null ? 0 : joins.bytes()) + history.bytes();
  }

  /** Sets the members of a key's set as it is now. */
  private void follow(long state, int[] devices) {
    columns.draw(state, devices);
    if (joins != null) {
      joins.follow(state, devices, anyGone ? this : null);
    }
    if (anyGone) {
      settle(state, devices, Member.STAYS);
    }
  }

  /** Replaces the members that were removed before that time, in the order of their removal. */
  void settle(long state, int[] devices, int before) {
    while (true) {
      int slot = -1;
      int earliest = before;
      for (int j = 0; j < replicas; j++) {
        if (devices[j] != NONE && history.removedAt(devices[j]) < earliest) {
          earliest = history.removedAt(devices[j]);
          slot = j;
        }
      }
      if (slot < 0) {
        return;
      }
      devices[slot] = redrawn(state, devices, slot);
    }
  }

  /** What a removed member's replica goes to, at the time of its removal. */
  private int redrawn(long state, int[] devices, int slot) {
    int gone = devices[slot];
    int time = history.removedAt(gone);
    History.Line line = history.without(gone);
    if (line.present < replicas) {
      return NONE;
    }
    int missing = history.missing(gone, devices);
    if (missing != NONE) {
      return missing;
    }
    long weyl = stream(state, gone);
    for (int draw = 0; draw < MOST_DRAWS; draw++) {
      weyl += DRAW_GAMMA;
      long hash = HashedNumbers.mix(weyl);
      int member = history.memberAt((hash >>> 11) * 0x1.0p-53 * line.cells);
      if (member != NONE
          && history.removedAt(member) > time
          && !holds(devices, member)
          && history.passes(member, gone, HashedNumbers.mix(~hash))) {
        return member;
      }
    }
    return history.anyOther(devices, time, line.cells, HashedNumbers.mix(weyl));
  }

  private int redrawn(long state, int[] devices, int slot, IntPredicate accept, int maxDraws) {
    int refused = devices[slot];
    int missing = history.missing(refused, devices);
    if (missing != NONE && accept.test(history.number(missing))) {
      return missing;
    }
    int cells = history.cells();
    long weyl = stream(state, refused);
    for (int draw = 0; draw < maxDraws; draw++) {
      weyl += DRAW_GAMMA;
      long hash = HashedNumbers.mix(weyl);
      int member = history.memberAt((hash >>> 11) * 0x1.0p-53 * cells);
      if (member != NONE
          && history.removedAt(member) == Member.STAYS
          && !holds(devices, member)
          && history.passes(member, refused, HashedNumbers.mix(~hash))
          && accept.test(history.number(member))) {
        return member;
      }
    }
    return NONE;
  }

  /** A sequence of its own for each member that a key loses. */
  private static long stream(long state, int lost) {
    return HashedNumbers.mix(state ^ (lost + 1L) * HashedNumbers.GOLDEN_GAMMA);
  }

  private boolean holds(int[] devices, int member) {
    for (int j = 0; j < replicas; j++) {
      if (devices[j] == member) {
        return true;
      }
    }
    return false;
  }

  private void number(int[] devices) {
    for (int j = 0; j < replicas; j++) {
      devices[j] = devices[j] == NONE ? NONE : history.number(devices[j]);
    }
  }
}
