// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Which files lie on one fast tier: cold migration above the upper watermark (SUORA algorithm 2), then
 * promotion and displacement up to the lower one.
 */
final class FastTierRule implements Rule {

  /*
   * One pass over the files, hottest byte first. Each enters if it fits below W_l, after sending away
   * the coldest residents that it beats by the margin where that is needed. What was sent away, by cold
   * migration or by a hotter file, waits in the same queue: its turn comes later, since it is colder,
   * and it stays where the room that is left then holds it (the file that took its place may be smaller
   * than all that made way).
   *
   * So no file that ends outside could enter in a second pass. For a file c outside, take the room that
   * is left plus the bytes of all residents that c beats. At c's turn that was less than c needs.
   * Whoever entered after c is colder, used that room, and sent away only what c beats too, so the sum
   * never grew.
   */

  private final StorageType tier;
  private final TierLimits limits;
  private final double margin;

  FastTierRule(StorageType tier, TierLimits limits, double margin) {
    this.tier = tier;
    this.limits = limits;
    this.margin = margin;
  }

  @Override
  public void apply(Draft draft) {
    if (!draft.has(tier)) {
      return;
    }
    // Hottest first, so the coldest is taken from the end.
    List<Draft.Entry> residents = new ArrayList<>();
    NavigableSet<Draft.Entry> waiting = new TreeSet<>(Draft.Entry.HOTTEST_FIRST);
    Map<Draft.Entry, Draft.Outcome> before = new HashMap<>();
    for (Draft.Entry entry : draft.entries()) {
      int lead = entry.layout().lead().compareTo(tier);
      if (lead == 0) {
        residents.add(entry);
      } else if (lead < 0) {
        waiting.add(entry);
        if (entry.layout().touches(tier)) {
          before.put(entry, entry.planned());
          dropPart(draft, entry);
        }
      }
    }
    migrateCold(draft, residents, before);
    waiting.addAll(before.keySet());
    for (Draft.Entry entry = waiting.pollFirst(); entry != null; entry = waiting.pollFirst()) {
      if (entry.hot().heat() >= limits.threshold()) {
        waiting.addAll(admit(draft, entry, residents, before));
      }
    }
  }

  /** A part of a file makes no reader of the whole faster: it comes wholly, or leaves. */
  private void dropPart(Draft draft, Draft.Entry entry) {
    sendAway(
        draft,
        entry,
        // Down to where the rest of it lies; ARCHIVE has a rule of its own.
        new Target(
            entry.layout().lead().isFast() ? entry.layout().lead() : StorageType.DISK,
            entry.planned().rest()),
        Decision.Cause.COLD_MIGRATION,
        "only a part of it is on %s, and all of it is not hot enough for the room there: %s",
        tier,
        entry.hot().numbers());
  }

  /** Sends the coldest away until W_l is reached, noting what was planned for them before. */
  private void migrateCold(
      Draft draft, List<Draft.Entry> residents, Map<Draft.Entry, Draft.Outcome> before) {
    if (draft.used(tier) <= draft.share(limits.upperWatermark(), tier)) {
      return;
    }
    while (draft.used(tier) > draft.share(limits.lowerWatermark(), tier) && !residents.isEmpty()) {
      Draft.Entry coldest = residents.remove(residents.size() - 1);
      before.put(coldest, coldest.planned());
      sendAway(
          draft,
          coldest,
          down(coldest),
          Decision.Cause.COLD_MIGRATION,
          "%s is above its upper watermark of %.0f %%, and this is its coldest data: %s",
          tier,
          limits.upperWatermark() * 100,
          coldest.hot().numbers());
    }
  }

  /** Lets a file in if it can, and tells who had to leave for it. */
  private List<Draft.Entry> admit(
      Draft draft,
      Draft.Entry entry,
      List<Draft.Entry> residents,
      Map<Draft.Entry, Draft.Outcome> before) {
    Draft.Outcome was = before.getOrDefault(entry, entry.planned());
    long length = entry.hot().file().length();
    // With a second copy on the tier it takes the room of two files; only one copy comes back.
    boolean stays = was.layout().lead() == tier && was.layout().bytesOn(tier) == length;
    Target target = new Target(tier, entry.planned().rest());
    Layout there = stays ? was.layout() : Layout.of(entry.hot().file(), target);
    long free = draft.share(limits.lowerWatermark(), tier) - draft.used(tier);
    long missing = there.bytesOn(tier) - entry.layout().bytesOn(tier) - free;
    List<Draft.Entry> losers = coldest(residents, entry.hot(), missing);
    if (losers == null) {
      return List.of();
    }
    for (Draft.Entry loser : losers) {
      residents.remove(residents.size() - 1);
      before.put(loser, loser.planned());
      sendAway(
          draft,
          loser,
          down(loser),
          Decision.Cause.DISPLACED,
          "gives its place on %s to hotter data: %s against %s of %s",
          tier,
          loser.hot().numbers(),
          entry.hot().numbers(),
          entry.hot().file().path());
    }
    if (stays) {
      draft.restore(entry, was);
    } else {
      draft.decide(
          entry,
          was.layout().lead() == tier ? entry.planned() : was,
          target,
          Decision.Cause.PROMOTED,
          String.format(
              Locale.ROOT,
              "%s, at least the threshold of %.1f reads for %s, among the hottest that fit below %.0f %%",
              entry.hot().numbers(),
              limits.threshold(),
              tier,
              limits.lowerWatermark() * 100));
    }
    return losers;
  }

  /** The coldest residents that make up the bytes, all beaten by the winner; null where they can't. */
  private List<Draft.Entry> coldest(List<Draft.Entry> residents, HotFile winner, long bytes) {
    List<Draft.Entry> losers = new ArrayList<>();
    long left = bytes;
    for (int i = residents.size() - 1; left > 0; i--) {
      if (i < 0 || winner.density() <= residents.get(i).hot().density() * (1 + margin)) {
        return null;
      }
      losers.add(residents.get(i));
      left -= residents.get(i).layout().bytesOn(tier);
    }
    return losers;
  }

  private static Target down(Draft.Entry entry) {
    return new Target(StorageType.DISK, entry.planned().rest());
  }

  /** Plans every copy off the tier: as asked, or all of them to DISK where that would leave some. */
  private void sendAway(
      Draft draft,
      Draft.Entry entry,
      Target target,
      Decision.Cause cause,
      String reason,
      Object... numbers) {
    Target off =
        Layout.of(entry.hot().file(), target).touches(tier)
            ? new Target(StorageType.DISK, StorageType.DISK)
            : target;
    draft.decide(entry, entry.planned(), off, cause, String.format(Locale.ROOT, reason, numbers));
  }
}
