// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.Access;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out live which files are read together, and from time to time has their group files made, kept and dissolved by
 * {@link GroupKeeper}. What was read is told by one thread, looks are taken by another.
 */
final class GroupLife implements Consumer<Access> {

  private static final Logger LOG = LoggerFactory.getLogger(GroupLife.class);

  private final GroupsConfig config;
  private final PathSet managed;
  private final GroupKeeper keeper;
  private Generation current;
  private Generation before;

  /** Reads of one period, and the paths that keys stand for. */
  private static final class Generation {
    private final CorrelationMiner miner;
    private final Map<Long, String> paths = new HashMap<>();
    private final long beganMillis;

    private Generation(GroupsConfig config, long beganMillis) {
      this.miner = new CorrelationMiner(config.mining());
      this.beganMillis = beganMillis;
    }
  }

  private GroupLife(GroupsConfig config, PathSet managed, GroupKeeper keeper, long nowMillis) {
    this.config = config;
    this.managed = managed;
    this.keeper = keeper;
    this.current = new Generation(config, nowMillis);
    this.before = current;
  }

  /**
   * Begins, where groups are configured and the service may change HDFS.
   *
   * @return to whom accesses are to be told
   */
  static Optional<GroupLife> start(
      ServiceConfig config,
      DistributedFileSystem fs,
      ServiceThreads threads,
      Seams seams,
      Closer closer) {
    Optional<GroupsConfig> groups = config.decide().levers().groups();
    if (groups.isEmpty() || config.act().mode() == ServiceConfig.Mode.SHADOW) {
      return Optional.empty();
    }
    GroupStore store = GroupStore.of(fs, new Path(groups.get().directory()));
    GroupKeeper keeper =
        new GroupKeeper(
            groups.get(),
            store,
            new HdfsReader(fs.getClient()),
            config.decide().benefit().speeds());
    List<String> roots =
        config.manage().paths().stream()
            .map(root -> root.equals("/") ? "/**" : root + "/**")
            .toList();
    GroupLife life =
        new GroupLife(groups.get(), new PathSet(roots), keeper, seams.clock().millis());
    ScheduledExecutorService looking =
        closer.register(
            Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-groups")));
    long every = groups.get().every().toMillis();
    looking.scheduleWithFixedDelay(
        () -> life.look(seams.clock().millis()), every, every, TimeUnit.MILLISECONDS);
    return Optional.of(life);
  }

  @Override
  public synchronized void accept(Access access) {
    if (access.kind() != Access.Kind.READ) {
      return;
    }
    long key = access.key();
    if (!current.paths.containsKey(key)) {
      String path = access.path();
      if (!managed.contains(path) || path.startsWith(config.directory())) {
        return;
      }
      if (current.paths.size() >= 2 * config.mining().mostObjects()) {
        current.paths.keySet().removeIf(known -> current.miner.reads(known) == 0);
      }
      current.paths.put(key, path);
    }
    // How much of the file is read the log doesn't say.
    current.miner.read(key, access.timeMillis(), 0, 0);
  }

  private void look(long nowMillis) {
    try {
      List<GroupKeeper.Found> found = found();
      keeper.keep(found);
      synchronized (this) {
        if (nowMillis - current.beganMillis >= config.forget().toMillis()) {
          before = current;
          current = new Generation(config, nowMillis);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("groups could not be kept, trying again in {}", config.every(), e);
    }
  }

  /** Of this period, then of the one before. */
  private synchronized List<GroupKeeper.Found> found() {
    List<GroupKeeper.Found> found = new ArrayList<>();
    for (Generation generation : before == current ? List.of(current) : List.of(current, before)) {
      for (ObjectGroup group : generation.miner.groups()) {
        List<String> paths =
            group.members().stream()
                .map(GroupedObject::key)
                .map(generation.paths::get)
                .filter(Objects::nonNull)
                .toList();
        found.add(new GroupKeeper.Found(group, paths));
      }
    }
    return found;
  }
}
