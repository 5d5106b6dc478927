// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.FailureText;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.plan.GroupChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the groups of a plan and ends them, one after the other; what can't be done is recorded with the reason, and the
 * rest goes on. By the thread that carries plans out.
 */
public final class GroupExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(GroupExecutor.class);

  /** Files that one look asks the NameNode about, two calls each and one a directory. Plans wait. */
  public static final int LOOKED_AT_ONCE = 500;

  /** Bytes that are paid for in one go: whoever stops it waits no longer than for these. */
  private static final long SLICE_BYTES = 1 << 20;

  private final GroupStore store;
  private final GroupWriter writer;
  private final RaisedGroups raised;
  private final ExecutionControl control;
  private final OperationBudget bytes;
  private final GroupRecord lasting;
  private final GroupCheck check;

  /**
   * A group that ends.
   *
   * @param raised members with the factor that each had before; none where it is a file
   */
  public record Ending(long group, List<GroupChange.Member> raised) {}

  /**
   * @param bytes a second that may be written
   */
  public GroupExecutor(
      GroupStore store,
      GroupWriter writer,
      RaisedGroups raised,
      ExecutionControl control,
      OperationBudget bytes,
      GroupRecord record) {
    this.store = store;
    this.writer = writer;
    this.raised = raised;
    this.control = control;
    this.bytes = bytes;
    this.lasting = record;
    this.check = new GroupCheck(store, LOOKED_AT_ONCE);
  }

  /** Returns when every change is at its end, or nothing may be begun any more. */
  public void make(long plan, List<GroupChange> changes) throws IOException, InterruptedException {
    if (changes.isEmpty() || !control.awaitTurn()) {
      return;
    }
    store.prepare();
    List<GroupFile> written = new ArrayList<>();
    int index = 0;
    for (GroupChange change : changes) {
      pay(change.bytes());
      if (!control.mayBegin()) {
        // Whoever waits has nothing half done.
        publish(plan, written);
      }
      if (!control.awaitTurn()) {
        break;
      }
      control.beside().running(1);
      try {
        if (change.kind() == GroupChange.Kind.MAKE_FILE) {
          write(plan, change).ifPresent(written::add);
        } else {
          // Replicas may take long: nobody waits for those with what is there already.
          publish(plan, written);
          lasting.willMake(plan, change, "");
          raised.raise(plan + "-g" + index++, change, lasting, plan);
        }
      } finally {
        control.beside().running(0);
      }
    }
    publish(plan, written);
  }

  /** Before anything is asked: it may take long, and what held before says nothing of after. */
  private void pay(long due) {
    for (long left = due; left > 0 && !control.isEnding(); left -= SLICE_BYTES) {
      bytes.take(Math.min(left, SLICE_BYTES));
      control.watch().progressed();
    }
  }

  private Optional<GroupFile> write(long plan, GroupChange change) throws IOException {
    long id = change.group();
    lasting.willMake(plan, change, store.pathOf(id).toUri().getPath());
    try {
      Optional<GroupFile> group =
          writer.write(
              id,
              change.members().stream().map(GroupChange.Member::path).toList(),
              change.members().stream().map(GroupChange.Member::inode).toList(),
              wish(change),
              control.watch()::progressed);
      if (group.isEmpty()) {
        lasting.ended(plan, id, "", "its files changed meanwhile");
      }
      return group;
    } catch (IOException e) {
      LOG.warn("group {} could not be written", id, e);
      lasting.ended(plan, id, "", "it could not be written: " + FailureText.of(e));
      return Optional.empty();
    }
  }

  /** Leads readers to them too; what the table can't take goes again, and all else is led to. */
  private void publish(long plan, List<GroupFile> written) throws IOException {
    if (written.isEmpty()) {
      return;
    }
    TableRoom room = new TableRoom(RedirectTable.MOST_BYTES);
    List<GroupFile> groups = new ArrayList<>(store.table().groups());
    groups.forEach(room::take);
    List<GroupFile> fitting = new ArrayList<>();
    for (GroupFile group : written) {
      Optional<String> objection = room.objection(group);
      if (objection.isPresent()) {
        store.delete(group);
        lasting.ended(plan, group.id(), "", objection.get());
      } else {
        room.take(group);
        fitting.add(group);
      }
    }
    written.clear();
    if (fitting.isEmpty()) {
      return;
    }
    groups.addAll(fitting);
    store.publish(groups);
    for (GroupFile group : fitting) {
      lasting.shown(group.id(), places(group.path()));
    }
  }

  /** Where the replicas of a group file lie, as HDFS shows them: "node TYPE". */
  public List<String> places(String path) throws IOException {
    LocatedBlocks blocks =
        store.fs().getClient().getLocatedFileInfo(path, false).getLocatedBlocks();
    List<String> places = new ArrayList<>();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        places.add(block.getLocations()[i].getXferAddr() + " " + block.getStorageTypes()[i]);
      }
    }
    return places;
  }

  /**
   * Ends groups: readers first, then the copies.
   *
   * @param plan by which; 0: by none
   * @param who had them ended; empty: the service by itself
   */
  public void end(long plan, List<Ending> ending, String who, String why) throws IOException {
    List<Long> ids = ending.stream().map(Ending::group).toList();
    List<GroupFile> groups = new ArrayList<>(store.table().groups());
    List<GroupFile> going = groups.stream().filter(each -> ids.contains(each.id())).toList();
    if (!going.isEmpty()) {
      groups.removeAll(going);
      store.publish(groups);
      for (GroupFile group : going) {
        store.delete(group);
      }
    }
    for (Ending each : ending) {
      String left = raised.lower(each.group(), each.raised());
      lasting.ended(plan, each.group(), who, why + left);
    }
  }

  /** Group files in HDFS, complete or not, by their place and names. */
  public List<String> files() throws IOException {
    return store.files().stream().map(file -> file.getPath().toUri().getPath()).toList();
  }

  /** Removes all of them, readers first, with the redirect table and their directory if nothing else lies there. */
  public void removeFiles() throws IOException {
    if (!store.files().isEmpty()) {
      store.removeAll();
    }
    store.removeDirectory();
  }

  /** Looks at the group files, and puts right what is not; at the originals of some of them, in turn. */
  public GroupCheck.Result repair() throws IOException {
    return check.check(true);
  }

  /** Members that are not as the group left them, with the reason; empty where all are. */
  public Optional<String> changed(List<GroupChange.Member> members) throws IOException {
    return raised.changed(members);
  }

  /** Fastest first: HDFS gives the first node that has it a policy's fast type. */
  private static GroupWriter.Wish wish(GroupChange change) {
    List<InetSocketAddress> nodes =
        change.places().stream()
            .sorted(Comparator.comparing(GroupChange.Place::type).reversed())
            .map(place -> place.name().split(":"))
            // By its address: HDFS looks for that first, and a look for its name takes time.
            .map(name -> InetSocketAddress.createUnresolved(name[0], Integer.parseInt(name[1])))
            .toList();
    String policy = policy(change.places().stream().map(GroupChange.Place::type).toList());
    return new GroupWriter.Wish(nodes, policy, change.pattern(), change.sequence());
  }

  /**
   * The storage policy whose replicas lie on these types; of mixed ones that which comes closest, as HDFS has none with
   * more than one fast replica beside slow ones. Null where none does.
   */
  static String policy(List<StorageType> types) {
    if (types.stream().distinct().count() > 1) {
      if (types.stream().anyMatch(StorageType::isFast)) {
        return "ONE_SSD";
      }
      return Collections.frequency(types, StorageType.DISK) == 1 ? "WARM" : "HOT";
    }
    return switch (types.isEmpty() ? StorageType.RAM_DISK : types.get(0)) {
      case ARCHIVE -> "COLD";
      case DISK -> "HOT";
      case SSD -> "ALL_SSD";
      case NVDIMM -> "ALL_NVDIMM";
      default -> null;
    };
  }
}
