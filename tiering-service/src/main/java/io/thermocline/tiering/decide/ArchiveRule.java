// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.Locale;

/**
 * DISK above its upper watermark sends copies of its coldest files to ARCHIVE, as far as that has room
 * below its own: all but one copy first, the last one too when that was not enough.
 */
final class ArchiveRule implements Rule {

  private static final List<Target> PASSES =
      List.of(
          new Target(StorageType.DISK, StorageType.ARCHIVE),
          new Target(StorageType.ARCHIVE, StorageType.ARCHIVE));

  private final TierLimits disk;
  private final TierLimits archive;

  ArchiveRule(TierLimits disk, TierLimits archive) {
    this.disk = disk;
    this.archive = archive;
  }

  @Override
  public void apply(Draft draft) {
    if (!draft.has(StorageType.ARCHIVE)
        || draft.used(StorageType.DISK) <= draft.share(disk.upperWatermark(), StorageType.DISK)) {
      return;
    }
    for (Target target : PASSES) {
      for (int i = draft.entries().size() - 1; i >= 0 && isTooFull(draft); i--) {
        send(draft, draft.entries().get(i), target);
      }
    }
  }

  private boolean isTooFull(Draft draft) {
    return draft.used(StorageType.DISK) > draft.share(disk.lowerWatermark(), StorageType.DISK);
  }

  private void send(Draft draft, Draft.Entry entry, Target target) {
    Layout now = entry.layout();
    Layout then = Layout.of(entry.hot().file(), target);
    long leaving = now.bytesOn(StorageType.DISK) - then.bytesOn(StorageType.DISK);
    long arriving = then.bytesOn(StorageType.ARCHIVE) - now.bytesOn(StorageType.ARCHIVE);
    long room =
        draft.share(archive.upperWatermark(), StorageType.ARCHIVE)
            - draft.used(StorageType.ARCHIVE);
    boolean isFast = now.touches(StorageType.SSD, StorageType.NVDIMM);
    if (isFast || leaving <= 0 || arriving > room) {
      return;
    }
    draft.decide(
        entry,
        entry.planned(),
        target,
        Decision.Cause.ARCHIVED,
        String.format(
            Locale.ROOT,
            "DISK is above its upper watermark of %.0f %%, and this is its coldest data: %s",
            disk.upperWatermark() * 100,
            entry.hot().numbers()));
  }
}
