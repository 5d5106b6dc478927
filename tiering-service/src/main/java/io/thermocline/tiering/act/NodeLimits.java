// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.plan.Move;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which copies may begin: bounds of the whole cluster, of each DataNode and of each storage
 * type, in copies at once and in bytes a second. That of a DataNode follows what its copies
 * take, that of the cluster how busy the NameNode is. Pure. Thread-safe.
 */
final class NodeLimits {

  /** Bytes of so many seconds may go at once: enough to wake up late, too few for a burst. */
  private static final double SAVED = 0.05;

  private ActLimits limits;
  private Pacing pacing;

  /** Of the whole cluster, as the NameNode lets. */
  private int all;

  private long cuts;
  private final Map<String, Use> nodes = new HashMap<>();
  private final Map<StorageType, Use> types = new EnumMap<>(StorageType.class);
  private Set<String> spared = Set.of();
  private Map<String, String> silent = Map.of();
  private Map<String, String> excluded = Map.of();
  private int running;

  /** Most that ran at once since the last look at the cluster. */
  private int peak;

  private long begun;
  private int atMost = Integer.MAX_VALUE;
  private String why = "";

  NodeLimits(ActLimits limits, Pacing pacing) {
    this.limits = limits;
    this.pacing = pacing;
    this.all = limits.copies();
  }

  /** Whether no move at all may begin now, so that none needs to be asked about. */
  synchronized boolean isFull() {
    // What a silent one was asked to copy keeps others from nothing.
    int elsewhere = running;
    for (String node : silent.keySet()) {
      elsewhere -= nodes.containsKey(node) ? nodes.get(node).running : 0;
    }
    return elsewhere >= atOnce();
  }

  /** Whether the move may begin now; where a DataNode is silent, it is taken only to be ended. */
  synchronized boolean admits(Move move, long nowNanos) {
    return !isFull()
        && (silent(move).isPresent()
            || excluded(move).isPresent()
            || hasPlace(move, nowNanos) && nanosUntil(move, nowNanos) == 0);
  }

  /** Which of its DataNodes is silent, in words; empty where none is. */
  synchronized Optional<String> silent(Move move) {
    return nodesOf(move).stream().map(silent::get).filter(Objects::nonNull).findFirst();
  }

  /** Why the move isn't to be begun, as somebody excluded one of its DataNodes; empty where nobody did. */
  synchronized Optional<String> excluded(Move move) {
    return nodesOf(move).stream()
        .filter(excluded::containsKey)
        .findFirst()
        .map(node -> "DataNode " + excluded.get(node) + " is excluded (act.exclude)");
  }

  /** Other limits from now on; what runs goes on. How many copies are best is learned again. */
  synchronized void limit(ActLimits next, Pacing pace, Map<String, String> without, long nowNanos) {
    excluded = Map.copyOf(without);
    if (next.equals(limits) && pace.equals(pacing)) {
      return;
    }
    limits = next;
    pacing = pace;
    all = next.copies();
    Map<String, Use> before = Map.copyOf(nodes);
    nodes.clear();
    before.forEach((uuid, use) -> node(uuid, nowNanos).running = use.running);
    Map<StorageType, Use> typesBefore = Map.copyOf(types);
    types.clear();
    typesBefore.forEach(
        (type, use) -> {
          if (pace.types().containsKey(type)) {
            type(type, nowNanos).running = use.running;
          }
        });
  }

  /** How long bandwidth keeps the move waiting. */
  synchronized long nanosUntil(Move move, long nowNanos) {
    return uses(move, nowNanos).stream()
        .mapToLong(use -> use.bytes == null ? 0 : use.bytes.nanosUntilPaid(nowNanos))
        .max()
        .orElse(0);
  }

  private boolean hasPlace(Move move, long nowNanos) {
    for (String node : nodesOf(move)) {
      Use use = node(node, nowNanos);
      if (use.running >= (spared.contains(node) ? 1 : use.most.limit())) {
        return false;
      }
    }
    return typesOf(move).stream()
        .map(type -> type(type, nowNanos))
        .allMatch(use -> use.running < use.most.limit());
  }

  synchronized void begin(Move move, long nowNanos) {
    running++;
    peak = Math.max(peak, running);
    begun++;
    for (Use use : uses(move, nowNanos)) {
      use.running++;
      if (use.bytes != null) {
        use.bytes.take(move.bytes(), nowNanos);
      }
    }
  }

  synchronized void end(Move move, long nowNanos) {
    running--;
    // Limits of types may have come while it ran.
    uses(move, nowNanos).forEach(use -> use.running = Math.max(0, use.running - 1));
  }

  /**
   * A copy ended well. While there are fewer for the sake of others, what copies take says
   * nothing of how many a DataNode can have.
   */
  synchronized void copied(Move move, long tookNanos, long nowNanos) {
    if (atMost != Integer.MAX_VALUE) {
      return;
    }
    int sort =
        (Long.SIZE - Long.numberOfLeadingZeros(move.bytes())) * 2 * StorageType.values().length
            + move.targetType().ordinal() * 2
            + (isNear(move) ? 1 : 0);
    for (String uuid : nodesOf(move)) {
      node(uuid, nowNanos).most.copied(sort, tookNanos);
    }
  }

  /** The DataNode had no place for it. */
  synchronized void refused(Move move, long nowNanos) {
    node(move.targetNode(), nowNanos).most.congested();
  }

  /** To be called at each look at the NameNode: half as many copies where it is busy, twice as many where it isn't. */
  synchronized void nameNode(boolean isBusy) {
    if (isBusy) {
      cuts++;
      all = Math.max(1, Math.min(all, peak) / 2);
    } else {
      all = Math.min(limits.copies(), 2 * all);
    }
    peak = running;
  }

  /** DataNodes that take one copy at a time until this is called again. */
  synchronized void spare(Set<String> uuids) {
    spared = Set.copyOf(uuids);
  }

  /** DataNodes that are silent, with what is said of each, until this is called again. */
  synchronized void without(Map<String, String> words) {
    silent = Map.copyOf(words);
  }

  /** No more copies than these, for the sake of others, until this is called again. */
  synchronized void atMost(int copies, String reason) {
    atMost = copies;
    why = reason;
  }

  synchronized int atOnce() {
    return Math.min(atMost, all);
  }

  synchronized Throttle throttle() {
    String words =
        Stream.concat(Stream.of(why), silent.values().stream().sorted())
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("; "));
    int ofNodes = nodes.values().stream().mapToInt(use -> use.most.limit()).sum();
    int most =
        Math.min(limits.copies(), Math.max(1, nodes.size()) * limits.maxConcurrentCopiesPerNode());
    int allowed = Math.min(atOnce(), nodes.isEmpty() ? most : ofNodes);
    long allCuts = cuts + nodes.values().stream().mapToLong(use -> use.most.cuts()).sum();
    return new Throttle(allowed, most, allCuts, spared.size(), running, peak, begun, words);
  }

  private List<Use> uses(Move move, long nowNanos) {
    List<Use> uses = new ArrayList<>();
    nodesOf(move).forEach(node -> uses.add(node(node, nowNanos)));
    typesOf(move).forEach(type -> uses.add(type(type, nowNanos)));
    return uses;
  }

  private static List<String> nodesOf(Move move) {
    return isNear(move)
        ? List.of(move.targetNode())
        : List.of(move.source().node(), move.targetNode());
  }

  /** Whether it stays on its DataNode. */
  private static boolean isNear(Move move) {
    return move.source().node().equals(move.targetNode());
  }

  private List<StorageType> typesOf(Move move) {
    return pacing.types().isEmpty()
        ? List.of()
        : Stream.of(move.source().type(), move.targetType())
            .filter(pacing.types()::containsKey)
            .toList();
  }

  private Use node(String uuid, long nowNanos) {
    return nodes.computeIfAbsent(
        uuid,
        first ->
            new Use(
                new ConcurrencyController(limits.maxConcurrentCopiesPerNode()),
                pacing.bytesPerNode(),
                nowNanos));
  }

  private Use type(StorageType type, long nowNanos) {
    Pacing.OfType most = pacing.types().get(type);
    return types.computeIfAbsent(
        type, first -> new Use(new ConcurrencyController(most.copies()), most.bytes(), nowNanos));
  }

  /** What runs on a node or a type, and may. */
  private static final class Use {
    private final ConcurrencyController most;
    private final TokenBucket bytes;
    private int running;

    Use(ConcurrencyController most, double bytesPerSecond, long nowNanos) {
      this.most = most;
      this.bytes =
          Double.isInfinite(bytesPerSecond)
              ? null
              : new TokenBucket(bytesPerSecond, SAVED, nowNanos);
    }
  }
}
