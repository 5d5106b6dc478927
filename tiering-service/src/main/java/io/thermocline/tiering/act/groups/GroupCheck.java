// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Compares the redirect table with the group files, and both with the originals. Nothing that it finds can give a reader
 * wrong bytes, as readers compare too: it is space that nobody uses, and rights that have changed since.
 */
public final class GroupCheck {
  private final GroupStore store;
  private final InTurn<GroupFile> turns;
  private final int most;

  /** While a table is made again: what each group file says of itself, by its path. */
  private final Map<String, List<GroupFile>> said = new HashMap<>();

  /**
   * @param problems one sentence each
   * @param good groups that are as they should be
   * @param bad what is wrong with each other group
   * @param isComplete false while a lost table is being made again: nothing is known of groups
   *     then
   */
  public record Result(
      List<String> problems,
      List<GroupFile> good,
      Map<GroupFile, String> bad,
      boolean isComplete) {}

  /** Of everything. */
  public GroupCheck(GroupStore store) {
    this(store, Integer.MAX_VALUE);
  }

  /**
   * @param most originals that one check asks about, in turn; groups whose turn it isn't are
   *     taken to be as they were.
   *     And group files that it reads, where the table is lost: then several checks make it
   *     again
   */
  public GroupCheck(GroupStore store, int most) {
    this.store = store;
    this.most = most;
    this.turns = new InTurn<>(GroupFile::id, group -> group.members().size(), most);
  }

  /**
   * Looks, and with {@code repair} puts things right: a table that is damaged or gone is made again of the group files;
   * groups of which something changed go, with their files.
   */
  public Result check(boolean repair) throws IOException {
    List<String> problems = new ArrayList<>();
    RedirectTable table;
    try {
      table = store.table();
    } catch (IOException e) {
      problems.add(e.getMessage());
      table = null;
    }
    Map<String, FileStatus> files = new LinkedHashMap<>();
    store.files().forEach(file -> files.put(file.getPath().toUri().getPath(), file));
    // Also where groups were made meanwhile: their files are among those that are read.
    boolean isLost = table == null || table.groups().isEmpty() || !said.isEmpty();
    if (isLost && !isRead(files, problems)) {
      return new Result(problems, List.of(), Map.of(), false);
    }
    List<GroupFile> named = isLost ? ofFiles(files) : table.groups();
    said.clear();
    if (table != null && table.groups().size() < named.size()) {
      problems.add(
          "the redirect table names "
              + table.groups().size()
              + " of "
              + named.size()
              + " group files");
    }
    List<GroupFile> good = new ArrayList<>();
    Map<GroupFile, String> bad = new LinkedHashMap<>();
    Map<Long, Boolean> open = new HashMap<>();
    Set<String> paths = new HashSet<>();
    Set<GroupFile> asked = new HashSet<>(turns.next(named));
    for (GroupFile group : named) {
      FileStatus file = files.get(group.path());
      String problem = file == null ? "its file is gone" : null;
      if (file != null && asked.contains(group)) {
        problem = problem(group, file, open);
      }
      if (problem == null) {
        good.add(group);
        paths.add(group.path());
      } else {
        bad.put(group, problem);
        problems.add("group " + group.id() + ": " + problem);
      }
    }
    List<Path> orphans = new ArrayList<>();
    files.forEach(
        (path, file) -> {
          if (!paths.contains(path)) {
            orphans.add(file.getPath());
            problems.add(path + ": no good group is in it");
          }
        });
    if (repair && !problems.isEmpty()) {
      // The table first: a reader finds no file that isn't there.
      store.publish(good);
      for (Path orphan : orphans) {
        store.delete(orphan);
      }
    }
    return new Result(problems, good, bad, true);
  }

  /** Reads what some more group files say of themselves; whether that of all is known now. */
  private boolean isRead(Map<String, FileStatus> files, List<String> problems) {
    int read = 0;
    for (FileStatus file : files.values()) {
      String path = file.getPath().toUri().getPath();
      if (said.containsKey(path) || GroupStore.isUnfinished(file.getPath())) {
        continue;
      }
      if (read++ == most) {
        problems.add(
            "the redirect table is made again: " + said.size() + " group files are read so far");
        return false;
      }
      List<GroupFile> groups = List.of();
      try {
        groups = store.index(file.getPath(), file.getLen()).groups();
      } catch (IOException e) {
        problems.add(e.getMessage());
      }
      said.put(path, groups);
    }
    return true;
  }

  /** Of several copies of an original, the first. */
  private List<GroupFile> ofFiles(Map<String, FileStatus> files) {
    List<GroupFile> groups = new ArrayList<>();
    Set<Long> blocks = new HashSet<>();
    for (String path : files.keySet()) {
      for (GroupFile group : said.getOrDefault(path, List.of())) {
        boolean first = true;
        for (GroupFile.Member member : group.members()) {
          first &= blocks.add(member.blockId());
        }
        if (first) {
          groups.add(group);
        }
      }
    }
    return groups;
  }

  /** What is wrong with a group, or null. */
  private String problem(GroupFile group, FileStatus file, Map<Long, Boolean> open)
      throws IOException {
    for (GroupFile.Member member : group.members()) {
      Optional<Original> original = Original.of(store, member.inode(), member.blockId());
      ExtendedBlock copied =
          new ExtendedBlock("", member.blockId(), member.length(), member.generationStamp());
      if (original.isEmpty() || !original.get().isStill(copied, member.length())) {
        return "an original changed or is gone: inode " + member.inode();
      }
      Original.Readers readers = original.get().readers();
      if (!readers.owner().equals(file.getOwner())
          || !readers.group().equals(file.getGroup())
          || !readers.permission().equals(file.getPermission())) {
        return "other people may read an original now: inode " + member.inode();
      }
      if (!Original.isOpenToAll(store, member.inode(), open)) {
        return "a directory of an original isn't open to all now: inode " + member.inode();
      }
    }
    return null;
  }
}
