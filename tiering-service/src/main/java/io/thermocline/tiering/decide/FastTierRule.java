// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
   * One pass over the files, by the disk time a byte that a fast copy serves. Each enters if it fits
   * below W_l, after sending away the coldest residents that it beats by the margin where that is needed. What was sent away, by cold
   * migration or by a hotter file, waits in the same queue: its turn comes later, since it is colder,
   * and it stays where the room that is left then holds it (the file that took its place may be smaller
   * than all that made way).
   *
   * So no file that ends outside for want of room could enter in a second pass. For a file c outside, take the
   * room that is left plus the bytes of all residents that c beats. At c's turn that was less than c needs.
   * Whoever entered after c is colder, used that room, and sent away only what c beats too, so the sum
   * never grew. A cap, or the gate, can open again when others leave: TierDecider asks until nothing changes.
   *
   * With ONE_OR_ALL the other copies of a file that is there come and go by themselves, ranked in the same queue by
   * what they serve. They come with a later plan than the first copy: it tells how many reads are left for them, and
   * where they can't be placed it is there all the same.
   */

  private final StorageType tier;
  private final TierLimits limits;
  private final TierLimits archive;
  private final double margin;
  private final Gate gate;
  private final boolean addsReplicas;

  /** Whether all copies but one may leave by themselves: HDFS has a policy for all copies on SSD. */
  private final boolean splits;

  /** Whether they may come. */
  private final boolean widens;

  FastTierRule(StorageType tier, Tiering tiering) {
    this.tier = tier;
    this.limits = tiering.limits().get(tier);
    this.archive = tiering.limits().get(StorageType.ARCHIVE);
    this.margin = tiering.margin();
    this.gate = tiering.gate();
    this.addsReplicas = tiering.actions().copies() != null;
    this.splits = tier == StorageType.SSD && tiering.promotion() != Promotion.GRADUAL;
    this.widens = tier == StorageType.SSD && tiering.promotion() == Promotion.ONE_OR_ALL;
  }

  @Override
  public void apply(Draft draft) {
    if (draft.has(tier)) {
      new Pass(draft).run();
    }
  }

  /**
   * What is on the tier or not by itself: one copy of a file, or the other copies.
   *
   * @param rank disk time a byte that it takes from the disks
   */
  private record Share(Draft.Entry entry, boolean isRest, double rank)
      implements Comparable<Share> {

    /** Best first; a file's other copies after its first. */
    @Override
    public int compareTo(Share other) {
      int byRank = Double.compare(other.rank, rank);
      int byFile = byRank == 0 ? Draft.Entry.HOTTEST_FIRST.compare(entry, other.entry) : byRank;
      return byFile == 0 ? Boolean.compare(isRest, other.isRest) : byFile;
    }
  }

  /** One application of the rule. */
  private final class Pass {
    private final Draft draft;

    /** Best first, so the worst is taken from the end. */
    private final List<Share> residents = new ArrayList<>();

    private final NavigableSet<Share> waiting = new TreeSet<>();

    /** What was planned for those that were sent away. */
    private final Map<Draft.Entry, Draft.Outcome> before = new HashMap<>();

    /** So many copies of a file can be on the tier; counted where all may come. */
    private final long mostReplicas;

    Pass(Draft draft) {
      this.draft = draft;
      this.mostReplicas = widens ? draft.mostReplicas(tier) : 0;
    }

    void run() {
      for (Draft.Entry entry : draft.entries()) {
        int lead = entry.layout().lead().compareTo(tier);
        if (lead == 0) {
          residents.add(first(entry));
          if (isSplit(entry) && extraBytes(entry) > 0) {
            residents.add(rest(entry));
          }
          if (wantsRest(entry)) {
            waiting.add(rest(entry));
          }
        } else if (lead < 0 && (entry.hot().rank() > 0 || entry.layout().touches(tier))) {
          if (entry.layout().touches(tier) && entry.hold().fall() && !entry.hold().keepsOn(tier)) {
            before.put(entry, entry.planned());
            dropPart(entry);
          }
          // Of the many others it isn't asked which reads a copy would serve.
          if (isWanted(entry)) {
            waiting.add(first(entry));
          }
        }
      }
      Collections.sort(residents);
      migrateCold();
      before.keySet().forEach(entry -> waiting.add(first(entry)));
      for (Share share = waiting.pollFirst(); share != null; share = waiting.pollFirst()) {
        if (share.isRest) {
          admitRest(share);
        } else if (isWanted(share.entry)) {
          waiting.addAll(admit(share));
        }
      }
    }

    private Share first(Draft.Entry entry) {
      return new Share(entry, false, draft.rank(entry));
    }

    /** A file whose other copies serve reads of their own. */
    private boolean isSplit(Draft.Entry entry) {
      return splits && !entry.hot().file().isErasureCoded();
    }

    private Share rest(Draft.Entry entry) {
      return new Share(entry, true, draft.rankOfRest(entry));
    }

    private long extraBytes(Draft.Entry entry) {
      return entry.layout().bytesOn(tier) - entry.hot().file().length();
    }

    private long missingBytes(Draft.Entry entry) {
      FileView file = entry.hot().file();
      return file.length() * file.replication() - entry.layout().bytesOn(tier);
    }

    /** Whether reads are left for its other copies, and nothing forbids them to come. */
    private boolean wantsRest(Draft.Entry entry) {
      HotFile hot = entry.hot();
      return widens
          && isSplit(entry)
          && entry.planned().target() == null
          && missingBytes(entry) > 0
          && entry.hold().rise()
          && mostReplicas >= hot.file().replication()
          && draft.rankOfRest(entry) > 0
          && draft.rankOfRest(entry) >= least()
          && (hot.isForecast() ? unworthy(entry) == null : hot.heat() >= limits.threshold());
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
      if (before.containsKey(entry) || reachesThreshold(entry)) {
        return null;
      }
      return () ->
          String.format(Locale.ROOT, "less than %.2f s of disk time a GB", draft.threshold(tier));
    }

    /** Of a file of which one copy serves more than of others, less is asked. */
    private boolean reachesThreshold(Draft.Entry entry) {
      double density = entry.hot().density();
      return density >= draft.threshold(tier) / HotFile.GB
          || density >= least() && density * draft.served(entry) >= least();
    }

    /** The threshold in disk time that a copy serves. */
    private double least() {
      return draft.threshold(tier) / HotFile.GB * draft.servedOfAll();
    }

    /** The price of a move is in the place of the thresholds; what is there already pays none. */
    private Supplier<String> unworthy(Draft.Entry entry) {
      HotFile hot = entry.hot();
      if (hot.heat() < limits.demoteBelow()) {
        return () ->
            String.format(
                Locale.ROOT, "read less than the %.1f times that it keeps", limits.demoteBelow());
      }
      if (!hot.forecast().estimate().isAdmitted() && !before.containsKey(entry)) {
        return () -> "below the price of a move: " + hot.forecast().estimate().numbers();
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
        Share share = residents.get(i);
        Draft.Entry coldest = share.entry;
        boolean over = tooFull && draft.used(tier) > draft.share(limits.lowerWatermark(), tier);
        boolean tooCold = coldest.hot().heat() < limits.demoteBelow();
        if (!over && limits.demoteBelow() == 0) {
          return;
        }
        if ((over || tooCold) && mayLeave(share)) {
          residents.remove(i);
          send(share, Decision.Cause.COLD_MIGRATION, coldReason(coldest, over));
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
    private boolean mayLeave(Share share) {
      Draft.Entry entry = share.entry;
      if (share.isRest) {
        return entry.hold().fall() || !wasWide(entry);
      }
      return !entry.hold().keepsOn(tier)
          && (entry.leadNow().compareTo(tier) < 0 || entry.mayLeadOn(StorageType.DISK));
    }

    private boolean wasWide(Draft.Entry entry) {
      FileView file = entry.hot().file();
      return Layout.of(file).bytesOn(tier) > file.length();
    }

    /** Lets a file in if it can, and tells who had to leave for it. */
    private Set<Share> admit(Share share) {
      Draft.Entry entry = share.entry;
      if (isHopeless(share)) {
        draft.note(entry, tier, () -> noRoom(share));
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
      Set<Share> losers = losers(share, there);
      if (losers == null) {
        return Set.of();
      }
      Gate.Benefit benefit = stays ? was.benefit() : weigh(entry, target, losers);
      if (!stays && !gate.passes(benefit)) {
        draft.note(entry, tier, () -> gate.words(benefit) + ": not worth it");
        return Set.of();
      }
      Set<Share> gone = displace(losers, entry);
      if (stays) {
        draft.restore(entry, was);
      } else {
        Draft.Outcome base = was.layout().lead() == tier ? entry.planned() : was;
        draft.decide(entry, base, target, Decision.Cause.PROMOTED, reason(entry, benefit), benefit);
      }
      return gone;
    }

    /** Lets the other copies in if they can. Who has to leave for them doesn't come back in this pass. */
    private void admitRest(Share share) {
      Draft.Entry entry = share.entry;
      Draft.Outcome was = entry.planned();
      Target target = draft.target(entry, copies -> Collections.nCopies(copies.size(), tier));
      Layout there = Layout.of(entry.hot().file(), target);
      if (was.target() != null || there.lead() != tier) {
        return;
      }
      if (isHopeless(share)) {
        note(share, () -> noRoom(share));
        return;
      }
      Set<Share> losers = losers(share, there);
      if (losers == null) {
        return;
      }
      Gate.Benefit benefit = weigh(entry, target, losers);
      String weighed = gate.words(benefit);
      if (!gate.passes(benefit)) {
        note(share, () -> weighed + ": not worth it");
        return;
      }
      waiting.addAll(displace(losers, entry));
      draft.noteRest(entry, () -> null);
      draft.decide(
          entry,
          was,
          target,
          Decision.Cause.PROMOTED,
          String.format(
              Locale.ROOT,
              "%s; one copy on %s serves %.0f %% of its reads, all %d serve 100 %% and take %d bytes more%s",
              entry.hot().numbers(),
              tier,
              100 * draft.served(entry),
              target.copies().size(),
              there.bytesOn(tier) - was.layout().bytesOn(tier),
              weighed.isEmpty() ? "" : ": " + weighed),
          benefit);
    }

    /** Makes room for a file, and tells which files left. */
    private Set<Share> displace(Set<Share> losers, Draft.Entry winner) {
      Set<Share> gone = new HashSet<>();
      for (Share loser : losers) {
        // Near the end, where the worst are.
        residents.remove(residents.lastIndexOf(loser));
        if (loser.isRest && losers.contains(first(loser.entry))) {
          continue;
        }
        send(
            loser,
            Decision.Cause.DISPLACED,
            String.format(
                Locale.ROOT,
                "gives its place on %s to hotter data: %s against %s of %s",
                tier,
                loser.entry.hot().numbers(),
                winner.hot().numbers(),
                winner.hot().file().path()));
        if (!loser.isRest) {
          gone.add(loser);
        }
      }
      return gone;
    }

    /** A file leaves, or all of its copies but one. */
    private void send(Share share, Decision.Cause cause, String reason) {
      Draft.Entry entry = share.entry;
      if (share.isRest) {
        draft.decide(
            entry, entry.planned(), oneCopy(entry), cause, "all copies but one: " + reason);
      } else {
        before.put(entry, entry.planned());
        sendAway(entry, cause, reason);
      }
    }

    private Target oneCopy(Draft.Entry entry) {
      return draft.target(entry, copies -> draft.ladder(entry).promoted(copies, tier));
    }

    private String reason(Draft.Entry entry, Gate.Benefit benefit) {
      String weighed = gate.words(benefit);
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

    private Gate.Benefit weigh(Draft.Entry entry, Target target, Set<Share> losers) {
      List<Gate.Change> room = new ArrayList<>();
      for (Share loser : losers) {
        Draft.Entry other = loser.entry;
        // What only rises in this plan has nothing to leave.
        if (loser.isRest
            ? wasWide(other) && !losers.contains(first(other))
            : other.leadNow().compareTo(tier) >= 0) {
          Target off =
              loser.isRest ? oneCopy(other) : draft.target(other, copies -> off(other, copies));
          room.add(draft.change(other, off));
        }
      }
      return gate.weigh(draft.change(entry, target), room);
    }

    /**
     * The worst residents that must leave, all beaten by the winner: of those that share a cap it would exceed, and
     * of any until there is room. Null where they don't make up what is missing.
     */
    private Set<Share> losers(Share winner, Layout there) {
      Draft.Entry entry = winner.entry;
      Set<Share> losers = new LinkedHashSet<>();
      for (CapLedger.Excess excess :
          draft.caps().exceeded(entry.hot().file(), entry.layout(), there)) {
        Predicate<Draft.Entry> inScope = other -> excess.cap().scope().covers(other.hot().file());
        if (excess.cap().type() != tier || !collect(losers, winner, excess.bytes(), inScope)) {
          note(winner, excess.cap()::reason);
          return null;
        }
      }
      long free = draft.share(limits.lowerWatermark(), tier) - draft.used(tier);
      long missing = there.bytesOn(tier) - entry.layout().bytesOn(tier) - free;
      if (!collect(losers, winner, missing, other -> true)) {
        note(winner, () -> noRoom(winner));
        return null;
      }
      return losers;
    }

    private void note(Share share, Supplier<String> why) {
      if (share.isRest) {
        draft.noteRest(share.entry, () -> "all copies on " + tier + ": " + why.get());
      } else {
        draft.note(share.entry, tier, why);
      }
    }

    /** Most end here once the tier is full: not even the worst would make room for it. */
    private boolean isHopeless(Share share) {
      Draft.Entry entry = share.entry;
      long more =
          share.isRest
              ? missingBytes(entry)
              : entry.hot().file().length() - entry.layout().bytesOn(tier);
      long free = draft.share(limits.lowerWatermark(), tier) - draft.used(tier);
      return more > free
          && (residents.isEmpty() || !beats(share, residents.get(residents.size() - 1)));
    }

    private boolean beats(Share winner, Share loser) {
      return winner.rank > loser.rank * (1 + margin);
    }

    private String noRoom(Share share) {
      if (residents.isEmpty()) {
        return "no room below the lower watermark, and nothing there that could leave";
      }
      Share worst = residents.get(residents.size() - 1);
      return String.format(
          Locale.ROOT,
          "no room below %.0f %%: not enough there is colder by %.0f %% than its %.2f s of disk time a GB; the coldest"
              + " has %.2f",
          limits.lowerWatermark() * 100,
          margin * 100,
          share.rank * HotFile.GB,
          worst.rank * HotFile.GB);
    }

    /** Adds the worst until those in scope make up the bytes. False where they can't. */
    private boolean collect(
        Set<Share> losers, Share winner, long bytes, Predicate<Draft.Entry> scope) {
      long left = bytes;
      for (Share loser : losers) {
        left -= scope.test(loser.entry) ? bytes(loser) : 0;
      }
      for (int i = residents.size() - 1; left > 0; i--) {
        if (i < 0 || !beats(winner, residents.get(i))) {
          return false;
        }
        Share loser = residents.get(i);
        if (scope.test(loser.entry) && mayLeave(loser) && losers.add(loser)) {
          left -= bytes(loser);
        }
      }
      return true;
    }

    /** A file's other copies are worse than its first, so they are among those that leave where that is. */
    private long bytes(Share share) {
      long extra = isSplit(share.entry) ? Math.max(0, extraBytes(share.entry)) : 0;
      return share.isRest ? extra : share.entry.layout().bytesOn(tier) - extra;
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
