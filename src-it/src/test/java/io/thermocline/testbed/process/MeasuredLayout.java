// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A layout of a file's replicas: what a layout mode writes, and what a directed move makes of it. Types
 * are by their first letters, slowest first.
 */
enum MeasuredLayout {
  POLICY_DDD(Mode.POLICY, "DDD", "DDD", null),
  POLICY_DDS(Mode.POLICY, "DDD", "DDS", null),
  POLICY_DDS_ONE_SSD(Mode.POLICY, "DDD", "DDS", "ONE_SSD"),
  SUORA_ADD(Mode.SUORA, "ADD", "ADD", null),
  SUORA_DDS(Mode.SUORA, "ADD", "DDS", null),
  SUORA_ADS(Mode.SUORA, "ADD", "ADS", null),
  SUORA_DDS_ONE_SSD(Mode.SUORA, "ADD", "DDS", "ONE_SSD"),
  SUORA_ADS_ONE_SSD(Mode.SUORA, "ADD", "ADS", "ONE_SSD"),
  EVEN_ADS(Mode.SUORA_EVEN, "ADS", "ADS", null);

  /** A layout mode, on a cluster whose storages decide what it writes. */
  enum Mode {
    POLICY("policy", StorageType.DISK),
    SUORA("suora", StorageType.DISK),
    /** Equal capacity of all types: the mode then uses SSD as well. */
    SUORA_EVEN("suora");

    private final String setting;
    private final List<StorageType> storages;

    Mode(String setting, StorageType... more) {
      this.setting = setting;
      this.storages =
          new ArrayList<>(List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE));
      this.storages.addAll(List.of(more));
    }

    String setting() {
      return setting;
    }

    /** Of each DataNode. */
    List<StorageType> storages() {
      return List.copyOf(storages);
    }

    List<MeasuredLayout> layouts() {
      return Arrays.stream(MeasuredLayout.values()).filter(one -> one.mode == this).toList();
    }
  }

  private final Mode mode;
  private final String written;
  private final String promoted;
  private final String policy;

  MeasuredLayout(Mode mode, String written, String promoted, String policy) {
    this.mode = mode;
    this.written = written;
    this.promoted = promoted;
    this.policy = policy;
  }

  /** The storage policy the files are given before the move; null for none. */
  String policy() {
    return policy;
  }

  /** Whether a directed move made it. */
  boolean isPromoted() {
    return !written.equals(promoted);
  }

  /** As {@link StoredFiles#types} shows what the mode writes. */
  String written() {
    return shown(written);
  }

  /** The same of the layout itself. */
  String shown() {
    return shown(promoted);
  }

  List<StorageType> types() {
    return types(promoted);
  }

  private static String shown(String letters) {
    return types(letters).stream().map(Enum::name).sorted().toList().toString();
  }

  private static List<StorageType> types(String letters) {
    return letters
        .chars()
        .mapToObj(
            letter ->
                Mode.SUORA_EVEN.storages.stream()
                    .filter(type -> type.name().charAt(0) == letter)
                    .findAny()
                    .get())
        .toList();
  }
}
