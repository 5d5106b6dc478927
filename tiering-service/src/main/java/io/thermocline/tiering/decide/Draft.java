// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Decisions while they are being made: what each file's layout and each type's bytes will be once all
 * that was decided so far is done. Rules read from here and write here, so each sees what the ones
 * before it decided. Not thread-safe.
 */
final class Draft {

  /** The hottest, that stand for all. */
  private static final int MOST_FILES = 1_000;

  private final List<Entry> entries = new ArrayList<>();
  private final Map<StorageType, ClusterView.Occupancy> occupancy;
  private final Map<StorageType, Long> used = new EnumMap<>(StorageType.class);
  private final Map<StorageType, Double> thresholds;
  private final ClusterView cluster;
  private final ReadShares reads;
  private final Ladder ladder;
  private final Ladder codedLadder;
  private final CapLedger caps;
  private final Map<Entry, Outcome> decided = new HashMap<>();
  private Predicate<String> watched = path -> false;
  private final Map<String, Map<StorageType, String>> notes = new HashMap<>();
  private final Map<String, List<String>> actionNotes = new HashMap<>();
  private final Map<String, String> restNotes = new HashMap<>();

  private final Comparator<Entry> servedFirst =
      Comparator.comparingDouble(this::rank).reversed().thenComparing(Entry.HOTTEST_FIRST);

  /** NaN where nobody asked yet. */
  private double servedOfAll = Double.NaN;

  /** Null where nobody hears of each file. */
  private BiConsumer<String, String> listener;

  /**
   * A file, and what is planned for it.
   *
   * @param planned replaced as rules decide
   */
  static final class Entry {
    /** As {@link HotFile#HOTTEST_FIRST}; total, since paths differ. */
    static final Comparator<Entry> HOTTEST_FIRST =
        Comparator.comparing(entry -> entry.hot, HotFile.HOTTEST_FIRST);

    private final HotFile hot;
    private final Hold hold;
    private final StorageType lead;
    private Outcome planned;

    /** NaN where nobody asked yet. */
    private double served = Double.NaN;

    private Entry(HotFile hot, Hold hold) {
      this.hot = hot;
      this.hold = hold;
      this.planned = new Outcome(Layout.of(hot.file()), null, null, "", Gate.UNWEIGHED);
      this.lead = planned.layout.lead();
    }

    HotFile hot() {
      return hot;
    }

    Outcome planned() {
      return planned;
    }

    Layout layout() {
      return planned.layout();
    }

    /** The lead in the snapshot, whatever is planned. */
    StorageType leadNow() {
      return lead;
    }

    /** Whether nothing forbids that the lead goes to the type. */
    boolean mayLeadOn(StorageType type) {
      return hold.allows(lead, type);
    }

    Hold hold() {
      return hold;
    }
  }

  /**
   * What is planned for a file.
   *
   * @param target null where it stays
   * @param cause of the first rule that decided; null where none did
   */
  record Outcome(
      Layout layout, Target target, Decision.Cause cause, String reason, Gate.Benefit benefit) {}

  Draft(List<HotFile> files, Situation situation, Ladder ladder) {
    this.ladder = ladder;
    this.codedLadder = Ladder.coded(situation.cluster());
    this.thresholds = situation.thresholds();
    this.cluster = situation.cluster();
    this.reads = situation.reads();
    this.occupancy = situation.cluster().occupancy();
    this.caps = new CapLedger(situation.caps(), files);
    occupancy.forEach((type, bytes) -> used.put(type, bytes.used()));
    for (HotFile hot : files) {
      Hold hold = situation.holds().apply(hot.file().path());
      if (hot.file().length() == 0 || hold.isStill()) {
        continue;
      }
      Entry entry = new Entry(hot, hold);
      // What lies in memory is on its way to a disk by HDFS's own hand, and can't be moved
      // meanwhile.
      if (!entry.layout().touches(StorageType.RAM_DISK) && !entry.layout().bytes().isEmpty()) {
        entries.add(entry);
      }
    }
    entries.sort(Entry.HOTTEST_FIRST);
  }

  /** Which type serves the reads of a file. */
  ReadShares reads() {
    return reads;
  }

  /**
   * The share of a file's reads that its fast copy serves; of several, the one that serves the most, as of a file
   * that has none yet. All, where that makes no difference to decisions.
   */
  double served(Entry entry) {
    if (reads.order() == ReadOrder.FASTEST || ladder.promotion() != Promotion.ONE_OR_ALL) {
      return 1;
    }
    if (Double.isNaN(entry.served)) {
      FileView file = entry.hot.file();
      entry.served =
          Layout.of(file).bytesOn(entry.lead) == file.length() && entry.lead.isFast()
              ? reads.fast(file)
              : reads.fastWithOneCopy(file);
    }
    return entry.served;
  }

  /** The disk time a byte of a file that its fast copy takes from the disks. */
  double rank(Entry entry) {
    return entry.hot.rank() * served(entry);
  }

  /** The same of the other copies, were they fast too; no more than of the first. */
  double rankOfRest(Entry entry) {
    int others = entry.hot.file().replication() - 1;
    double served = served(entry);
    return others < 1 ? 0 : entry.hot.rank() * Math.min(served, (1 - served) / others);
  }

  /** The mean over reads. The hottest files stand for all. */
  double servedOfAll() {
    if (Double.isNaN(servedOfAll)) {
      double sum = 0;
      double all = 0;
      for (Entry entry : entries.subList(0, Math.min(MOST_FILES, entries.size()))) {
        sum += entry.hot.diskSeconds() * served(entry);
        all += entry.hot.diskSeconds();
      }
      servedOfAll = all == 0 ? 1 : sum / all;
    }
    return servedOfAll;
  }

  /** All files, hottest byte first. */
  List<Entry> entries() {
    return entries;
  }

  /** By which a file climbs. */
  Ladder ladder(Entry entry) {
    return ladder(entry.hot);
  }

  Ladder ladder(HotFile hot) {
    return hot.file().isErasureCoded() ? codedLadder : ladder;
  }

  CapLedger caps() {
    return caps;
  }

  /** Bytes on a type, with all that was decided done. */
  long used(StorageType type) {
    return used.getOrDefault(type, 0L);
  }

  /**
   * The largest number of replicas of a block that can all be on a type: on as many DataNodes, and not on a rack alone
   * where the cluster has others.
   */
  long mostReplicas(StorageType type) {
    List<ClusterView.Node> nodes =
        cluster.nodes().values().stream().filter(node -> !node.storages(type).isEmpty()).toList();
    return isOnOneRack(nodes) && !isOnOneRack(cluster.nodes().values()) ? 1 : nodes.size();
  }

  private static boolean isOnOneRack(Collection<ClusterView.Node> nodes) {
    return nodes.stream().map(ClusterView.Node::rack).distinct().count() < 2;
  }

  /** Whether the cluster has storages of this type. */
  boolean has(StorageType type) {
    return capacity(type) > 0;
  }

  /** Bytes that a fraction of a type's capacity is. */
  long share(double fraction, StorageType type) {
    return (long) (fraction * capacity(type));
  }

  /** The learned threshold of a type in seconds of disk time a GB; 0 where nothing was learned. */
  double threshold(StorageType type) {
    return thresholds.getOrDefault(type, 0.0);
  }

  private long capacity(StorageType type) {
    ClusterView.Occupancy found = occupancy.get(type);
    return found == null ? 0 : found.capacity();
  }

  /** The target to which a step takes the copies of all blocks, from where they are planned to lie. */
  Target target(Entry entry, UnaryOperator<List<StorageType>> step) {
    Target planned = entry.planned.target();
    return ladder(entry)
        .target(
            planned == null
                ? Shapes.of(entry.hot.file()).step(step)
                : step.apply(planned.copies()));
  }

  /** A change to be weighed against what is planned, as a plan after this one would weigh it. */
  Gate.Change change(Entry entry, Target target) {
    return new Gate.Change(entry.hot, target, entry.planned.target(), reads);
  }

  /**
   * Plans a target on top of an earlier outcome of the same file: the first cause stays, and each reason
   * is added once.
   */
  void decide(Entry entry, Outcome earlier, Target target, Decision.Cause cause, String reason) {
    decide(entry, earlier, target, cause, reason, earlier.benefit());
  }

  void decide(
      Entry entry,
      Outcome earlier,
      Target target,
      Decision.Cause cause,
      String reason,
      Gate.Benefit benefit) {
    boolean first = earlier.cause() == null;
    String reasons = earlier.reason();
    if (!reasons.contains(reason)) {
      reasons = first ? reason : reasons + "; " + reason;
    }
    Layout layout = Layout.of(entry.hot.file(), target);
    restore(entry, new Outcome(layout, target, first ? cause : earlier.cause(), reasons, benefit));
  }

  /** Goes back to an earlier outcome. */
  void restore(Entry entry, Outcome outcome) {
    for (StorageType type : StorageType.values()) {
      long change = outcome.layout().bytesOn(type) - entry.layout().bytesOn(type);
      if (change != 0) {
        used.merge(type, change, Long::sum);
      }
    }
    caps.changed(entry.hot.file(), entry.layout(), outcome.layout());
    entry.planned = outcome;
    if (outcome.target() == null) {
      decided.remove(entry);
    } else {
      decided.put(entry, outcome);
    }
  }

  /** Where the copies of each file go about which something was decided. */
  Map<Entry, Layout> layouts() {
    Map<Entry, Layout> layouts = new HashMap<>();
    decided.forEach((entry, outcome) -> layouts.put(entry, outcome.layout()));
    return layouts;
  }

  /** The files whose copies go elsewhere, room first, then what needs it. */
  List<Decision> decisions() {
    List<Decision> decisions = new ArrayList<>();
    List<Entry> sorted = new ArrayList<>(decided.keySet());
    sorted.sort(servedFirst);
    for (Entry entry : sorted) {
      Outcome planned = entry.planned;
      if (!planned.layout().liesAs(Layout.of(entry.hot.file()))) {
        decisions.add(
            new Decision(
                entry.hot,
                entry.lead,
                planned.target(),
                planned.cause(),
                planned.reason(),
                planned.benefit()));
      }
    }
    // Stable, so those that bring most come first within a cause.
    decisions.sort(Comparator.comparing(Decision::cause));
    return decisions;
  }

  // --- explaining ---

  /** Keeps what rules say of these paths. */
  void watch(Predicate<String> paths) {
    watched = paths;
  }

  /** Tells what keeps each file where it is, by path. */
  void tell(BiConsumer<String, String> each) {
    listener = each;
  }

  /** Says what keeps a file from a type, in case somebody asks for this one. */
  void note(Entry entry, StorageType type, Supplier<String> why) {
    if (listener != null) {
      listener.accept(entry.hot.file().path(), why.get());
    }
    String path = entry.hot.file().path();
    if (watched.test(path)) {
      notes.computeIfAbsent(path, first -> new EnumMap<>(StorageType.class)).put(type, why.get());
    }
  }

  /** Says what an action would bring to a file, in case somebody asks for this one. */
  void noteAction(HotFile hot, Supplier<String> words) {
    String path = hot.file().path();
    if (watched.test(path)) {
      actionNotes.computeIfAbsent(path, first -> new ArrayList<>()).add(words.get());
    }
  }

  /** Says what keeps the other copies of a file from a fast type, in case somebody asks for this one. */
  void noteRest(Entry entry, Supplier<String> why) {
    String path = entry.hot.file().path();
    if (watched.test(path)) {
      // Null takes it back.
      restNotes.put(path, why.get());
    }
  }

  /** What was said of the other copies of a watched path; none where nothing was. */
  Stream<String> restNote(String path) {
    return Stream.ofNullable(restNotes.get(path));
  }

  /** What was said of actions, by watched path. */
  Map<String, List<String>> actionNotes() {
    return actionNotes;
  }

  /** What was said of a watched path, by type. */
  Map<StorageType, String> notes(String path) {
    return notes.getOrDefault(path, Map.of());
  }
}
