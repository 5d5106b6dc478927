// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.MemberName;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.heat.SavedState;
import io.thermocline.tiering.heat.StateSource;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.process.PathSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out live what is read together: files by audit logs, blocks by clienttrace. Saved with heat, so that a restart
 * goes on. Thread-safe.
 */
public final class GroupMining {

  private static final Logger LOG = LoggerFactory.getLogger(GroupMining.class);

  private final GroupsConfig config;
  private final PathSet managed;
  private final String groupFiles;
  private final LongAdder opens = new LongAdder();
  private final ReadTogether files;
  private final ReadTogether blocks;

  public GroupMining(GroupsConfig config, List<String> managedRoots, long nowMillis) {
    this.config = config;
    this.groupFiles = new Path(config.directory(), GroupStore.PREFIX).toString();
    this.managed =
        new PathSet(
            managedRoots.stream().map(root -> root.equals("/") ? "/**" : root + "/**").toList());
    this.files = new ReadTogether(config.mining(), nowMillis);
    this.blocks = new ReadTogether(config.mining().withWindow(config.blockWindow()), nowMillis);
  }

  public synchronized void accept(Access access) {
    if (access.kind() != Access.Kind.READ && access.kind() != Access.Kind.SCANNED) {
      return;
    }
    long key = access.key();
    if (!files.knows(key)) {
      String path = access.path();
      if (path.startsWith(groupFiles)) {
        opens.increment();
        return;
      }
      if (!managed.contains(path) || path.startsWith(config.directory())) {
        return;
      }
      files.name(key, path);
    }
    // How much of the file is read the log doesn't say.
    files.read(key, access.reader(), access.timeMillis(), 0, 0);
  }

  public synchronized void accept(BlockAccess access) {
    if (access.kind() != BlockAccess.Kind.READ) {
      return;
    }
    String name = MinedReads.nameOf(access);
    long key = PathKey.of(0, name);
    if (!blocks.knows(key)) {
      blocks.name(key, name);
    }
    blocks.read(
        key, MinedReads.readerOf(access), access.timeMillis(), access.offset(), access.bytes());
  }

  /**
   * What was found so far.
   *
   * @param fileOf of which file a block is; null where it isn't known
   * @param hotShare of files, and of blocks, that are hot: 0 to 1
   */
  public synchronized List<GroupReconciler.Found> found(
      LongFunction<FileView> fileOf, double hotShare) {
    List<GroupReconciler.Found> found = new ArrayList<>();
    for (ReadTogether.Group each : blocks.groups(hotShare)) {
      found.add(new GroupReconciler.Found(each.group(), members(names(each), fileOf), true));
    }
    for (ReadTogether.Group each : files.groups(hotShare)) {
      found.add(new GroupReconciler.Found(each.group(), names(each), false));
    }
    return found;
  }

  /**
   * Files that most blocks of are among these, where such may have one more replica; else the
   * blocks by themselves: as HDFS replicates files, it would replicate more of them than is read
   * together.
   */
  private List<String> members(List<String> names, LongFunction<FileView> fileOf) {
    Map<FileView, List<Long>> blocks = new LinkedHashMap<>();
    for (String name : names) {
      long block = MinedReads.blockOf(name);
      FileView file = fileOf.apply(block);
      if (file != null) {
        blocks.computeIfAbsent(file, each -> new ArrayList<>()).add(block);
      }
    }
    List<String> members = new ArrayList<>();
    blocks.forEach(
        (file, ids) -> {
          int all = file.blocks().size();
          if (all == 1 || 2 * ids.size() > all && config.raise().most() > 0) {
            members.add(file.path());
          } else {
            ids.forEach(id -> members.add(new MemberName(file.path(), id).toString()));
          }
        });
    return members;
  }

  private static List<String> names(ReadTogether.Group group) {
    return group.group().members().stream()
        .map(GroupedObject::key)
        .map(key -> group.names().apply(key))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Opens of group files by readers, since the start. */
  public long opens() {
    return opens.sum();
  }

  /** To be called with each look: what is too old is forgotten. */
  public synchronized void turn(long nowMillis) {
    files.turn(nowMillis, config.forget().toMillis());
    blocks.turn(nowMillis, config.forget().toMillis());
  }

  /** The state, to be written before the next read is handed in. */
  public SavedState freeze() {
    return sink -> {
      synchronized (this) {
        files.writeTo(sink);
        blocks.writeTo(sink);
      }
    };
  }

  public synchronized void restore(StateSource source) {
    if (!files.restore(source) || !blocks.restore(source)) {
      LOG.info("what is read together was found with other settings before: learning it anew");
    }
  }
}
