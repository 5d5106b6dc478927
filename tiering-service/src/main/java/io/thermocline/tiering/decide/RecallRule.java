// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is read again after it was archived gets a copy on DISK, while that stays below W_l. */
final class RecallRule implements Rule {

  private final TierLimits disk;

  private final Gate gate;

  RecallRule(TierLimits disk, Gate gate) {
    this.disk = disk;
    this.gate = gate;
  }

  @Override
  public void apply(Draft draft) {
    for (Draft.Entry entry : draft.entries()) {
      double heat = entry.hot().heat();
      if (heat > 0
          && heat >= disk.threshold()
          && entry.layout().lead() == StorageType.ARCHIVE
          && !entry.layout().touches(StorageType.SSD, StorageType.NVDIMM)
          && entry.mayLeadOn(StorageType.DISK)) {
        recall(draft, entry);
      }
    }
  }

  private void recall(Draft draft, Draft.Entry entry) {
    Draft.Outcome earlier = entry.planned();
    Target target = draft.target(entry, RecallRule::recalled);
    Layout then = Layout.of(entry.hot().file(), target);
    long more = then.bytesOn(StorageType.DISK) - entry.layout().bytesOn(StorageType.DISK);
    if (draft.used(StorageType.DISK) + more
        > draft.share(disk.lowerWatermark(), StorageType.DISK)) {
      return;
    }
    Gate.Benefit benefit = gate.weigh(draft.change(entry, target), List.of());
    if (!draft.caps().exceeded(entry.hot().file(), entry.layout(), then).isEmpty()) {
      draft.note(entry, StorageType.DISK, () -> "a cap on DISK");
      return;
    }
    if (!gate.passes(benefit)) {
      draft.note(entry, StorageType.DISK, () -> gate.words(benefit) + ": not worth it");
      return;
    }
    String weighed = gate.words(benefit);
    draft.decide(
        entry,
        earlier,
        target,
        Decision.Cause.RECALLED,
        String.format(
            Locale.ROOT,
            "%s, at least the threshold of %.1f reads of a file for DISK%s",
            entry.hot().numbers(),
            disk.threshold(),
            weighed.isEmpty() ? "" : "; " + weighed),
        benefit);
  }

  /** One copy on DISK; as they are where there is one. */
  static List<StorageType> recalled(List<StorageType> copies) {
    if (copies.contains(StorageType.DISK)) {
      return copies;
    }
    List<StorageType> after = new ArrayList<>(copies);
    after.set(0, StorageType.DISK);
    return after;
  }
}
