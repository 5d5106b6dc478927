// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.Objects;

/**
 * A bucket in SUORA's sense: storages of one storage type that are about equally fast, such as the SATA
 * or the NVMe drives within {@code SSD}. Immutable; ordered from slow to fast: by the storage type, and
 * within a type by the rank that the administrator gives its classes.
 *
 * <p>Source: SUORA, section 3.1.1.
 */
public final class PerformanceClass implements Comparable<PerformanceClass> {
  /** Of storages that no class was given. */
  public static final String DEFAULT = "default";

  private final StorageType type;
  private final String name;
  private final int rank;

  private PerformanceClass(StorageType type, String name, int rank) {
    this.type = type;
    this.name = name;
    this.rank = rank;
  }

  /** The one class of a type that isn't divided. */
  public static PerformanceClass of(StorageType type) {
    return of(type, DEFAULT, 0);
  }

  /**
   * A class within a type.
   *
   * @param rank from 0, the slowest of the type
   * @throws IllegalArgumentException if the name is empty or the rank negative
   */
  public static PerformanceClass of(StorageType type, String name, int rank) {
    Objects.requireNonNull(type, "type");
    if (name.isEmpty() || rank < 0) {
      throw new IllegalArgumentException(
          "a class of " + type + " needs a name and a rank from 0, got '" + name + "', " + rank);
    }
    return new PerformanceClass(type, name, rank);
  }

  public String name() {
    return name;
  }

  /** Place within the type, 0 being the slowest. */
  public int rank() {
    return rank;
  }

  public boolean isDefault() {
    return name.equals(DEFAULT);
  }

  @Override
  public int compareTo(PerformanceClass other) {
    int byType = type.compareTo(other.type);
    if (byType != 0) {
      return byType;
    }
    int byRank = Integer.compare(rank, other.rank);
    return byRank != 0 ? byRank : name.compareTo(other.name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PerformanceClass && compareTo((PerformanceClass) other) == 0;
  }

  @Override
  public int hashCode() {
    return (type.ordinal() * 31 + rank) * 31 + name.hashCode();
  }

  /** {@code SSD-nvme}. */
  @Override
  public String toString() {
    return type + "-" + name;
  }
}
