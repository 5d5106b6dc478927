// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * DISK above its upper watermark sends copies of its coldest files to ARCHIVE, as far as that has room
 * below its own: all but one copy first, the last one too when that was not enough.
 */
final class ArchiveRule implements Rule {

  /** The type of the one copy that is left, in the order in which it is tried. */
  private static final List<StorageType> PASSES = List.of(StorageType.DISK, StorageType.ARCHIVE);

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
    for (StorageType lead : PASSES) {
      for (int i = draft.entries().size() - 1; i >= 0 && isTooFull(draft); i--) {
        send(draft, draft.entries().get(i), lead);
      }
    }
  }

  private boolean isTooFull(Draft draft) {
    return draft.used(StorageType.DISK) > draft.share(disk.lowerWatermark(), StorageType.DISK);
  }

  private void send(Draft draft, Draft.Entry entry, StorageType lead) {
    Target target = draft.target(entry, copies -> archived(copies, lead));
    Layout now = entry.layout();
    Layout then = Layout.of(entry.hot().file(), target);
    long leaving = now.bytesOn(StorageType.DISK) - then.bytesOn(StorageType.DISK);
    long arriving = then.bytesOn(StorageType.ARCHIVE) - now.bytesOn(StorageType.ARCHIVE);
    long room =
        draft.share(archive.upperWatermark(), StorageType.ARCHIVE)
            - draft.used(StorageType.ARCHIVE);
    boolean isFast = now.touches(StorageType.SSD, StorageType.NVDIMM);
    if (isFast
        || leaving <= 0
        || arriving > room
        || !entry.mayLeadOn(StorageType.ARCHIVE)
        || !draft.caps().exceeded(entry.hot().file(), now, then).isEmpty()) {
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

  private static List<StorageType> archived(List<StorageType> copies, StorageType lead) {
    List<StorageType> after =
        new ArrayList<>(Collections.nCopies(copies.size(), StorageType.ARCHIVE));
    after.set(0, lead);
    return after;
  }
}
