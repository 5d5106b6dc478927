// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the copies of a file should lie, as a multiset of storage types, and the storage policy that comes
 * closest: what HDFS re-creates where a copy is lost; how many copies, and how many of each block in memory.
 * Immutable.
 *
 * @param copies one type for each copy, fastest first
 * @param storagePolicy name of the HDFS storage policy
 * @param replication factor of the file; where it differs from the copies, HDFS itself adds or removes some
 * @param cached copies of each block in DataNodes' memory
 */
public record Target(List<StorageType> copies, String storagePolicy, int replication, int cached) {

  /** As many copies as there are, none in memory. */
  public Target(List<StorageType> copies, String storagePolicy) {
    this(copies, storagePolicy, copies.size(), 0);
  }

  /** One copy from a type that has too many to one that has too few. */
  public record Shift(StorageType from, StorageType to) {}

  public Target {
    if (copies.isEmpty()) {
      throw new IllegalArgumentException("a file has at least one copy");
    }
    copies = fastestFirst(copies);
  }

  /** The same layout, with copies in memory. */
  Target cachedOn(int copies) {
    return new Target(this.copies, storagePolicy, replication, copies);
  }

  /** The same layout, until HDFS has as many replicas. */
  Target replicated(int factor) {
    return new Target(copies, storagePolicy, factor, cached);
  }

  /** Type of the fastest copy, which readers take. */
  public StorageType lead() {
    return copies.get(0);
  }

  /** How many copies lie on the type. */
  public int count(StorageType type) {
    return Collections.frequency(copies, type);
  }

  /**
   * The moves that bring copies to where the target has them, those to the fastest types first. A copy that lies
   * on one of the target's types stays, so none goes where one is already (SUORA, section 3.6).
   *
   * @param types of a block's copies, in any order; of a block that has fewer than the target, those that
   *     it has go to the fastest types
   */
  public List<Shift> shifts(List<StorageType> types) {
    List<StorageType> surplus = new ArrayList<>(fastestFirst(types));
    List<StorageType> missing = new ArrayList<>();
    for (StorageType type : copies) {
      if (!surplus.remove(type)) {
        missing.add(type);
      }
    }
    List<Shift> shifts = new ArrayList<>();
    for (int i = 0; i < Math.min(surplus.size(), missing.size()); i++) {
      shifts.add(new Shift(surplus.get(i), missing.get(i)));
    }
    return shifts;
  }

  /** The types of a block's copies after its moves. */
  List<StorageType> applied(List<StorageType> types) {
    List<StorageType> after = new ArrayList<>(types);
    for (Shift shift : shifts(types)) {
      after.set(after.indexOf(shift.from), shift.to);
    }
    return after;
  }

  static List<StorageType> fastestFirst(List<StorageType> types) {
    return types.stream().sorted(Collections.reverseOrder()).toList();
  }

  @Override
  public String toString() {
    return copies.stream().map(StorageType::name).collect(Collectors.joining(" "))
        + " ("
        + storagePolicy
        + ")"
        + (replication == copies.size() ? "" : ", " + replication + " replicas")
        + (cached == 0 ? "" : ", " + cached + " in memory");
  }
}
