// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
   * So no file that ends outside for want of room could enter in a second pass. For a file c outside, take the
   * room that is left plus the bytes of all residents that c beats. At c's turn that was less than c needs.
   * Whoever entered after c is colder, used that room, and sent away only what c beats too, so the sum
   * never grew. A cap, or the gate, can open again when others leave: TierDecider asks until nothing changes.
   */

  private final StorageType tier;
  private final TierLimits limits;
  private final TierLimits archive;
  private final double margin;
  private final Gate gate;
  private final boolean addsReplicas;

  FastTierRule(StorageType tier, Tiering tiering) {
    this.tier = tier;
    this.limits = tiering.limits().get(tier);
    this.archive = tiering.limits().get(StorageType.ARCHIVE);
    this.margin = tiering.margin();
    this.gate = tiering.gate();
    this.addsReplicas = tiering.levers().copies() != null;
  }

  @Override
  public void apply(Draft draft) {
    if (draft.has(tier)) {
      new Pass(draft).run();
    }
  }

  /** One application of the rule. */
  private final class Pass {
    private final Draft draft;

    /** Hottest first, so the coldest is taken from the end. */
    private final List<Draft.Entry> residents = new ArrayList<>();

    private final NavigableSet<Draft.Entry> waiting = new TreeSet<>(Draft.Entry.HOTTEST_FIRST);

    /** What was planned for those that were sent away. */
    private final Map<Draft.Entry, Draft.Outcome> before = new HashMap<>();

    Pass(Draft draft) {
      this.draft = draft;
    }

    void run() {
      for (Draft.Entry entry : draft.entries()) {
        int lead = entry.layout().lead().compareTo(tier);
        if (lead == 0) {
          residents.add(entry);
        } else if (lead < 0 && (entry.hot().rank() > 0 || entry.layout().touches(tier))) {
          waiting.add(entry);
          if (entry.layout().touches(tier) && entry.hold().fall() && !entry.hold().keepsOn(tier)) {
            before.put(entry, entry.planned());
            dropPart(entry);
          }
        }
      }
      migrateCold();
      waiting.addAll(before.keySet());
      for (Draft.Entry entry = waiting.pollFirst(); entry != null; entry = waiting.pollFirst()) {
        if (isWanted(entry)) {
          waiting.addAll(admit(entry));
        }
      }
    }

    private boolean isWanted(Draft.Entry entry) {
      Supplier<String> objection =
          !draft.ladder(entry).reaches(tier)
              ? () -> "HDFS has no storage policy for erasure-coded files with " + tier
              : entry.hot().isForecast() ? unworthy(entry) : tooCold(entry);
      if (objection == null && !entry.mayLeadOn(tier)) {
        objection = entry.hold()::reason;
      }
      if (objection == null && isToBeReplicated(entry)) {
        objection = () -> "a hint asks for more replicas, which only files without a fast copy get";
      }
      if (objection != null) {
        draft.note(entry, tier, objection);
      }
      return objection == null;
    }

    private boolean isToBeReplicated(Draft.Entry entry) {
      HotFile hot = entry.hot();
      return addsReplicas
          && entry.leadNow() == StorageType.DISK
          && !hot.file().isErasureCoded()
          && hot.asks(Operation.REPLICATE).isPresent()
          && hot.asks(Operation.PREFETCH).isEmpty();
    }

    /** What thresholds have against it; null for nothing. */
    private Supplier<String> tooCold(Draft.Entry entry) {
      HotFile hot = entry.hot();
      if (hot.heat() < limits.threshold()) {
        return () -> String.format(Locale.ROOT, "read less than %.1f times", limits.threshold());
      }
      if (hot.density() < draft.threshold(tier) / HotFile.GB && !before.containsKey(entry)) {
        return () ->
            String.format(Locale.ROOT, "less than %.2f s of disk time a GB", draft.threshold(tier));
      }
      return null;
    }

    /** The price of a move is in the place of the thresholds; what is there already pays none. */
    private Supplier<String> unworthy(Draft.Entry entry) {
      HotFile hot = entry.hot();
      if (hot.heat() < limits.demoteBelow()) {
        return () ->
            String.format(
                Locale.ROOT, "read less than the %.1f times that it keeps", limits.demoteBelow());
      }
      if (!hot.forecast().worth().isWorthMoving() && !before.containsKey(entry)) {
        return () -> "below the price of a move: " + hot.forecast().worth().numbers();
      }
      return null;
    }

    /** A part of a file makes no reader of the whole faster: it comes wholly, or leaves. */
    private void dropPart(Draft.Entry entry) {
      sendAway(
          entry,
          Decision.Cause.COLD_MIGRATION,
          String.format(
              Locale.ROOT,
              "only a part of it is on %s, and all of it is not hot enough for the room there: %s",
              tier,
              entry.hot().numbers()));
    }

    /** Sends the coldest away until W_l is reached, and what is too cold in any case. */
    private void migrateCold() {
      boolean tooFull = draft.used(tier) > draft.share(limits.upperWatermark(), tier);
      for (int i = residents.size() - 1; i >= 0; i--) {
        Draft.Entry coldest = residents.get(i);
        boolean over = tooFull && draft.used(tier) > draft.share(limits.lowerWatermark(), tier);
        boolean tooCold = coldest.hot().heat() < limits.demoteBelow();
        if (!over && limits.demoteBelow() == 0) {
          return;
        }
        if ((over || tooCold) && mayLeave(coldest)) {
          residents.remove(i);
          before.put(coldest, coldest.planned());
          sendAway(coldest, Decision.Cause.COLD_MIGRATION, coldReason(coldest, over));
        }
      }
    }

    private String coldReason(Draft.Entry coldest, boolean over) {
      return over
          ? String.format(
              Locale.ROOT,
              "%s is above its upper watermark of %.0f %%, and this is its coldest data: %s",
              tier,
              limits.upperWatermark() * 100,
              coldest.hot().numbers())
          : String.format(
              Locale.ROOT,
              "below the %.1f reads of a file that %s keeps: %s",
              limits.demoteBelow(),
              tier,
              coldest.hot().numbers());
    }

    /** Where its copies came from in the snapshot, or what they rose to since, may be left. */
    private boolean mayLeave(Draft.Entry entry) {
      return !entry.hold().keepsOn(tier)
          && (entry.leadNow().compareTo(tier) < 0 || entry.mayLeadOn(StorageType.DISK));
    }

    /** Lets a file in if it can, and tells who had to leave for it. */
    private Set<Draft.Entry> admit(Draft.Entry entry) {
      if (isHopeless(entry)) {
        draft.note(entry, tier, () -> noRoom(entry));
        return Set.of();
      }
      Draft.Outcome was = before.getOrDefault(entry, entry.planned());
      long length = entry.hot().file().length();
      // With a second copy on the tier it takes the room of two files; only one copy comes back.
      boolean stays = was.layout().lead() == tier && was.layout().bytesOn(tier) == length;
      Target target = draft.target(entry, copies -> draft.ladder(entry).promoted(copies, tier));
      Layout there = stays ? was.layout() : Layout.of(entry.hot().file(), target);
      if (there.lead() != tier) {
        return Set.of();
      }
      Set<Draft.Entry> losers = losers(entry, there);
      if (losers == null) {
        return Set.of();
      }
      Gate.Worth worth = stays ? was.worth() : weigh(entry, target, losers);
      if (!stays && !gate.passes(worth)) {
        draft.note(entry, tier, () -> gate.words(worth) + ": not worth it");
        return Set.of();
      }
      for (Draft.Entry loser : losers) {
        // Near the end, where the coldest are.
        residents.remove(residents.lastIndexOf(loser));
        before.put(loser, loser.planned());
        sendAway(
            loser,
            Decision.Cause.DISPLACED,
            String.format(
                Locale.ROOT,
                "gives its place on %s to hotter data: %s against %s of %s",
                tier,
                loser.hot().numbers(),
                entry.hot().numbers(),
                entry.hot().file().path()));
      }
      if (stays) {
        draft.restore(entry, was);
      } else {
        Draft.Outcome base = was.layout().lead() == tier ? entry.planned() : was;
        draft.decide(entry, base, target, Decision.Cause.PROMOTED, reason(entry, worth), worth);
      }
      return losers;
    }

    private String reason(Draft.Entry entry, Gate.Worth worth) {
      String weighed = gate.words(worth);
      if (entry.hot().isForecast()) {
        return String.format(
            Locale.ROOT,
            "%s, worth a move and among the best for %s that fit below %.0f %%%s",
            entry.hot().numbers(),
            tier,
            limits.lowerWatermark() * 100,
            weighed.isEmpty() ? "" : "; " + weighed);
      }
      String learned =
          draft.threshold(tier) == 0
              ? ""
              : String.format(Locale.ROOT, " and %.2f s a GB", draft.threshold(tier));
      return String.format(
          Locale.ROOT,
          "%s, at least the threshold of %.1f reads of a file%s for %s, among the hottest that fit below %.0f %%%s",
          entry.hot().numbers(),
          limits.threshold(),
          learned,
          tier,
          limits.lowerWatermark() * 100,
          weighed.isEmpty() ? "" : "; " + weighed);
    }

    private Gate.Worth weigh(Draft.Entry entry, Target target, Set<Draft.Entry> losers) {
      List<Gate.Change> room = new ArrayList<>();
      for (Draft.Entry loser : losers) {
        // What only rises in this plan has nothing to leave.
        if (loser.leadNow().compareTo(tier) >= 0) {
          Target off = draft.target(loser, copies -> off(loser, copies));
          room.add(new Gate.Change(loser.hot(), off, draft.reads()));
        }
      }
      return gate.weigh(new Gate.Change(entry.hot(), target, draft.reads()), room);
    }

    /**
     * The coldest residents that must leave, all beaten by the winner: of those that share a cap it would exceed, and
     * of any until there is room. Null where they don't make up what is missing.
     */
    private Set<Draft.Entry> losers(Draft.Entry entry, Layout there) {
      Set<Draft.Entry> losers = new LinkedHashSet<>();
      for (CapLedger.Excess excess :
          draft.caps().exceeded(entry.hot().file(), entry.layout(), there)) {
        Predicate<Draft.Entry> inScope = other -> excess.cap().scope().covers(other.hot().file());
        if (excess.cap().type() != tier || !collect(losers, entry, excess.bytes(), inScope)) {
          draft.note(entry, tier, excess.cap()::reason);
          return null;
        }
      }
      long free = draft.share(limits.lowerWatermark(), tier) - draft.used(tier);
      long missing = there.bytesOn(tier) - entry.layout().bytesOn(tier) - free;
      if (!collect(losers, entry, missing, other -> true)) {
        draft.note(entry, tier, () -> noRoom(entry));
        return null;
      }
      return losers;
    }

    /** Most end here once the tier is full: not even the coldest would make room for it. */
    private boolean isHopeless(Draft.Entry entry) {
      long more = entry.hot().file().length() - entry.layout().bytesOn(tier);
      long free = draft.share(limits.lowerWatermark(), tier) - draft.used(tier);
      return more > free
          && (residents.isEmpty() || !beats(entry, residents.get(residents.size() - 1)));
    }

    private boolean beats(Draft.Entry winner, Draft.Entry loser) {
      return winner.hot().rank() > loser.hot().rank() * (1 + margin);
    }

    private String noRoom(Draft.Entry entry) {
      if (residents.isEmpty()) {
        return "no room below the lower watermark, and nothing there that could leave";
      }
      Draft.Entry coldest = residents.get(residents.size() - 1);
      return String.format(
          Locale.ROOT,
          "no room below %.0f %%: not enough there is colder by %.0f %% than its %.2f s of disk time a GB; the coldest"
              + " has %.2f",
          limits.lowerWatermark() * 100,
          margin * 100,
          entry.hot().rank() * HotFile.GB,
          coldest.hot().rank() * HotFile.GB);
    }

    /** Adds the coldest until those in scope make up the bytes. False where they can't. */
    private boolean collect(
        Set<Draft.Entry> losers, Draft.Entry winner, long bytes, Predicate<Draft.Entry> scope) {
      long left = bytes;
      for (Draft.Entry loser : losers) {
        left -= scope.test(loser) ? loser.layout().bytesOn(tier) : 0;
      }
      for (int i = residents.size() - 1; left > 0; i--) {
        if (i < 0 || !beats(winner, residents.get(i))) {
          return false;
        }
        Draft.Entry loser = residents.get(i);
        if (scope.test(loser) && mayLeave(loser) && losers.add(loser)) {
          left -= loser.layout().bytesOn(tier);
        }
      }
      return true;
    }

    private List<StorageType> off(Draft.Entry entry, List<StorageType> copies) {
      return draft.ladder(entry).vacated(copies, tier, StorageType.ARCHIVE);
    }

    /** Plans every copy off the tier: to where one started, or to DISK where ARCHIVE has no room. */
    private void sendAway(Draft.Entry entry, Decision.Cause cause, String reason) {
      Target off = draft.target(entry, copies -> off(entry, copies));
      Layout then = Layout.of(entry.hot().file(), off);
      long archived =
          then.bytesOn(StorageType.ARCHIVE) - entry.layout().bytesOn(StorageType.ARCHIVE);
      if (archived > 0 && archived > roomOnArchive()) {
        off =
            draft.target(
                entry, copies -> draft.ladder(entry).vacated(copies, tier, StorageType.DISK));
      }
      draft.decide(entry, entry.planned(), off, cause, reason);
    }

    private long roomOnArchive() {
      return archive == null
          ? 0
          : draft.share(archive.upperWatermark(), StorageType.ARCHIVE)
              - draft.used(StorageType.ARCHIVE);
    }
  }
}
