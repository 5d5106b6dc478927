// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.Locale;

/** What is read again after it was archived gets a copy on DISK, while that stays below W_l. */
final class RecallRule implements Rule {

  private final TierLimits disk;

  RecallRule(TierLimits disk) {
    this.disk = disk;
  }

  @Override
  public void apply(Draft draft) {
    for (Draft.Entry entry : draft.entries()) {
      double heat = entry.hot().heat();
      if (heat > 0
          && heat >= disk.threshold()
          && entry.layout().lead() == StorageType.ARCHIVE
          && !entry.layout().touches(StorageType.SSD, StorageType.NVDIMM)) {
        recall(draft, entry);
      }
    }
  }

  private void recall(Draft draft, Draft.Entry entry) {
    Draft.Outcome earlier = entry.planned();
    Target target = new Target(StorageType.DISK, earlier.rest());
    Layout then = Layout.of(entry.hot().file(), target);
    long more = then.bytesOn(StorageType.DISK) - entry.layout().bytesOn(StorageType.DISK);
    if (draft.used(StorageType.DISK) + more
        > draft.share(disk.lowerWatermark(), StorageType.DISK)) {
      return;
    }
    draft.decide(
        entry,
        earlier,
        target,
        Decision.Cause.RECALLED,
        String.format(
            Locale.ROOT,
            "%s, at least the threshold of %.1f reads for DISK",
            entry.hot().numbers(),
            disk.threshold()));
  }
}
