// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * Answers a NameNode's call for targets from a snapshot of the cluster: the stock policy's rules without
 * its lists, its locks and its random walks. Safe for any thread. What it can't finish it hands back, with
 * the caller's collections as they were.
 *
 * <p>The candidate sets of a call are made first and recorded last: {@link ReplicaChoice} is one of them.
 */
final class FastPlacement {
  /** One call in sixteen is timed: two readings of the clock cost a tenth of a call. */
  private static final long TIMED_MASK = 15;

  private final PlacementRules rules;
  private final PolicyHost host;
  private final NetworkTopology topology;
  private final CandidateChoice candidates;

  FastPlacement(
      PlacementRules rules, PolicyHost host, NetworkTopology topology, CandidateChoice candidates) {
    this.rules = rules;
    this.host = host;
    this.topology = topology;
    this.candidates = candidates;
  }

  /**
   * The targets in pipeline order, the replicas that were there before among them if wanted.
   *
   * @param flags may be null
   * @return null to have the stock policy answer; then it is counted why
   */
  DatanodeStorageInfo[] choose(
      PlacementCall call,
      EnumSet<AddBlockFlag> flags,
      ReturnedReplicas returned,
      ClusterSnapshot snapshot) {
    Event outcome = Event.PLACEMENT_FAILED;
    try {
      long nonce = host.nonce();
      boolean timed = (nonce & TIMED_MASK) == 0;
      long start = timed ? host.nanoTime() : 0;
      outcome = prepare(call, snapshot);
      DatanodeStorageInfo[] targets = null;
      if (outcome == null) {
        ReplicaChoice best = choose(call, flags, nonce);
        outcome = best.outcome();
        if (outcome == null) {
          targets = record(call, candidates.isOn() ? bestOf(best, nonce, call) : best, returned);
          outcome = Event.ANSWERED;
        } else if (outcome == Event.NOT_ENOUGH) {
          call.partial = best;
        }
      }
      if (timed) {
        host.counters().decided(host.nanoTime() - start);
      }
      return targets;
    } catch (RuntimeException | LinkageError e) {
      outcome = Event.PLACEMENT_FAILED;
      host.log().warn(outcome, e);
      return null;
    } finally {
      host.counters().count(outcome);
    }
  }

  /**
   * Our own set for a call that too few nodes fit, where it has more replicas than the stock policy's
   * answer.
   */
  DatanodeStorageInfo[] orPartial(
      PlacementCall call, ReturnedReplicas returned, DatanodeStorageInfo[] stock) {
    ReplicaChoice partial = call.partial;
    int from = returned == ReturnedReplicas.ALL ? 0 : call.chosen.size();
    if (partial == null || partial.size() - from <= stock.length) {
      return stock;
    }
    try {
      DatanodeStorageInfo[] targets = record(call, partial, returned);
      host.counters().count(Event.PARTIAL);
      return targets;
    } catch (RuntimeException | LinkageError e) {
      host.counters().count(Event.PLACEMENT_FAILED);
      host.log().warn(Event.PLACEMENT_FAILED, e);
      return stock;
    }
  }

  /** Turns the arguments into the snapshot's terms; null, or why that can't be done. */
  private Event prepare(PlacementCall call, ClusterSnapshot snapshot) {
    host.faults().at(Stage.PREPARE);
    for (int i = 0; i < call.chosen.size(); i++) {
      if (snapshot.entry(call.chosen.get(i).getDatanodeDescriptor()) == null) {
        return Event.UNKNOWN_NODE;
      }
    }
    call.snapshot = snapshot;
    Node writer = call.writer;
    if (writer instanceof DatanodeDescriptor) {
      NodeEntry entry = snapshot.entry(writer);
      if (entry == null && writer.getParent() != null) {
        return Event.UNKNOWN_NODE;
      }
      // A DataNode that has left is a writer on its rack.
      call.local = entry != null && writer.getParent() != null ? entry : null;
    }
    if (writer != null && (call.isNewBlock() || writer instanceof DatanodeDescriptor)) {
      call.hasHome = true;
      call.homeRack = snapshot.racks().indexOf(writer.getNetworkLocation());
    } else if (!call.isNewBlock()) {
      call.hasHome = true;
      call.local = snapshot.entry(call.chosen.get(0).getDatanodeDescriptor());
      call.homeRack = call.local.rack();
    }
    return null;
  }

  /**
   * Keeps to what the flags ask to avoid as long as that leaves enough nodes, stale ones and other storage
   * types included, as the stock policy does.
   */
  private ReplicaChoice choose(PlacementCall call, EnumSet<AddBlockFlag> flags, long nonce) {
    if (flags != null && !flags.isEmpty() && call.writer != null) {
      boolean avoidsRack =
          flags.contains(AddBlockFlag.NO_LOCAL_RACK) && topology.getNumOfNonEmptyRacks() > 2;
      boolean avoidsNode = flags.contains(AddBlockFlag.NO_LOCAL_WRITE) && !isBarredAnyway(call);
      if (avoidsRack || avoidsNode) {
        call.bar(
            avoidsNode ? call.writer : null,
            avoidsRack
                ? call.snapshot.racks().indexOf(call.writer.getNetworkLocation())
                : ClusterSnapshot.NO_RACK);
        ReplicaChoice kept = attempt(call, nonce);
        if (kept.outcome() != Event.NOT_ENOUGH) {
          return kept;
        }
        call.bar(null, ClusterSnapshot.NO_RACK);
      }
    }
    return attempt(call, nonce);
  }

  /** One set; a second where a type ran out, with that type placed while there is most choice. */
  private ReplicaChoice attempt(PlacementCall call, long nonce) {
    ReplicaChoice first = new ReplicaChoice(call, rules, nonce);
    first.fill();
    if (first.failed() == 0) {
      return first;
    }
    ReplicaChoice second = new ReplicaChoice(call, rules, nonce, first.failed());
    second.fill();
    return isBetter(second, first) ? second : first;
  }

  /** Complete where the other isn't, with more replicas, or with more of the types wanted. */
  private static boolean isBetter(ReplicaChoice one, ReplicaChoice other) {
    if (one.outcome() == null || other.outcome() == null) {
      return one.outcome() == null && (other.outcome() != null || one.matches() > other.matches());
    }
    return one.size() > other.size();
  }

  private static boolean isBarredAnyway(PlacementCall call) {
    if (call.excluded != null && call.excluded.contains(call.writer)) {
      return true;
    }
    for (DatanodeStorageInfo storage : call.chosen) {
      if (storage.getDatanodeDescriptor().equals(call.writer)) {
        return true;
      }
    }
    return false;
  }

  private ReplicaChoice bestOf(ReplicaChoice first, long nonce, PlacementCall call) {
    host.faults().at(Stage.SCORE);
    first.barAgain(call);
    return candidates.best(
        first,
        nonce,
        call,
        key -> {
          ReplicaChoice other = new ReplicaChoice(call, rules, key);
          other.fill();
          return other;
        });
  }

  /** Leaves the caller's collections as the stock policy would, and puts the targets in order. */
  private DatanodeStorageInfo[] record(
      PlacementCall call, ReplicaChoice choice, ReturnedReplicas returned) {
    int chosen = call.chosen.size();
    int from = returned == ReturnedReplicas.ALL ? 0 : chosen;
    host.faults().at(Stage.PIPELINE);
    Pipeline.sort(call.local, choice, from, call.snapshot.racks());
    DatanodeStorageInfo[] storages = choice.storages();
    if (chosen == 0 && storages.length == ReplicaPlans.REPLICAS) {
      if (choice.isOnWriter()) {
        call.snapshot.writers().countLocal(call.local.index());
      } else if (choice.beganOnRack()) {
        call.snapshot.writers().countOnRack(call.homeRack);
      } else {
        call.snapshot.writers().countOther();
      }
    }
    for (int i = 0; i < storages.length; i++) {
      if (choice.steps()[i] != null) {
        host.counters()
            .countPlaced(StorageTypes.ours(storages[i].getStorageType()), choice.steps()[i]);
      }
    }
    DatanodeStorageInfo[] targets =
        from == 0 ? storages : Arrays.copyOfRange(storages, from, storages.length);
    host.faults().at(Stage.RECORD);
    // Last, for a set filled by half would keep nodes from the stock policy.
    if (call.excluded != null) {
      for (int i = 0; i < call.chosen.size(); i++) {
        call.excluded.add(call.chosen.get(i).getDatanodeDescriptor());
      }
      for (int i = 0; !choice.isBarred() && i < targets.length; i++) {
        call.excluded.add(targets[i].getDatanodeDescriptor());
      }
    }
    return targets;
  }

  /** Which replicas the caller wants back. */
  enum ReturnedReplicas {
    ALL,
    NEW
  }
}
