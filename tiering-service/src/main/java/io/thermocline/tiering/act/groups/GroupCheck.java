// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import static java.util.Comparator.comparing;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.tiering.act.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Compares the redirect table with the group files, and both with the originals. Nothing that it finds can give a reader
 * wrong bytes, as readers compare too: it is space that nobody uses, and rights that have changed since.
 */
public final class GroupCheck {
  private final GroupStore store;
  private final RoundRobinCursor<GroupFile> turns;
  private final int most;

  /** What each group file says of itself that isn't in the table, by its path, while they are read. */
  private final Map<String, List<GroupFile>> said = new HashMap<>();

  /** How often each of these couldn't be read. */
  private final Map<String, Integer> failures = new HashMap<>();

  /**
   * @param problems one sentence each
   * @param good groups that are as they should be
   * @param bad what is wrong with each other group
   * @param unread paths of group files that can't be read now: nothing is known of them
   * @param isComplete false while group files that aren't in the table are being read: nothing is
   *     known of any group then
   */
  public record Result(
      List<String> problems,
      List<GroupFile> good,
      Map<GroupFile, String> bad,
      Set<String> unread,
      boolean isComplete) {}

  /** Of everything. */
  public GroupCheck(GroupStore store) {
    this(store, Integer.MAX_VALUE);
  }

  /**
   * @param most originals that one check asks about, in turn; groups whose turn it isn't are
   *     taken to be as they were.
   *     And group files that it reads, where the table doesn't name them: then several checks
   *     put them back
   */
  public GroupCheck(GroupStore store, int most) {
    this.store = store;
    this.most = most;
    this.turns = new RoundRobinCursor<>(GroupFile::id, group -> group.members().size(), most);
  }

  /**
   * Looks, and with {@code repair} puts things right: what the table doesn't name, as it was damaged, lost or is older, is
   * put into it again; groups of which something changed go, with their files, as do files that are
   * no group's. A group file that can't be read now stays.
   */
  public Result check(boolean repair) throws IOException {
    List<String> problems = new ArrayList<>();
    List<GroupFile> inTable = null;
    try {
      inTable = store.table().groups();
    } catch (IOException e) {
      problems.add(e.getMessage());
    }
    Map<String, FileStatus> files = new LinkedHashMap<>();
    store.files().forEach(file -> files.put(file.getPath().toUri().getPath(), file));
    List<GroupFile> named = new ArrayList<>(inTable == null ? List.of() : inTable);
    Map<String, FileStatus> unnamed = new LinkedHashMap<>(files);
    named.forEach(group -> unnamed.remove(group.path()));
    unnamed.values().removeIf(file -> GroupStore.isUnfinished(file.getPath()));
    if (!areRead(unnamed, problems)) {
      return new Result(problems, List.of(), Map.of(), Set.of(), false);
    }
    Set<String> unread = new TreeSet<>(unnamed.keySet());
    unread.removeAll(said.keySet());
    putBack(named, unnamed.keySet());
    said.clear();
    if (inTable != null && inTable.size() < named.size()) {
      problems.add(
          "the redirect table names " + inTable.size() + " of " + named.size() + " group files");
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
          if (!paths.contains(path) && !unread.contains(path)) {
            orphans.add(file.getPath());
            problems.add(path + ": no good group is in it");
          }
        });
    if (repair && !good.equals(inTable)) {
      // The table first: a reader finds no file that isn't there.
      store.publish(good);
    }
    if (repair) {
      for (Path orphan : orphans) {
        store.delete(orphan);
      }
    }
    return new Result(problems, good, bad, unread, true);
  }

  /**
   * Reads what some more group files say of themselves; whether all were read or tried. That one can't be read takes
   * long, so only few such are tried at once, those that could not be read before last.
   */
  private boolean areRead(Map<String, FileStatus> files, List<String> problems) {
    failures.keySet().retainAll(files.keySet());
    int read = 0;
    int failed = 0;
    for (String path : files.keySet().stream().sorted(comparing(this::failuresOf)).toList()) {
      if (said.containsKey(path)) {
        continue;
      }
      if (read == most || failed > most / 100) {
        if (failuresOf(path) > 0) {
          continue;
        }
        problems.add(
            "the redirect table is made again: " + said.size() + " group files are read so far");
        return false;
      }
      read++;
      try {
        FileStatus file = files.get(path);
        said.put(path, store.index(file.getPath(), file.getLen()).groups());
      } catch (GroupStore.DamagedException e) {
        problems.add(e.getMessage());
        said.put(path, List.of());
      } catch (IOException e) {
        problems.add(path + " can't be read now: " + FailureText.of(e));
        failures.merge(path, 1, Integer::sum);
        failed++;
      }
    }
    return true;
  }

  private int failuresOf(String path) {
    return failures.getOrDefault(path, 0);
  }

  /** Of several copies of an original, the first. */
  private void putBack(List<GroupFile> named, Set<String> paths) {
    TableRoom room = new TableRoom(RedirectTable.MOST_BYTES);
    named.forEach(room::take);
    for (String path : paths) {
      for (GroupFile group : said.getOrDefault(path, List.of())) {
        if (room.objection(group).isEmpty()) {
          room.take(group);
          named.add(group);
        }
      }
    }
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
      if (!readers.equals(
              Original.Readers.of(file.getOwner(), file.getGroup(), file.getPermission()))
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
