// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Files whose fastest copy lies outside the bounds that an administrator set go to the nearest
 * type within them:
 * down, coldest first, as far as the type has room below its upper watermark; up, hottest first,
 * to the lower
 * watermark, in the place of the coldest that may leave. What it saves is weighed and said, not
 * asked for.
 */
final class BoundRule implements Rule {

  private final Map<StorageType, TierLimits> limits;
  private final Gate gate;

  BoundRule(Tiering tiering) {
    this.limits = tiering.limits();
    this.gate = tiering.gate();
  }

  @Override
  public void apply(Draft draft) {
    List<Draft.Entry> entries = draft.entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      Hold.Bound most = entries.get(i).hold().atMost();
      if (most != null && entries.get(i).layout().lead().compareTo(most.type()) > 0) {
        send(draft, entries.get(i), most, "at most ");
      }
    }
    for (Draft.Entry entry : entries) {
      Hold.Bound least = entry.hold().atLeast();
      if (least != null && entry.layout().lead().compareTo(least.type()) < 0) {
        send(draft, entry, least, "at least ");
      }
    }
  }

  private void send(Draft draft, Draft.Entry entry, Hold.Bound bound, String words) {
    StorageType type = bound.type();
    Target target = draft.target(entry, copies -> draft.ladder(entry).ledBy(copies, type));
    Layout then = Layout.of(entry.hot().file(), target);
    List<Draft.Entry> leaving = new ArrayList<>();
    String objection = objection(draft, entry, then, type);
    if (objection.isEmpty() && !makesRoom(draft, entry, then, type, leaving)) {
      objection = "no room for what is to be " + words + type + " by " + bound.by();
    }
    if (!objection.isEmpty()) {
      String reason = objection;
      draft.note(entry, type, () -> reason);
      return;
    }
    leaving.forEach(other -> displace(draft, other, entry, type));
    Gate.Benefit benefit =
        gate.weigh(new Gate.Change(entry.hot(), target, draft.reads()), List.of());
    String weighed = gate.words(benefit);
    boolean isUp = then.lead().compareTo(entry.leadNow()) > 0;
    draft.decide(
        entry,
        entry.planned(),
        target,
        isUp ? Decision.Cause.RULED_UP : Decision.Cause.RULED_DOWN,
        words
            + type
            + " by "
            + bound.by()
            + ": "
            + entry.hot().numbers()
            + (weighed.isEmpty() ? "" : "; " + weighed),
        benefit);
  }

  private String objection(Draft draft, Draft.Entry entry, Layout then, StorageType type) {
    if (!draft.has(type) || !limits.containsKey(type)) {
      return "the cluster has no " + type + ", or decide.tiers leaves it out";
    }
    if (!draft.ladder(entry).reaches(type) || then.lead() != type) {
      return "HDFS has no storage policy for that, or a block of it has no live copy";
    }
    if (!entry.mayLeadOn(type)) {
      return entry.hold().reason();
    }
    List<CapLedger.Excess> exceeded =
        draft.caps().exceeded(entry.hot().file(), entry.layout(), then);
    return exceeded.isEmpty() ? "" : exceeded.get(0).cap().reason();
  }

  /** Whether there is room, with those that have to leave for it. */
  private boolean makesRoom(
      Draft draft, Draft.Entry entry, Layout then, StorageType type, List<Draft.Entry> leaving) {
    boolean isUp = then.lead().compareTo(entry.layout().lead()) > 0;
    double watermark =
        isUp && type.isFast()
            ? limits.get(type).lowerWatermark()
            : limits.get(type).upperWatermark();
    long missing =
        then.bytesOn(type)
            - entry.layout().bytesOn(type)
            - (draft.share(watermark, type) - draft.used(type));
    List<Draft.Entry> all = draft.entries();
    for (int i = all.size() - 1; isUp && type.isFast() && missing > 0 && i >= 0; i--) {
      Draft.Entry other = all.get(i);
      if (other != entry
          && other.layout().lead() == type
          && !other.hold().keepsOn(type)
          && (other.leadNow().compareTo(type) < 0 || other.mayLeadOn(StorageType.DISK))) {
        leaving.add(other);
        missing -= other.layout().bytesOn(type);
      }
    }
    return missing <= 0;
  }

  private static void displace(
      Draft draft, Draft.Entry other, Draft.Entry entry, StorageType type) {
    draft.decide(
        other,
        other.planned(),
        draft.target(other, copies -> draft.ladder(other).vacated(copies, type, StorageType.DISK)),
        Decision.Cause.DISPLACED,
        String.format(
            Locale.ROOT,
            "gives its place on %s to %s, which a rule has there: %s",
            type,
            entry.hot().file().path(),
            other.hot().numbers()));
  }
}
