// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.ReplicaPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.Node;

/**
 * One candidate set of replicas for one call, as it grows. Touches nothing of the caller's, so that any
 * number of them can be made and dropped. Used by one thread.
 *
 * <p>The steps are those of the stock policy: the first replica on the writer's node, else on its rack;
 * the second off the first one's rack; the third on the second one's rack, or off it where the first two
 * share one; further ones anywhere. Each step falls back to the next wider place as the stock policy
 * does, tries the storage types in its order, and on failure gives up first on avoiding stale nodes,
 * then on the types that couldn't be had.
 *
 * <p>A place is searched by draws, which give proportions, and only when a bounded number of them came
 * to nothing one storage after the other, which gives certainty. What is too large for that is left to
 * the stock policy.
 */
final class ReplicaChoice implements IntPredicate {
  /** A line is a quarter full at least and its range twice the line at most. */
  private static final int TRIES = 256;

  private static final int TRIES_ON_RACK = 64;

  /** Draws from a plan: a node that is left out of a call costs one. */
  private static final int TRIES_OF_PLAN = 16;

  /** Storages to look at one after the other, at some 20 ns each. */
  private static final int MOST_TO_SWEEP = 2048;

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final StorageType[] TYPES = StorageType.values();

  private final PlacementCall call;
  private final PlacementRules rules;
  private final ClusterSnapshot snapshot;
  private final long nonce;
  private final long required;
  private final Node barredNode;
  private final int barredRack;

  // What stands, the replicas that were there before first.
  private DatanodeStorageInfo[] storages;
  private final int[] racks;
  private final Step[] steps;
  private int size;

  // What is wanted.
  private long types;
  private boolean avoidStale;
  private boolean staleWillDo;
  private int unavailable;
  private boolean spread;
  private final int urgent;

  // What came of it.
  private Step began;
  private long asWanted;
  private int failed;
  private int matches;
  private Event outcome = Event.NOT_ENOUGH;

  // How three replicas of a new block are drawn; null for others, and once a draw came to nothing.
  private ReplicaPlan plan;
  private long pair;

  // What is searched.
  private RackedLine line;
  private int[] members;
  private int otherThanRack;
  private boolean apart;
  private boolean gaveUp;

  ReplicaChoice(PlacementCall call, PlacementRules rules, long nonce) {
    this(call, rules, nonce, 0);
  }

  /**
   * @param urgent mask of the types to place first, being scarce
   */
  ReplicaChoice(PlacementCall call, PlacementRules rules, long nonce, int urgent) {
    this.urgent = urgent;
    this.call = call;
    this.rules = rules;
    this.snapshot = call.snapshot;
    this.nonce = nonce;
    this.required = call.requiredSpace();
    this.barredNode = call.barredNode;
    this.barredRack = call.barredRack;
    this.storages = new DatanodeStorageInfo[call.total()];
    this.racks = new int[call.total()];
    this.steps = new Step[call.total()];
  }

  /** Completes the set, as far as that goes. */
  void fill() {
    outcome = filled();
    if (size < storages.length) {
      storages = Arrays.copyOf(storages, size);
    }
  }

  /** Replicas in the set, those that were there before included. */
  int size() {
    return size;
  }

  /** Null where the set is complete, else why it isn't. */
  Event outcome() {
    return outcome;
  }

  private Event filled() {
    for (DatanodeStorageInfo storage : call.chosen) {
      storages[size] = storage;
      racks[size] = snapshot.entry(storage.getDatanodeDescriptor()).rack();
      size++;
    }
    avoidStale = snapshot.load().avoidStale();
    unavailable = snapshot.missing();
    rules.faults().at(Stage.TYPES);
    spread = rules.plans().isSpread(call.policy);
    if (spread) {
      types = rules.plans().bySpread(call.chosen, call.total(), snapshot);
    } else if (size == 0) {
      types = rules.plans().ofNewBlock(call.policy, call.total(), snapshot);
    } else {
      types = typesByPolicy();
    }
    asWanted = types;
    if (size == 0 && storages.length == ReplicaPlans.REPLICAS && urgent == 0) {
      plan = snapshot.plans().of(types);
    }
    while (size < storages.length) {
      if (types == TypeCounts.TOO_MANY || (TypeCounts.mask(types) & snapshot.foreign()) != 0) {
        return Event.NO_LINE;
      }
      if (!place()) {
        if (gaveUp) {
          return Event.NO_CANDIDATE;
        }
        if (!settleForLess()) {
          return Event.NOT_ENOUGH;
        }
      }
    }
    return null;
  }

  /** Whether there is something to settle for that hasn't been tried. */
  private boolean settleForLess() {
    rules.faults().at(Stage.FALLBACK_TYPES);
    plan = null;
    failed |= TypeCounts.mask(types);
    if (spread) {
      spread = false;
    } else if (avoidStale && !staleWillDo) {
      staleWillDo = true;
    } else {
      int fresh = TypeCounts.mask(types) & ~unavailable;
      if (fresh == 0) {
        return false;
      }
      unavailable |= fresh;
    }
    types = typesByPolicy();
    return true;
  }

  private long typesByPolicy() {
    List<StorageType> present = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      present.add(storages[i].getStorageType());
    }
    return rules
        .plans()
        .byPolicy(call.policy, present, call.total(), unavailable, call.isNewBlock());
  }

  // --- The steps of the stock policy. ---

  private boolean place() {
    switch (size) {
      case 0:
        if (call.hasHome && placeLocally()) {
          return true;
        }
        if (hasRackOfItsOwn()) {
          return !gaveUp && onRack(call.homeRack, null);
        }
        return !gaveUp && (drawSingle() || anywhere());
      case 1:
        return drawPair() || offFirstRack();
      case 2:
        if (drawPartner()) {
          return true;
        }
        if (racks[0] == racks[1]) {
          return offFirstRack();
        }
        return call.isNewBlock()
            ? onRack(racks[1], storages[1].getDatanodeDescriptor())
            : onRack(call.homeRack, call.local == null ? null : call.local.node());
      default:
        return anywhere();
    }
  }

  /** Whether the writer's rack narrows down where the first replica may be. */
  private boolean hasRackOfItsOwn() {
    return call.hasHome && call.homeRack != ClusterSnapshot.NO_RACK && snapshot.racks().count() > 1;
  }

  // --- Draws by the plan. Where one comes to nothing the others are done without. ---

  private boolean drawSingle() {
    for (int i = 0; plan != null && i < TRIES_OF_PLAN; i++) {
      NodeEntry entry = snapshot.entry(plan.single(planKey(i)));
      if (takeOn(entry, TypeCounts.first(types), Step.ANYWHERE)) {
        return true;
      }
    }
    plan = null;
    return false;
  }

  private boolean drawPair() {
    int type = TypeCounts.first(types);
    // The writer's own replica may have got a type that was meant for the others.
    if (plan != null
        && (steps[0] == null || TypeCounts.count(types, type) < ReplicaPlans.REPLICAS - 1)) {
      plan = null;
    }
    for (int i = 0; plan != null && i < TRIES_OF_PLAN; i++) {
      pair = plan.pair(planKey(i), snapshot.entry(storages[0].getDatanodeDescriptor()).index());
      if (pair == ReplicaPlan.NONE) {
        continue;
      }
      NodeEntry entry = snapshot.entry(ReplicaPlan.one(pair));
      Step step = entry.rack() == racks[0] ? Step.SAME_RACK : Step.OTHER_RACK;
      if (takeOn(entry, type, step)) {
        return true;
      }
    }
    plan = null;
    return false;
  }

  private boolean drawPartner() {
    if (plan == null) {
      return false;
    }
    NodeEntry entry = snapshot.entry(ReplicaPlan.other(pair));
    Step step = entry.rack() == racks[1] ? Step.SAME_RACK : Step.OTHER_RACK;
    return takeOn(entry, TypeCounts.first(types), step);
  }

  private long planKey(int draw) {
    return ReplicaPlan.mix(nonce + (size * TRIES_OF_PLAN + draw + 1) * GOLDEN_GAMMA);
  }

  /** One of the node's storages of the type, if node and storage will do. */
  private boolean takeOn(NodeEntry entry, int type, Step step) {
    rules.faults().at(Stage.DRAW);
    DatanodeDescriptor node = entry.node();
    otherThanRack = ClusterSnapshot.NO_RACK;
    if (!mayTake(node, entry.rack())
        || !snapshot.racks().name(entry.rack()).equals(node.getNetworkLocation())) {
      return false;
    }
    DatanodeStorageInfo storage = entry.pick(TYPES[type], required, planKey(0) * GOLDEN_GAMMA);
    if (storage == null || !hasSpace(storage, node)) {
      return false;
    }
    take(storage, entry.rack(), step);
    return true;
  }

  private boolean anywhere() {
    return find(ClusterSnapshot.NO_RACK, ClusterSnapshot.NO_RACK, Step.ANYWHERE);
  }

  private boolean offFirstRack() {
    return find(ClusterSnapshot.NO_RACK, racks[0], Step.OTHER_RACK)
        || !gaveUp && find(racks[0], ClusterSnapshot.NO_RACK, Step.SAME_RACK);
  }

  /** On the rack, else on that of the first replica on another node, else anywhere. */
  private boolean onRack(int rack, DatanodeDescriptor node) {
    if (rack != ClusterSnapshot.NO_RACK && find(rack, ClusterSnapshot.NO_RACK, Step.SAME_RACK)) {
      return true;
    }
    for (int i = 0; i < size && !gaveUp; i++) {
      if (storages[i].getDatanodeDescriptor() != node) {
        if (find(racks[i], ClusterSnapshot.NO_RACK, Step.SAME_RACK)) {
          return true;
        }
        break;
      }
    }
    return !gaveUp && anywhere();
  }

  private boolean placeLocally() {
    NodeEntry local = call.local;
    if (local == null || !rules.prefersLocalNode()) {
      return false;
    }
    rules.faults().at(Stage.LOCAL);
    DatanodeDescriptor node = local.node();
    if (call.excludes(node)
        || local.rack() == call.barredRack
        || isTaken(node, local.rack())
        || !rules
            .checks()
            .isHealthy(node, avoidStale && !staleWillDo, snapshot.load().avoidSlow())) {
      return false;
    }
    long late = TypeCounts.without(types, urgent);
    return placeOn(local, types - late) || placeOn(local, late);
  }

  private boolean placeOn(NodeEntry local, long wanted) {
    for (long left = wanted; left != TypeCounts.NONE; ) {
      int type = TypeCounts.first(left);
      if (local.hasSpace(TYPES[type], call.blockSize, snapshot.load().leastBlocks())) {
        DatanodeStorageInfo storage = local.pick(TYPES[type], required, key() * GOLDEN_GAMMA);
        if (storage != null) {
          take(storage, local.rack(), Step.LOCAL_NODE);
          return true;
        }
      }
      left = TypeCounts.after(left, type);
    }
    return false;
  }

  // --- The search of a place. ---

  /** Places a replica of the first type that can be had there, as the stock policy does. */
  private boolean find(int rack, int otherThan, Step step) {
    otherThanRack = otherThan;
    if (findUrgent(rack, step)) {
      return true;
    }
    if (!staleWillDo || gaveUp) {
      return false;
    }
    // One type that only stale nodes have is no reason to put the others there, too.
    avoidStale = false;
    boolean found = findUrgent(rack, step);
    avoidStale = true;
    return found;
  }

  private boolean findUrgent(int rack, Step step) {
    long late = TypeCounts.without(types, urgent);
    return find(types - late, rack, step) || !gaveUp && find(late, rack, step);
  }

  private boolean find(long wanted, int rack, Step step) {
    for (long left = wanted; left != TypeCounts.NONE; ) {
      int type = TypeCounts.first(left);
      RackedLine[] lines = snapshot.lines(type);
      if (drawApart(lines, rack, step) || draw(lines, rack, step) || sweep(lines, rack, step)) {
        return true;
      }
      if (gaveUp) {
        return false;
      }
      left = TypeCounts.after(left, type);
    }
    return false;
  }

  /** In a zone without a replica, where nodes have zones. */
  private boolean drawApart(RackedLine[] lines, int rack, Step step) {
    if (size == 0 || !snapshot.hasZones()) {
      return false;
    }
    apart = true;
    boolean found = draw(lines, rack, step);
    apart = false;
    return found;
  }

  private boolean draw(RackedLine[] lines, int rack, Step step) {
    rules.faults().at(Stage.DRAW);
    int first = lines.length < 2 ? 0 : byCapacity(lines, rack);
    for (int i = 0; i < lines.length; i++) {
      line = lines[first + i < lines.length ? first + i : first + i - lines.length];
      int drawn;
      if (rack == ClusterSnapshot.NO_RACK) {
        if (line.isAllOn(otherThanRack)) {
          continue;
        }
        members = null;
        drawn = line.selector().select(key(), this, TRIES);
      } else {
        RackedLine.Part part = line.on(rack);
        if (part == null) {
          continue;
        }
        members = part.devices();
        drawn = part.selector().select(key(), this, TRIES_ON_RACK);
      }
      if (drawn != DeviceSelector.NONE) {
        int device = members == null ? drawn : members[drawn];
        take(line.storage(device), line.rackOf(device), step);
        return true;
      }
    }
    return false;
  }

  /** One of a type's buckets, in proportion to what they hold in the place. */
  private int byCapacity(RackedLine[] lines, int rack) {
    long total = 0;
    for (RackedLine one : lines) {
      total += capacity(one, rack);
    }
    long at = total == 0 ? 0 : (key() * GOLDEN_GAMMA >>> 1) % total;
    for (int i = 0; i < lines.length; i++) {
      at -= capacity(lines[i], rack);
      if (at < 0) {
        return i;
      }
    }
    return 0;
  }

  private static long capacity(RackedLine one, int rack) {
    if (rack == ClusterSnapshot.NO_RACK) {
      return one.capacity();
    }
    return one.on(rack) == null ? 0 : one.on(rack).capacity();
  }

  /** Asks one storage after the other by the stock rule of space, from a random one on. */
  private boolean sweep(RackedLine[] lines, int rack, Step step) {
    for (RackedLine one : lines) {
      RackedLine.Part part = rack == ClusterSnapshot.NO_RACK ? null : one.on(rack);
      if (rack == ClusterSnapshot.NO_RACK ? one.isAllOn(otherThanRack) : part == null) {
        continue;
      }
      int count = part == null ? one.devices() : part.devices().length;
      if (count > MOST_TO_SWEEP) {
        gaveUp = true;
        return false;
      }
      int start = (int) ((key() >>> 33) % count);
      for (int i = 0; i < count; i++) {
        int at = start + i < count ? start + i : start + i - count;
        int device = part == null ? at : part.devices()[at];
        DatanodeStorageInfo storage = one.storage(device);
        if (mayTake(storage.getDatanodeDescriptor(), one.rackOf(device))
            && one.isStillThere(device)
            && NodeEntry.canTake(storage, required)
            && snapshot
                .entry(storage.getDatanodeDescriptor())
                .hasSpace(
                    storage.getStorageType(), call.blockSize, snapshot.load().leastBlocks())) {
          take(storage, one.rackOf(device), step);
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the device of the line that is searched will do, by the index its selector has for it. */
  @Override
  public boolean test(int index) {
    int device = members == null ? index : members[index];
    DatanodeStorageInfo storage = line.storage(device);
    return mayTake(storage.getDatanodeDescriptor(), line.rackOf(device))
        && line.isStillThere(device)
        && hasSpace(storage, storage.getDatanodeDescriptor())
        && !(apart && isInTakenZone(storage.getDatanodeDescriptor()));
  }

  private boolean isInTakenZone(DatanodeDescriptor node) {
    int zone = snapshot.entry(node).zone();
    for (int i = 0; i < size; i++) {
      if (snapshot.entry(storages[i].getDatanodeDescriptor()).zone() == zone) {
        return true;
      }
    }
    return false;
  }

  private boolean mayTake(DatanodeDescriptor node, int rack) {
    rules.faults().at(Stage.CHECK);
    return rack != otherThanRack
        && rack != call.barredRack
        && !isTaken(node, rack)
        && rules.checks().isHealthy(node, avoidStale, snapshot.load().avoidSlow())
        && !rules.checks().isTooBusy(node, snapshot.load())
        && !call.excludes(node);
  }

  /**
   * Space on this very storage, where the stock rule adds up all of the type. What is scheduled is
   * known per node and type only, and might all go here.
   */
  private boolean hasSpace(DatanodeStorageInfo storage, DatanodeDescriptor node) {
    return ThermoclineBridge.isNormal(storage)
        && ThermoclineBridge.remaining(storage)
                - call.blockSize * node.getBlocksScheduled(storage.getStorageType())
            >= required;
  }

  /** Whether the node has a replica, or its rack as many as it may. */
  private boolean isTaken(DatanodeDescriptor node, int rack) {
    int onRack = 0;
    for (int i = 0; i < size; i++) {
      if (storages[i].getDatanodeDescriptor() == node) {
        return true;
      }
      if (racks[i] == rack) {
        onRack++;
      }
    }
    return onRack >= call.mostPerRack;
  }

  private void take(DatanodeStorageInfo storage, int rack, Step step) {
    storages[size] = storage;
    racks[size] = rack;
    steps[size] = step;
    if (size == 0) {
      began = step;
    }
    size++;
    int type = storage.getStorageType().ordinal();
    types = TypeCounts.minusOne(types, type);
    if (TypeCounts.count(asWanted, type) > 0) {
      asWanted = TypeCounts.minusOne(asWanted, type);
      matches++;
    }
  }

  /** The key of the replica that is being placed. */
  private long key() {
    return nonce + size * GOLDEN_GAMMA;
  }

  // --- The complete set. ---

  /** Whether a flag keeps this set from some nodes. */
  boolean isBarred() {
    return barredNode != null || barredRack != ClusterSnapshot.NO_RACK;
  }

  /** Makes the next sets keep from what this one keeps from. */
  void barAgain(PlacementCall other) {
    other.bar(barredNode, barredRack);
  }

  /** Mask of the types that couldn't be had when they were wanted; 0 where all went well. */
  int failed() {
    return failed;
  }

  /** How many replicas have a type that was wanted from the start. */
  int matches() {
    return matches;
  }

  /** All replicas, those that were there before first, as far as they are in pipeline order. */
  DatanodeStorageInfo[] storages() {
    return storages;
  }

  int rack(int replica) {
    return racks[replica];
  }

  void swap(int one, int other) {
    DatanodeStorageInfo storage = storages[one];
    storages[one] = storages[other];
    storages[other] = storage;
    int rack = racks[one];
    racks[one] = racks[other];
    racks[other] = rack;
    Step step = steps[one];
    steps[one] = steps[other];
    steps[other] = step;
  }

  /** Whether the first replica of a new block is on one of several racks since that is the writer's. */
  boolean beganOnRack() {
    return began == Step.SAME_RACK;
  }

  /** Whether a new replica is on the writer's node as it is the writer's. */
  boolean isOnWriter() {
    for (int i = 0; i < size; i++) {
      if (steps[i] == Step.LOCAL_NODE) {
        return true;
      }
    }
    return false;
  }

  /** Null for a replica that was there before. */
  Step[] steps() {
    return steps;
  }
}
