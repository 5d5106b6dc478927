// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Which replica goes when a move has brought a block one replica too many: the one that the mover
 * named, if that costs no rack.
 *
 * <p>The stock policy asks in addition that the named replica's storage type be in excess of the
 * file's storage policy. So it undoes every move to a type that the policy doesn't name, by deleting
 * the new replica. A mover that says which replica goes has decided on the layout already; what must
 * not suffer is the spread over racks, and here the stock rule stands: removing the named replica
 * must leave as many racks as there were before the move. It does unless the named replica is alone
 * on its rack while the added one shares its own.
 */
final class MoveHint {
  private MoveHint() {}

  /**
   * The replica to delete, or null where the hint decides nothing: no move, not exactly one replica
   * too many, a node that holds two of them, or racks would be lost; and where the move kept to the
   * storage policy while a third replica doesn't, which then goes first.
   *
   * @param available all replicas of the block
   * @param candidates those of them that may be deleted
   * @param excess types of which there are more replicas than the storage policy has
   */
  static DatanodeStorageInfo honoured(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excess,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    if (added == null || hint == null || added == hint || candidates.size() - expected != 1) {
      return null;
    }
    DatanodeStorageInfo named = only(candidates, hint);
    DatanodeStorageInfo target = only(candidates, added);
    if (named == null || target == null) {
      return null;
    }
    boolean keepsPolicy = !excess.contains(target.getStorageType());
    if (keepsPolicy && !excess.isEmpty() && !excess.contains(named.getStorageType())) {
      return null;
    }
    boolean losesRack =
        replicasOnRackOf(hint, available) == 1 && replicasOnRackOf(added, available) > 1;
    return losesRack ? null : named;
  }

  private static DatanodeStorageInfo only(
      Collection<DatanodeStorageInfo> replicas, DatanodeDescriptor node) {
    DatanodeStorageInfo found = null;
    for (DatanodeStorageInfo replica : replicas) {
      if (replica.getDatanodeDescriptor() == node) {
        if (found != null) {
          return null;
        }
        found = replica;
      }
    }
    return found;
  }

  private static int replicasOnRackOf(
      DatanodeDescriptor node, Collection<DatanodeStorageInfo> replicas) {
    int count = 0;
    for (DatanodeStorageInfo replica : replicas) {
      if (node.getNetworkLocation().equals(replica.getDatanodeDescriptor().getNetworkLocation())) {
        count++;
      }
    }
    return count;
  }
}
