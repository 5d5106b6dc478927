// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What hints ask to be prefetched goes to the fastest type with room for it (HintStor's PREFETCH, thesis chapter
 * 2.3.2). Readers are served from where it lies until the copy is there.
 *
 * <p>The room between the watermarks is its buffer, as far as {@link PrefetchLimits} say: nothing leaves for it, no
 * threshold or price is asked, and once the type is above its upper watermark the coldest leave, which are those whose
 * hints are over.
 */
final class PrefetchRule implements Rule {

  private final List<StorageType> fastTiers;
  private final Map<StorageType, TierLimits> tiers;
  private final PrefetchLimits limits;

  /**
   * @param fastTiers fastest first
   */
  PrefetchRule(List<StorageType> fastTiers, Tiering tiering) {
    this.fastTiers = fastTiers;
    this.tiers = tiering.limits();
    this.limits = tiering.prefetch();
  }

  static boolean isPrefetched(HotFile hot) {
    return hot.asks(Operation.PREFETCH).isPresent();
  }

  @Override
  public void apply(Draft draft) {
    List<Draft.Entry> wanted =
        draft.entries().stream().filter(entry -> isPrefetched(entry.hot())).toList();
    for (StorageType tier : fastTiers) {
      if (draft.has(tier)) {
        apply(draft, wanted, tier);
      }
    }
  }

  private void apply(Draft draft, List<Draft.Entry> wanted, StorageType tier) {
    long taken = 0;
    Map<String, Long> owners = new HashMap<>();
    for (Draft.Entry entry : wanted) {
      if (entry.layout().lead() == tier) {
        taken += entry.layout().bytesOn(tier);
        owners.merge(owner(entry), entry.layout().bytesOn(tier), Long::sum);
      }
    }
    for (Draft.Entry entry : wanted) {
      if (entry.layout().lead().isFast() || !entry.mayLeadOn(tier)) {
        continue;
      }
      Target target = draft.target(entry, copies -> draft.ladder(entry).promoted(copies, tier));
      Layout there = Layout.of(entry.hot().file(), target);
      long bytes = there.bytesOn(tier) - entry.layout().bytesOn(tier);
      String objection = objection(draft, tier, entry, there, bytes);
      if (objection.isEmpty() && taken + bytes > limits.most()) {
        objection = "prefetch: " + limits.most() + " bytes are all that may be prefetched";
      }
      long ofOwner = owners.getOrDefault(owner(entry), 0L) + bytes;
      if (objection.isEmpty() && ofOwner > limits.perOwner()) {
        objection = "prefetch: " + limits.perOwner() + " bytes are all for one owner";
      }
      if (!objection.isEmpty()) {
        String why = objection;
        draft.note(entry, tier, () -> why);
        continue;
      }
      taken += bytes;
      owners.put(owner(entry), ofOwner);
      draft.decide(
          entry,
          entry.planned(),
          target,
          Decision.Cause.PROMOTED,
          String.format(
              Locale.ROOT,
              "prefetched to %s, within the %d bytes there for that: %s",
              tier,
              limits.most(),
              entry.hot().numbers()));
    }
  }

  private String objection(
      Draft draft, StorageType tier, Draft.Entry entry, Layout there, long bytes) {
    if (!draft.ladder(entry).reaches(tier) || there.lead() != tier) {
      return "prefetch: HDFS has no storage policy for that, or a block of it has no live copy";
    }
    if (draft.used(tier) + bytes > draft.share(tiers.get(tier).upperWatermark(), tier)) {
      return "prefetch: no room below the upper watermark";
    }
    List<CapLedger.Excess> exceeded =
        draft.caps().exceeded(entry.hot().file(), entry.layout(), there);
    return exceeded.isEmpty() ? "" : exceeded.get(0).cap().reason();
  }

  private static String owner(Draft.Entry entry) {
    return entry.hot().asks(Operation.PREFETCH).orElseThrow().owner();
  }
}
