// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which files are cached, and which have more replicas than they asked for. Pure.
 *
 * <p>In a plan a file gets one action: other storage types for its copies, the cache, or more replicas. While one of the
 * latter two is up, its copies stay where they are.
 */
final class ActionRule {

  /*
   * Everything that is up competes anew for the memory and the room, together with what wants in, hottest byte
   * first; what is up counts as hotter by the margin. So what is up stays while nothing changes: it only moves up in
   * the order, whatever else is in front of those that had no room is still there, and they still have none.
   *
   * A step to the cache is measured from where the file's fastest copy would be without it, planned promotions counted.
   * If that step pays, the copy on the fast type needn't be made; if it doesn't, the file is promoted, and the step
   * doesn't pay in the next plan either, unless the file gets hotter. More replicas serve readers who wait for each other at the busiest copy, and only
   * while all copies are equally fast. Of two actions that pay, the one with more
   * saved for each second of cost is taken, or the other one where it has no room.
   */

  /** What is up stays with this share of what it had to have to be taken: reads, readers, benefit. */
  private static final double KEEP = 0.5;

  private final ActionLimits limits;
  private final Gate gate;
  private final double margin;
  private final TierLimits disk;

  ActionRule(Tiering tiering) {
    this.limits = tiering.actions();
    this.gate = tiering.gate();
    this.margin = tiering.margin();
    this.disk = tiering.limits().get(StorageType.DISK);
  }

  /** Whether any action may be taken, and what it is worth can be told; or one is still up from before. */
  boolean isOn(CurrentActions current) {
    return gate.weighs() && (!limits.isNone() || !current.isNothing());
  }

  /**
   * What should become of the actions.
   *
   * @param draft the layouts, decided with what is up, and {@code chosen}, held still
   * @param chosen paths that were chosen when the layouts were decided before
   * @param later paths that are not chosen now
   * @return the changes by path; a path that is up and not among them stays so
   */
  Map<String, Decision> changes(
      List<HotFile> files,
      Situation situation,
      Draft draft,
      Set<String> chosen,
      Set<String> later) {
    return new Pass(situation, draft, chosen, later).run(files);
  }

  /**
   * One action for one file.
   *
   * @param step replicas or cached copies: more, fewer, or as many as there are
   */
  private record Option(Decision.Cause cause, int step, long bytes, Gate.Benefit benefit) {
    double yield() {
      return (benefit.saved() - benefit.lost()) / Math.max(benefit.cost(), 1e-9);
    }
  }

  private final class Pass {
    private final Situation situation;
    private final CurrentActions current;
    private final Draft draft;
    private final Set<String> chosen;
    private final Set<String> later;
    private final Map<String, Draft.Entry> planned = new HashMap<>();
    private final Map<String, Decision> changes = new HashMap<>();
    private long memoryLeft;
    private long diskLeft;

    /** Nodes that a replica could be on. */
    private final long disks;

    Pass(Situation situation, Draft draft, Set<String> chosen, Set<String> later) {
      this.chosen = chosen;
      this.later = later;
      this.situation = situation;
      this.current = situation.current();
      this.draft = draft;
      draft.entries().forEach(entry -> planned.put(entry.hot().file().path(), entry));
      this.disks =
          situation.cluster().nodes().values().stream()
              .filter(node -> !node.storages(StorageType.DISK).isEmpty())
              .count();
      this.memoryLeft = limits.cache() == null ? 0 : current.memory();
      this.diskLeft =
          disk == null
              ? 0
              : draft.share(disk.lowerWatermark(), StorageType.DISK) - draft.used(StorageType.DISK);
    }

    Map<String, Decision> run(List<HotFile> files) {
      List<HotFile> wanting = new ArrayList<>();
      long seen = 0;
      for (HotFile hot : files) {
        String path = hot.file().path();
        CurrentActions.Cached cached = current.cached().get(path);
        seen += cached == null ? 0 : cached.bytes();
        if (current.isUp(path) ? mayComeDown(hot) : hot.heat() > 0) {
          wanting.add(hot);
        } else if (cached != null) {
          memoryLeft -= cached.bytes();
        }
      }
      // What was cached and isn't managed any more stays there until its time is over.
      memoryLeft -=
          current.cached().values().stream().mapToLong(CurrentActions.Cached::bytes).sum() - seen;
      wanting.sort(
          Comparator.comparingDouble(this::rank)
              .reversed()
              .thenComparing(hot -> hot.file().path()));
      wanting.forEach(this::decide);
      return changes;
    }

    /** What has no live copy, or wasn't looked at, is not judged. */
    private boolean mayComeDown(HotFile hot) {
      return situation.holds().apply(hot.file().path()).fall()
          && !Layout.of(hot.file()).bytes().isEmpty();
    }

    private double rank(HotFile hot) {
      return hot.density() * (current.isUp(hot.file().path()) ? 1 + margin : 1);
    }

    private void decide(HotFile hot) {
      String path = hot.file().path();
      CurrentActions.Cached cached = current.cached().get(path);
      CurrentActions.Raised raised = current.raised().get(path);
      if (raised != null) {
        decideRaised(hot, raised);
      } else if (cached != null) {
        Option keep = cache(hot, null, cached.copies());
        if (keep != null && cached.bytes() <= memoryLeft) {
          memoryLeft -= cached.bytes();
          note(hot, () -> "cached: " + words(keep));
        } else {
          String why = keep == null ? "not worth it any more" : "hotter data takes the memory";
          change(hot, Decision.Cause.UNCACHED, 0, why, Gate.UNWEIGHED);
        }
      } else if (situation.holds().apply(path).rise()
          && !later.contains(path)
          && (planned.containsKey(path) || chosen.contains(path))) {
        decideClimb(hot);
      }
    }

    private void decideClimb(HotFile hot) {
      StorageType now = Layout.of(hot.file()).lead();
      Draft.Entry entry = planned.get(hot.file().path());
      // Held still, as it was chosen before: it lies where it is.
      StorageType lead = entry == null ? now : entry.layout().lead();
      if (lead.compareTo(now) > 0) {
        note(hot, () -> "fast copy on " + lead + ": " + gate.words(entry.planned().benefit()));
      }
      Target target = entry == null ? null : entry.planned().target();
      Option cache = limits.cache() == null ? null : cache(hot, target, cacheCopies(hot));
      Option copies = limits.copies() == null ? null : copies(hot, lead);
      Stream.of(cache, copies)
          .filter(option -> option != null)
          .sorted(Comparator.comparingDouble(Option::yield).reversed())
          .filter(this::hasRoom)
          .findFirst()
          .ifPresent(option -> take(hot, option));
    }

    private boolean hasRoom(Option option) {
      return option.bytes() <= (option.cause() == Decision.Cause.CACHED ? memoryLeft : diskLeft);
    }

    private void take(HotFile hot, Option option) {
      if (option.cause() == Decision.Cause.CACHED) {
        memoryLeft -= option.bytes();
      } else {
        diskLeft -= option.bytes();
        Layout now = Layout.of(hot.file());
        draft.caps().changed(hot.file(), now, Layout.replicated(hot.file(), option.step()));
      }
      change(hot, option.cause(), option.step(), words(option), option.benefit());
    }

    // --- the cache ---

    /**
     * Null where it doesn't pay.
     *
     * @param planned where copies will lie; null: where they do
     */
    private Option cache(HotFile hot, Target planned, int copies) {
      boolean isUp = current.cached().containsKey(hot.file().path());
      double share = isUp ? KEEP : 1;
      if (limits.cache() == null) {
        return null;
      }
      if (hot.file().isErasureCoded()) {
        note(hot, () -> "cache: HDFS caches no erasure-coded files");
        return null;
      }
      if (hot.heat() < limits.cache().threshold() * share) {
        note(
            hot,
            () ->
                String.format(
                    Locale.ROOT, "cache: read less than %.1f times", limits.cache().threshold()));
        return null;
      }
      Gate.Benefit benefit =
          gate.weighCaching(
              new Gate.Change(hot, planned, draft.reads()), limits.cache().memory(), copies);
      Option option =
          new Option(Decision.Cause.CACHED, copies, hot.file().length() * copies, benefit);
      boolean pays = gate.passes(new Gate.Benefit(benefit.saved(), 0, benefit.cost() * share));
      note(hot, () -> "cache: " + words(option) + (pays ? "" : ": not worth it"));
      if (pays && option.bytes() > memoryLeft) {
        note(hot, () -> "cache: " + memoryLeft + " bytes of memory are left");
      }
      return pays ? option : null;
    }

    private int cacheCopies(HotFile hot) {
      return Math.min(limits.cache().copies(), hot.file().replication());
    }

    // --- more replicas ---

    private Option copies(HotFile hot, StorageType lead) {
      int have = hot.file().replication();
      if (hot.file().isErasureCoded() || lead != StorageType.DISK) {
        note(hot, () -> "more replicas: only of replicated files whose fastest copy is on DISK");
        return null;
      }
      double readers = readers(hot, lead);
      int want = (int) Math.min(Math.min(limits.copies().most(), disks), Math.ceil(readers));
      double busiest = draft.reads().busiest(hot.file(), 0);
      String numbers =
          String.format(
              Locale.ROOT,
              "%.1f readers at once, %d copies serve them, the busiest %.0f %%",
              readers,
              have,
              100 * busiest);
      if (want <= have) {
        note(hot, () -> "more replicas: " + numbers + ": not needed");
        return null;
      }
      double then = draft.reads().busiest(hot.file(), want - have);
      Gate.Benefit benefit =
          gate.weighCopies(
              hot, lead, have, want, new Gate.Crowd(readers * busiest, readers * then));
      Option option =
          new Option(
              Decision.Cause.MORE_COPIES, want, hot.file().length() * (want - have), benefit);
      boolean pays = gate.passes(benefit);
      note(
          hot,
          () ->
              "more replicas: "
                  + numbers
                  + ": "
                  + gate.words(benefit)
                  + (pays ? "" : ": not worth it"));
      if (pays && option.bytes() > diskLeft) {
        note(hot, () -> "more replicas: no room below the lower watermark of DISK");
      }
      Layout now = Layout.of(hot.file());
      List<CapLedger.Excess> capped =
          draft.caps().exceeded(hot.file(), now, Layout.replicated(hot.file(), want));
      capped.forEach(excess -> note(hot, () -> "more replicas: " + excess.cap().reason()));
      return pays && capped.isEmpty() ? option : null;
    }

    private void decideRaised(HotFile hot, CurrentActions.Raised raised) {
      double readers = readers(hot, Layout.of(hot.file()).lead());
      String numbers =
          String.format(Locale.ROOT, "%.1f readers at once, of %d copies", readers, raised.now());
      boolean stays = limits.copies() != null && readers > raised.before() * KEEP;
      note(hot, () -> "more replicas: " + numbers + (stays ? "" : ": not needed any more"));
      if (!stays) {
        change(hot, Decision.Cause.FEWER_COPIES, raised.before(), numbers, Gate.UNWEIGHED);
      }
    }

    private double readers(HotFile hot, StorageType lead) {
      double seen =
          Congestion.readers(
              gate.rate(hot),
              current.recent().apply(hot.file().path()),
              gate.seconds(hot.file(), lead));
      if (hot.asks(Operation.REPLICATE).isEmpty()) {
        return seen;
      }
      // HintStor's REPLICATE: one reader more than the copies serve, for as long as the hint holds.
      CurrentActions.Raised raised = current.raised().get(hot.file().path());
      int before = raised == null ? hot.file().replication() : raised.before();
      return Math.max(seen, before + 1);
    }

    // --- saying ---

    private void change(
        HotFile hot, Decision.Cause cause, int step, String reason, Gate.Benefit benefit) {
      Target now = draft.ladder(hot).target(Shapes.of(hot.file()).step(types -> types));
      boolean isCache = cause == Decision.Cause.CACHED || cause == Decision.Cause.UNCACHED;
      Target target = isCache ? now.cachedOn(step) : now.replicated(step);
      changes.put(
          hot.file().path(),
          new Decision(
              hot,
              Layout.of(hot.file()).lead(),
              target,
              cause,
              hot.numbers() + "; " + reason,
              benefit));
    }

    private String words(Option option) {
      return gate.words(option.benefit())
          + String.format(Locale.ROOT, ", %d bytes in all", option.bytes());
    }

    /** What was compared before it was chosen is what counts. */
    private void note(HotFile hot, Supplier<String> words) {
      if (!chosen.contains(hot.file().path())) {
        draft.noteAction(hot, words);
      }
    }
  }
}
