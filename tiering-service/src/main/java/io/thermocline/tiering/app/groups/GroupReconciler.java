// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.groups.GroupExecutor;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.act.groups.MemberName;
import io.thermocline.tiering.act.groups.RoundRobinCursor;
import io.thermocline.tiering.classify.groups.AccessSequence;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.GroupPlacement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What should be done for what was found to be read together, within the limits. Changes nothing. One thread. */
public final class GroupReconciler {

  /** A group that was not found again for so many times the pause between looks is cold. */
  private static final int PATIENCE = 3;

  private final GroupsConfig config;
  private final GroupStore store;
  private final GroupWriter writer;
  private final Map<StorageType, TierSpeed> speeds;
  private final Journal journal;
  private final Predicate<String> allowed;

  /** When each group was found the last time, or was first looked for. */
  private final Map<Long, Instant> foundAt = new HashMap<>();

  private boolean isAnyLeft;

  /** What was found and is in no group yet: of each file the NameNode is asked whether it may be. */
  private final RoundRobinCursor<Found> asked =
      new RoundRobinCursor<>(
          found -> found.group().members().get(0).key(),
          found -> found.paths().size(),
          GroupExecutor.LOOKED_AT_ONCE);

  /**
   * A group, and the names of its members as far as they are known: paths, or of blocks {@link
   * MemberName}.
   *
   * @param isSequenceKnown whether the log told how much of each member is read
   */
  public record Found(ObjectGroup group, List<String> paths, boolean isSequenceKnown) {}

  /**
   * What a look looks at besides.
   *
   * @param cluster as of this plan
   * @param files by path, where each block lies
   * @param went groups that ended as a member changed, by the paths of their members
   * @param before what the last look wanted and nobody has begun yet
   */
  public record Scene(
      ClusterView cluster,
      Map<String, FileView> files,
      Map<Set<String>, Long> went,
      List<GroupChange> before,
      Instant now) {}

  /**
   * @param allowed paths of files that may be in groups
   */
  public GroupReconciler(
      GroupsConfig config,
      GroupStore store,
      Map<StorageType, TierSpeed> speeds,
      Journal journal,
      Predicate<String> allowed) {
    this.config = config;
    this.store = store;
    this.writer = new GroupWriter(store, config.largestFile());
    this.speeds = speeds;
    this.journal = journal;
    this.allowed = allowed;
  }

  /** What is cold ends, what is new is to be made. */
  public List<GroupChange> look(List<Found> found, Scene scene) throws IOException {
    Pass pass = new Pass(scene);
    found.forEach(pass::see);
    List<Found> open = found.stream().filter(pass::isOpen).toList();
    List<Found> now = asked.next(open);
    for (Found each : now) {
      pass.want(each);
    }
    isAnyLeft = now.size() < open.size();
    List<GroupChange> changes = new ArrayList<>(cold(pass.seen, scene.now()));
    changes.addAll(pass.wanted);
    return changes;
  }

  /** Whether the last look found more than it could ask the NameNode about. */
  public boolean isAnyLeft() {
    return isAnyLeft;
  }

  private List<GroupChange> cold(Set<Long> seen, Instant now) {
    Duration patience = config.every().multipliedBy(PATIENCE);
    List<GroupChange> cold = new ArrayList<>();
    Set<Long> there = new HashSet<>();
    for (Journal.Group group : journal.groups()) {
      long id = group.made().group();
      there.add(id);
      if (seen.contains(id)) {
        foundAt.put(id, now);
      }
      if (!foundAt.computeIfAbsent(id, each -> now).plus(patience).isAfter(now)) {
        cold.add(
            GroupChange.end(
                id, "cold: not read together any more for " + patience.toSeconds() + " s"));
      }
    }
    foundAt.keySet().retainAll(there);
    return cold;
  }

  /** One look. */
  private final class Pass {
    private final Scene scene;
    private final GroupPlacement placement;
    private final Map<String, Long> groupOfPath = new HashMap<>();
    private final Map<Long, Long> groupOfInode = new HashMap<>();
    private final Map<Long, Long> groupOfBlock = new HashMap<>();

    /** How many files are in each group of files that are read together. */
    private final Map<Long, Integer> sizes = new HashMap<>();

    private final Set<Long> seen = new HashSet<>();
    private final List<GroupChange> wanted = new ArrayList<>();
    private final Set<String> unwanted;
    private long room;
    private long left;
    private long roomRaised;

    private Pass(Scene scene) throws IOException {
      this.scene = scene;
      this.placement = GroupPlacement.of(devices(scene.cluster()), config.free());
      long raised = 0;
      for (Journal.Group group : journal.groups()) {
        JournalEntry.GroupMade made = group.made();
        for (JournalEntry.GroupMember member : made.members()) {
          isIn(made.group(), member.inode(), MemberName.of(member.path()).block());
          groupOfPath.put(member.path(), made.group());
        }
        if (!GroupActs.isRaised(made)) {
          sizes.put(
              made.group(),
              made.pattern().equals(word(GroupPattern.LOCAL)) ? made.members().size() : 0);
        }
        raised += GroupActs.isRaised(made) ? made.bytes() : 0;
        placed(group);
      }
      // A file that is grouped whole, and gets more blocks, is of blocks that have names from then
      // on.
      for (GroupFile group : store.table().groups()) {
        group.members().forEach(each -> isIn(group.id(), each.inode(), each.blockId()));
      }
      this.unwanted =
          journal.unwantedGroups().entrySet().stream()
              .filter(
                  each -> Instant.parse(each.getValue()).plus(config.forget()).isAfter(scene.now()))
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
      this.room = config.most() - store.bytes();
      this.left = config.perLook();
      this.roomRaised = config.raise().most() - raised;
    }

    /** Found again by more than its name, as it may have been renamed. */
    private void isIn(long group, long inode, long block) {
      if (block > 0) {
        groupOfBlock.put(block, group);
      }
      if (inode > 0) {
        groupOfInode.put(inode, group);
      }
    }

    private Long groupOf(String name, long inode, long block) {
      Long group = groupOfBlock.get(block);
      return group == null && MemberName.of(name).isWhole() ? groupOfInode.get(inode) : group;
    }

    /** So that first copies are spread over devices from look to look too. Places are told by node and type. */
    private void placed(Journal.Group group) {
      JournalEntry.GroupMade made = group.made();
      long bytes = made.members().stream().mapToLong(JournalEntry.GroupMember::bytes).sum();
      for (String place : places(group)) {
        List<ClusterView.Storage> there =
            scene.cluster().nodes().values().stream()
                .flatMap(
                    node ->
                        node.storages().stream()
                            .filter(each -> place.startsWith(node.name() + " " + each.type())))
                .toList();
        there.forEach(storage -> placement.lies(storage.id(), bytes / there.size()));
      }
    }

    private List<String> places(Journal.Group group) {
      return group.made().places().isEmpty()
          ? group.shown().map(JournalEntry.GroupShown::places).orElse(List.of())
          : group.made().places();
    }

    /** Groups of what is read together now, as far as paths tell. */
    private void see(Found found) {
      found.paths().stream().map(groupOfPath::get).filter(Objects::nonNull).forEach(seen::add);
    }

    /** Whether there is something to be made of it. */
    private boolean isOpen(Found found) {
      List<String> wished = wished(found);
      return wished.size() > 1
          && (wished.stream().filter(path -> !groupOfPath.containsKey(path)).count() > 1
              || isLarger(
                  found,
                  wished.size(),
                  wished.stream().map(groupOfPath::get).filter(Objects::nonNull).toList()));
    }

    /**
     * Whether so many files that are read together are more than are in each group that has some of them: a set that was
     * found in part is so found whole later. Groups of what is read as often give way to any.
     */
    private boolean isLarger(Found found, int files, List<Long> groups) {
      return found.group().pattern() == GroupPattern.LOCAL
          && groups.stream().allMatch(id -> sizes.getOrDefault(id, Integer.MAX_VALUE) < files);
    }

    private List<String> wished(Found found) {
      return found.paths().stream()
          .filter(name -> allowed.test(MemberName.of(name).path()) && !unwanted.contains(name))
          .toList();
    }

    private void want(Found found) throws IOException {
      List<String> paths = wished(found);
      Set<String> small = new HashSet<>();
      List<String> copied = paths.stream().filter(this::isLookedFor).toList();
      for (GroupWriter.Part part : writer.parts(copied)) {
        small.addAll(part.paths());
        wantFile(found, part, paths.size() - copied.size());
      }
      wantReplicas(found, paths.stream().filter(path -> !small.contains(path)).toList());
    }

    /** Whether clients would read a copy of it; where its file has more blocks, NameNodes aren't asked for all. */
    private boolean isLookedFor(String name) {
      FileView file = scene.files().get(MemberName.of(name).path());
      return file == null || file.blocks().size() <= RedirectTable.MOST_FILE_BLOCKS;
    }

    /**
     * @param large what is read together with it, of files that clients look for no copies of
     */
    private void wantFile(Found found, GroupWriter.Part part, int large) {
      List<Long> there =
          IntStream.range(0, part.paths().size())
              .mapToObj(
                  i -> groupOf(part.paths().get(i), part.inodes().get(i), part.blocks().get(i)))
              .filter(Objects::nonNull)
              .toList();
      seen.addAll(there);
      long bytes = part.bytes() * config.replicas();
      if (!isLarger(found, part.paths().size(), there) && !there.isEmpty()
          || bytes > room
          || bytes > left) {
        return;
      }
      // An audit log doesn't say how much of a file is read: a small file is read as a whole.
      AccessSequence sequence =
          found.isSequenceKnown()
              ? found.group().sequence()
              : part.largest() < config.mining().smallBytes()
                  ? AccessSequence.RANDOM_SMALL
                  : AccessSequence.SEQUENTIAL;
      List<GroupChange.Member> members = new ArrayList<>();
      for (int i = 0; i < part.paths().size(); i++) {
        members.add(
            new GroupChange.Member(
                part.paths().get(i), part.inodes().get(i), part.sizes().get(i), 1, 0));
      }
      GroupChange change =
          change(
              GroupChange.Kind.MAKE_FILE,
              found,
              members,
              sequence,
              GroupPlacement.suiting(found.group().pattern(), sequence),
              config.replicas(),
              there.stream().findFirst().orElse(0L),
              leftOut(large));
      if (change != null) {
        there.stream()
            .distinct()
            .forEach(id -> wanted.add(GroupChange.end(id, "its files are read with more")));
        wanted.add(change);
        for (int i = 0; i < part.paths().size(); i++) {
          isIn(change.group(), part.inodes().get(i), part.blocks().get(i));
        }
        room -= bytes;
        left -= bytes;
      }
    }

    /** One more replica of files of whole blocks, all of them on one storage. */
    private void wantReplicas(Found found, List<String> paths) {
      List<FileView> files = new ArrayList<>();
      for (String path : paths) {
        Long group = groupOfPath.get(path);
        FileView file = scene.files().get(path);
        if (group != null) {
          seen.add(group);
        } else if (file != null && mayBeRaised(file)) {
          files.add(file);
        }
      }
      long bytes = files.stream().mapToLong(FileView::length).sum();
      boolean isHot =
          found.group().members().stream()
              .allMatch(member -> member.reads() >= config.raise().reads());
      if (files.size() < 2 || bytes > roomRaised || !isHot) {
        return;
      }
      Set<StorageType> types =
          files.stream()
              .flatMap(file -> file.blocks().get(0).types().stream())
              .collect(Collectors.toSet());
      AccessSequence sequence = found.group().sequence();
      // HDFS re-creates lost replicas by the file's policy: no other type than it has already.
      Predicate<StorageType> suiting =
          GroupPlacement.suiting(found.group().pattern(), sequence).and(types::contains);
      GroupChange change =
          change(
              GroupChange.Kind.RAISE,
              found,
              files.stream()
                  .map(
                      file ->
                          new GroupChange.Member(
                              file.path(),
                              0,
                              file.length(),
                              file.blocks().size(),
                              file.replication()))
                  .toList(),
              sequence,
              suiting,
              1,
              0,
              "");
      if (change != null) {
        wanted.add(change);
        files.forEach(file -> groupOfPath.put(file.path(), change.group()));
        roomRaised -= bytes;
      }
    }

    private boolean mayBeRaised(FileView file) {
      return !file.isErasureCoded()
          && !file.blocks().isEmpty()
          && file.isSettled()
          && file.replication() < scene.cluster().nodes().size()
          && journal.raised(file.path()).isEmpty()
          && journal.taken(file.path(), JournalEntry.Taken.REPLICATION).isEmpty();
    }

    /**
     * Null where no suiting device has room. What was wanted before stays the same.
     *
     * @param ends group that it is made in place of; 0: none
     */
    private GroupChange change(
        GroupChange.Kind kind,
        Found found,
        List<GroupChange.Member> members,
        AccessSequence sequence,
        Predicate<StorageType> suiting,
        int replicas,
        long ends,
        String besides) {
      for (GroupChange before : scene.before()) {
        if (before.kind() == kind && before.members().equals(members)) {
          return before;
        }
      }
      long id = store.newId();
      long bytes = members.stream().mapToLong(GroupChange.Member::bytes).sum();
      List<GroupPlacement.Device> devices =
          placement.place(id, found.group().pattern(), suiting, bytes, replicas);
      if (devices.isEmpty()) {
        return null;
      }
      Set<String> paths =
          members.stream().map(GroupChange.Member::path).collect(Collectors.toSet());
      long replaces =
          scene.went().entrySet().stream()
              .filter(each -> each.getKey().stream().anyMatch(paths::contains))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(ends);
      return new GroupChange(
          kind,
          id,
          members,
          word(found.group().pattern()),
          word(sequence),
          devices.stream().map(this::place).toList(),
          replaces,
          reason(found.group()) + besides);
    }

    private GroupChange.Place place(GroupPlacement.Device device) {
      return new GroupChange.Place(
          device.node(),
          scene.cluster().nodes().get(device.node()).name(),
          device.id(),
          device.type());
    }
  }

  private static String leftOut(int large) {
    return large == 0
        ? ""
        : "; without "
            + large
            + " of files of more than "
            + RedirectTable.MOST_FILE_BLOCKS
            + " blocks, of which clients look for no copies";
  }

  private static String reason(ObjectGroup group) {
    int least = group.members().stream().mapToInt(member -> member.reads()).min().orElse(0);
    return String.format(
        Locale.ROOT,
        "%s: distance at most %.3f, each read %d times or more",
        switch (group.pattern()) {
          case LOCAL -> "read together";
          case GLOBAL -> "hot, and read about as often as each other";
        },
        group.distance(),
        least);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private List<GroupPlacement.Device> devices(ClusterView cluster) {
    return cluster.nodes().values().stream()
        .flatMap(node -> node.storages().stream())
        .filter(storage -> speeds.containsKey(storage.type()) && storage.capacity() > 0)
        .sorted(Comparator.comparing(ClusterView.Storage::id))
        .map(
            storage ->
                new GroupPlacement.Device(
                    storage.id(),
                    storage.node(),
                    storage.type(),
                    (long) speeds.get(storage.type()).read(),
                    storage.capacity(),
                    storage.remaining()))
        .toList();
  }
}
