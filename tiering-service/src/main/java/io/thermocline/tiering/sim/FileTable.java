// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.Arrays;
import java.util.List;

/** Where every file is, and what each tier holds. The one place that knows capacities. */
final class FileTable implements TierState {
  private static final byte NOT_MOVING = -1;

  private final List<SimTier> tiers;
  private final int home;
  private final long[] bytes;
  private final byte[] tierOf;
  private final byte[] target;
  private final int[] place;
  private final int[][] members;
  private final int[] counts;
  private final long[] used;

  /** Of a file on a tier, what each tier serves. */
  private final double[][] shares;

  /** Of single files; null: as their tier. */
  private final double[][] served;

  private long now;

  /**
   * @throws IllegalArgumentException if the home tier can't hold all files
   */
  FileTable(Trace trace, List<SimTier> tiers, int home) {
    this.tiers = List.copyOf(tiers);
    this.home = home;
    int files = trace.files().size();
    bytes = trace.files().stream().mapToLong(TracedFile::bytes).toArray();
    tierOf = new byte[files];
    Arrays.fill(tierOf, (byte) home);
    target = new byte[files];
    Arrays.fill(target, NOT_MOVING);
    place = new int[files];
    members = new int[tiers.size()][16];
    counts = new int[tiers.size()];
    used = new long[tiers.size()];
    used[home] = trace.uniqueBytes();
    served = new double[files][];
    shares = new double[tiers.size()][tiers.size()];
    for (int tier = 0; tier < shares.length; tier++) {
      shares[tier][home] = 1 - tiers.get(tier).served();
      shares[tier][tier] += tiers.get(tier).served();
    }
    if (free(home) < 0) {
      throw new IllegalArgumentException(
          "the files have %,d bytes, and %s, where they begin, has room for %,d: give it more"
              .formatted(used[home], tiers.get(home).name(), capacity(home)));
    }
  }

  void at(long micros) {
    now = micros;
  }

  /** Whether the file can begin to move to the tier, room aside. */
  boolean isMovable(int file, int tier) {
    return tierOf[file] != tier && !isMoving(file) && bytes[file] <= capacity(tier);
  }

  /** Takes room on the target, if there is enough, for a copy. */
  boolean reserve(int file, int tier) {
    if (!isMovable(file, tier) || bytes[file] > free(tier)) {
      return false;
    }
    target[file] = (byte) tier;
    used[tier] += bytes[file];
    return true;
  }

  /** The copy is complete: the target serves the file, and the room at the source is free again. */
  void complete(int file) {
    int tier = target[file];
    target[file] = NOT_MOVING;
    int source = tierOf[file];
    used[source] -= bytes[file];
    if (source != home) {
      int last = members[source][--counts[source]];
      members[source][place[file]] = last;
      place[last] = place[file];
    }
    tierOf[file] = (byte) tier;
    if (tier != home) {
      if (counts[tier] == members[tier].length) {
        members[tier] = Arrays.copyOf(members[tier], 2 * counts[tier]);
      }
      place[file] = counts[tier];
      members[tier][counts[tier]++] = file;
    }
  }

  /** Copies that took no room here are complete, and serve these shares of the file's reads. */
  void serve(int file, double[] byTier) {
    served[file] = byTier;
  }

  /** The share of a file's reads that each tier serves, not to be changed. */
  double[] served(int file) {
    return served[file] == null ? shares[tierOf[file]] : served[file];
  }

  SimTier tier(int tier) {
    return tiers.get(tier);
  }

  @Override
  public long nowMicros() {
    return now;
  }

  @Override
  public int files() {
    return bytes.length;
  }

  @Override
  public int tiers() {
    return used.length;
  }

  @Override
  public int home() {
    return home;
  }

  @Override
  public long capacity(int tier) {
    return tiers.get(tier).capacityBytes();
  }

  @Override
  public long used(int tier) {
    return used[tier];
  }

  @Override
  public long bytes(int file) {
    return bytes[file];
  }

  @Override
  public int tierOf(int file) {
    return tierOf[file];
  }

  @Override
  public boolean isMoving(int file) {
    return target[file] != NOT_MOVING;
  }

  @Override
  public int filesOn(int tier) {
    requireListed(tier);
    return counts[tier];
  }

  @Override
  public int fileOn(int tier, int index) {
    requireListed(tier);
    if (index < 0 || index >= counts[tier]) {
      throw new IndexOutOfBoundsException(
          "file %d of %d on %s".formatted(index, counts[tier], tiers.get(tier).name()));
    }
    return members[tier][index];
  }

  private void requireListed(int tier) {
    if (tier == home) {
      throw new IllegalArgumentException("the files of the home tier aren't listed");
    }
  }
}
