// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Arrays;

/**
 * Room for the candidate placements of one object: up to k sets of distinct devices, by number. Made once
 * and filled again for each object, which allocates nothing. Not thread-safe.
 *
 * <p>The first device of a set is where the first replica would go. Two sets of the same devices in
 * another order are the same: HDFS has no primary replica, so they would be no choice.
 */
public final class CandidateSets {
  /** More candidates than this gain nothing: what is left to gain after four is under a percent. */
  public static final int MOST_CANDIDATES = 16;

  private final int replicas;
  private final int[] devices;
  private final int[] sizes;
  private int count;

  /**
   * Empty.
   *
   * @param candidates k, 1 to {@link #MOST_CANDIDATES}
   * @param replicas devices in a set at most, at least 1
   */
  public CandidateSets(int candidates, int replicas) {
    if (candidates < 1 || candidates > MOST_CANDIDATES) {
      throw new IllegalArgumentException(
          "candidates must be 1 to " + MOST_CANDIDATES + ", got " + candidates);
    }
    if (replicas < 1) {
      throw new IllegalArgumentException("a set needs at least one replica, got " + replicas);
    }
    this.replicas = replicas;
    this.sizes = new int[candidates];
    this.devices = new int[candidates * replicas];
  }

  /** k: sets at most. */
  public int capacity() {
    return sizes.length;
  }

  /** Sets there are. */
  public int count() {
    return count;
  }

  /** Devices in a set: fewer than asked for if no more could be placed. */
  public int size(int candidate) {
    return sizes[requireCandidate(candidate)];
  }

  /** Number of the device for one replica of a set. */
  public int device(int candidate, int replica) {
    if (replica < 0 || replica >= size(candidate)) {
      throw new IndexOutOfBoundsException(
          "replica " + replica + " of a set of " + size(candidate) + " devices");
    }
    return devices[candidate * replicas + replica];
  }

  /** A copy of one set. */
  public int[] set(int candidate) {
    int from = requireCandidate(candidate) * replicas;
    return Arrays.copyOfRange(devices, from, from + sizes[candidate]);
  }

  public void clear() {
    count = 0;
  }

  /**
   * Adds what the placement finds for a key.
   *
   * @return false where that is nothing, or a set that is there already
   * @throws IllegalStateException if there are k sets
   */
  public boolean add(long key, ReplicaPlacement placement) {
    if (count == sizes.length) {
      throw new IllegalStateException("there are " + count + " candidates already");
    }
    int from = count * replicas;
    int size = placement.place(key, devices, from, from + replicas);
    if (size <= 0 || isThereAlready(from, size)) {
      return false;
    }
    sizes[count++] = size;
    return true;
  }

  private boolean isThereAlready(int from, int size) {
    for (int candidate = 0; candidate < count; candidate++) {
      if (sizes[candidate] == size && sameDevices(candidate * replicas, from, size)) {
        return true;
      }
    }
    return false;
  }

  /** Sets are a handful of devices, so comparing all with all beats sorting. */
  private boolean sameDevices(int left, int right, int size) {
    for (int i = 0; i < size; i++) {
      boolean found = false;
      for (int j = 0; j < size && !found; j++) {
        found = devices[left + i] == devices[right + j];
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private int requireCandidate(int candidate) {
    if (candidate < 0 || candidate >= count) {
      throw new IndexOutOfBoundsException("candidate " + candidate + " of " + count);
    }
    return candidate;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int candidate = 0; candidate < count; candidate++) {
      text.append(Arrays.toString(set(candidate)));
    }
    return text.toString();
  }
}
