// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.classify.groups.AccessSequence;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.plan.GroupPlacement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes group files of what was found, and dissolves those that are of no use any more. One thread. */
final class GroupKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(GroupKeeper.class);

  /** A group that was not found again so often is cold. */
  private static final int PATIENCE = 3;

  private final GroupsConfig config;
  private final GroupStore store;
  private final GroupWriter writer;
  private final HdfsReader reader;
  private final Map<StorageType, TierSpeed> speeds;
  private final Map<Long, Integer> missed = new HashMap<>();

  /** A group, and the paths of its members as far as they are known. */
  record Found(ObjectGroup group, List<String> paths) {}

  GroupKeeper(
      GroupsConfig config,
      GroupStore store,
      HdfsReader reader,
      Map<StorageType, TierSpeed> speeds) {
    this.config = config;
    this.store = store;
    this.writer = new GroupWriter(store, config.largestFile());
    this.reader = reader;
    this.speeds = speeds;
  }

  /** One look: what changed is dissolved, what is new is made, within the limits. */
  void keep(List<Found> found) throws IOException {
    store.prepare();
    GroupCheck.Result checked = new GroupCheck(store).check(true);
    checked.problems().forEach(problem -> LOG.info("groups: {}", problem));
    List<GroupFile> groups = new ArrayList<>(checked.good());
    Map<Long, GroupFile> byInode = new HashMap<>();
    groups.forEach(group -> group.members().forEach(each -> byInode.put(each.inode(), group)));
    Set<Long> seen = new HashSet<>();
    List<GroupFile> made = make(found, byInode, seen);
    groups.addAll(made);
    List<GroupFile> cold = groups.stream().filter(group -> isCold(group, seen)).toList();
    groups.removeAll(cold);
    if (!made.isEmpty() || !cold.isEmpty()) {
      store.publish(groups);
      for (GroupFile group : cold) {
        LOG.info("group {} is dissolved: its files are not read together any more", group.id());
        store.delete(group);
      }
    }
    missed.keySet().retainAll(groups.stream().map(GroupFile::id).toList());
  }

  private boolean isCold(GroupFile group, Set<Long> seen) {
    int times = seen.contains(group.id()) ? 0 : missed.merge(group.id(), 1, Integer::sum);
    missed.put(group.id(), times);
    return times >= PATIENCE;
  }

  private List<GroupFile> make(List<Found> found, Map<Long, GroupFile> byInode, Set<Long> seen)
      throws IOException {
    List<GroupFile> made = new ArrayList<>();
    long room = config.most() - store.bytes();
    long left = config.perLook();
    ClusterView cluster = reader.cluster();
    GroupPlacement placement = GroupPlacement.of(devices(cluster), config.free());
    for (Found each : found) {
      for (GroupWriter.Part part : writer.parts(each.paths())) {
        List<GroupFile> there =
            part.inodes().stream().filter(byInode::containsKey).map(byInode::get).toList();
        there.forEach(group -> seen.add(group.id()));
        long bytes = part.bytes() * config.replicas();
        if (!there.isEmpty() || bytes > room || bytes > left) {
          continue;
        }
        long id = store.newId();
        Optional<GroupWriter.Wish> wish = wish(id, each.group(), part, placement, cluster);
        if (wish.isEmpty()) {
          continue;
        }
        Optional<GroupFile> group = writer.write(id, part.paths(), wish.get());
        if (group.isPresent()) {
          made.add(group.get());
          seen.add(id);
          group.get().members().forEach(member -> byInode.put(member.inode(), group.get()));
          room -= bytes;
          left -= bytes;
          LOG.info(
              "group {} is made of {} files, {} bytes, read together ({}, {}, distance at most"
                  + " {}), on {}",
              id,
              part.paths().size(),
              part.bytes(),
              wish.get().pattern(),
              wish.get().sequence(),
              each.group().distance(),
              wish.get().nodes());
        }
      }
    }
    return made;
  }

  /** Empty where no suiting device has room. */
  private Optional<GroupWriter.Wish> wish(
      long id,
      ObjectGroup group,
      GroupWriter.Part part,
      GroupPlacement placement,
      ClusterView cluster) {
    // An audit log doesn't say how much of a file is read: a small file is read as a whole.
    AccessSequence sequence =
        part.largest() < config.mining().smallBytes()
            ? AccessSequence.RANDOM_SMALL
            : AccessSequence.SEQUENTIAL;
    Predicate<StorageType> suiting = GroupPlacement.suiting(group.pattern(), sequence);
    List<GroupPlacement.Device> devices =
        placement.place(id, suiting, part.bytes(), config.replicas());
    if (devices.isEmpty()) {
      return Optional.empty();
    }
    List<InetSocketAddress> nodes =
        devices.stream()
            .map(device -> cluster.nodes().get(device.node()).name().split(":"))
            .map(name -> new InetSocketAddress(name[0], Integer.parseInt(name[1])))
            .toList();
    return Optional.of(
        new GroupWriter.Wish(nodes, policy(devices), word(group.pattern()), word(sequence)));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** The storage policy whose replicas are all of their type; null where there is none. */
  private static String policy(List<GroupPlacement.Device> devices) {
    StorageType type = devices.get(0).type();
    if (devices.stream().anyMatch(device -> device.type() != type)) {
      return null;
    }
    return switch (type) {
      case ARCHIVE -> "COLD";
      case DISK -> "HOT";
      case SSD -> "ALL_SSD";
      case NVDIMM -> "ALL_NVDIMM";
      default -> null;
    };
  }

  private List<GroupPlacement.Device> devices(ClusterView cluster) {
    Stream<ClusterView.Storage> storages =
        cluster.nodes().values().stream().flatMap(node -> node.storages().stream());
    return storages
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
