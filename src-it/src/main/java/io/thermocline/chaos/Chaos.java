// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.process.ZooKeeperEnsemble;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * A cluster that tiers itself under load, with two NameNodes, two services and three ZooKeeper servers, and one thing after
 * the other that goes wrong, by a seed. At the end everything is mended, and what must hold is checked once more.
 */
final class Chaos {

  static final String JOURNAL = "/system/thermocline/journal";
  private static final int FILES = 24;
  private static final int HOT = 6;
  private static final Duration BETWEEN = Duration.ofSeconds(5);
  private static final Duration BETWEEN_READS = Duration.ofMillis(30);
  private static final Duration SESSION = Duration.ofSeconds(4);
  private static final Duration MENDING = Duration.ofMinutes(4);

  private final SplittableRandom random;
  private final Consumer<String> progress;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final List<Fault> ahead = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private final FailedReads failedReads = new FailedReads();
  private ChaosCluster cluster;
  private ZooKeeperEnsemble zooKeeper;
  private DistributedFileSystem hdfs;
  private ChaosFiles files;
  private List<ChaosService> services;
  private volatile boolean hasBegun;
  private volatile boolean over;

  /** What came of it. */
  record Outcome(
      Map<Fault, Integer> faults,
      long reads,
      Map<Fault, Integer> failedReads,
      long moves,
      List<String> violations) {}

  /**
   * @param progress told what goes wrong, what doesn't hold, and how much time is left
   */
  Chaos(long seed, Consumer<String> progress) {
    this.random = new SplittableRandom(seed);
    this.progress = progress;
  }

  Outcome run(Path directory, Duration time) throws IOException, InterruptedException {
    progress.accept("starting the cluster and the services, about a minute");
    cluster = new ChaosCluster(directory);
    try (DistributedFileSystem client = cluster.client()) {
      hdfs = client;
      files = new ChaosFiles(client);
      zooKeeper = ZooKeeperEnsemble.start(Files.createDirectories(directory.resolve("zk")));
      for (int i = 0; i < FILES; i++) {
        files.create();
      }
      String config = config();
      services =
          List.of(
              new ChaosService(directory.resolve("one"), "one", config, zooKeeper.ports()),
              new ChaosService(directory.resolve("two"), "two", config, zooKeeper.ports()));
      Thread reader = new Thread(this::read, "reader");
      reader.setDaemon(true);
      reader.start();
      awaitMoves();
      hasBegun = true;
      long readsBefore = reads.get();
      long end = runtime.nanos().getAsLong() + time.toNanos();
      while (runtime.nanos().getAsLong() < end) {
        runtime.pause().pause(BETWEEN.plusMillis(random.nextLong(BETWEEN.toMillis())));
        Fault fault = next();
        List<Integer> ids = files.ids();
        int id = ids.get(random.nextInt(ids.size()));
        tell(end - runtime.nanos().getAsLong(), fault);
        failedReads.began(fault, id, runtime.nanos().getAsLong());
        goWrong(fault, id);
        failedReads.ended(runtime.nanos().getAsLong());
        for (ChaosService service : services) {
          service.process().restartWhereEnded();
        }
      }
      over = true;
      reader.join();
      progress.accept(
          "nothing goes wrong any more; until all is settled, at most "
              + MENDING.toSeconds()
              + " s left");
      long moves = mend();
      return new Outcome(
          faults, reads.get() - readsBefore, failedReads.counts(), moves, List.copyOf(violations));
    } finally {
      if (services != null) {
        for (ChaosService service : services) {
          service.close();
        }
      }
      if (zooKeeper != null) {
        zooKeeper.close();
      }
      cluster.close();
    }
  }

  private void tell(long leftNanos, Fault fault) {
    progress.accept(
        "%s, the %d. fault; %d reads, %d violations; about %d s left"
            .formatted(
                fault,
                faults.values().stream().mapToInt(Integer::intValue).sum() + 1,
                reads.get(),
                violations(),
                Math.max(0, TimeUnit.NANOSECONDS.toSeconds(leftNanos))));
  }

  private String config() {
    return """
    hdfs: {configuration: %s}
    observe: {auditLogs: %s, start: beginning, poll: 100ms, openWindow: 0s, scanFiles: 0}
    heat: {halfLife: 20s, checkpoint: DIRECTORY/heat, checkpointEvery: 5s}
    manage: {paths: [%s]}
    decide:
      every: 2s
      admission: off
      thresholds: fixed
      stability: {residency: 0s, flaps: 1000, window: 1d}
      tiers:
        SSD: {lowerWatermark: 97 %%, upperWatermark: 99 %%, threshold: 2, demoteBelow: 1}
        DISK: {lowerWatermark: 97 %%, upperWatermark: 99 %%}
      perPlan: {fill: 99 %%}
    act: {mode: apply, verifyEvery: 300ms, verifyWithin: 30s, attempts: 2}
    journal: {directory: "%s%s"}
    ha: {zooKeeper: "ZOOKEEPER", path: /chaos, id: NAME, sessionTimeout: %ds}
    """
        .formatted(
            cluster.hadoop(),
            cluster.audit(),
            ChaosFiles.ROOT,
            cluster.uri(),
            JOURNAL,
            SESSION.toSeconds());
  }

  /**
   * A few files at a time, others after a while. A read that began before anything went wrong
   * counts if it shows what wasn't written, but not if it fails: the cluster and the services are
   * still coming up.
   */
  private void read() {
    SplittableRandom choice = new SplittableRandom(7);
    while (!over) {
      boolean isCounted = hasBegun;
      long began = runtime.nanos().getAsLong();
      List<Integer> ids = files.ids();
      int first = (int) (reads.get() / 400) * HOT;
      int id = ids.get((first + choice.nextInt(HOT)) % ids.size());
      try {
        if (!files.isWhole(id)) {
          violation("the contents of " + files.names(id) + " are not what was written");
        }
        reads.incrementAndGet();
      } catch (IOException | RuntimeException e) {
        if (isCounted && failedReads.failed(id, began, runtime.nanos().getAsLong()).isEmpty()) {
          violation("a read of " + files.names(id) + " failed, and no fault explains it: " + e);
        }
      }
      try {
        runtime.pause().pause(BETWEEN_READS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void awaitMoves() throws IOException, InterruptedException {
    long deadline = runtime.nanos().getAsLong() + MENDING.toNanos();
    while (Invariants.read(hdfs).finished() == 0) {
      if (runtime.nanos().getAsLong() > deadline) {
        throw new IOException("nothing was moved within " + MENDING);
      }
      runtime.pause().pause(Duration.ofSeconds(1));
    }
  }

  private synchronized void violation(String what) {
    violations.add(what);
    progress.accept("violation: " + what);
  }

  private synchronized int violations() {
    return violations.size();
  }

  /** Each once, in any order, then all of them again. */
  private Fault next() {
    if (ahead.isEmpty()) {
      ahead.addAll(List.of(Fault.values()));
    }
    return ahead.remove(random.nextInt(ahead.size()));
  }

  /** Returns when what is only away for a while is back. */
  private void goWrong(Fault fault, int id) throws IOException, InterruptedException {
    faults.merge(fault, 1, Integer::sum);
    ChaosService service = services.get(random.nextInt(services.size()));
    switch (fault) {
      case SERVICE_KILL -> service.process().kill();
      case SERVICE_FREEZE -> {
        service.process().signal("STOP");
        runtime.pause().pause(SESSION.multipliedBy(2));
        service.process().signal("CONT");
      }
      case DATANODE_KILL -> {
        MiniDFSCluster.DataNodeProperties node =
            cluster.stopNode(random.nextInt(ChaosCluster.NODES));
        runtime.pause().pause(BETWEEN);
        cluster.startNode(node);
      }
      case NAMENODE_RESTART -> {
        cluster.restartActive();
        cluster.awaitActive();
      }
      case NAMENODE_FAILOVER -> cluster.failover();
      case NAMENODE_LOSS -> {
        cluster.loseActive();
        runtime.pause().pause(BETWEEN);
        cluster.restartStandby();
        cluster.awaitActive();
      }
      case ZOOKEEPER_LOSS -> {
        int lost = 1 + random.nextInt(2);
        for (int i = 0; i < lost; i++) {
          zooKeeper.kill(i);
        }
        runtime.pause().pause(BETWEEN);
        for (int i = 0; i < lost; i++) {
          zooKeeper.restart(i);
          zooKeeper.awaitServing(i);
        }
      }
      case JOURNAL_FULL -> {
        org.apache.hadoop.fs.Path journal = new org.apache.hadoop.fs.Path(JOURNAL);
        hdfs.setQuota(journal, HdfsConstants.QUOTA_DONT_SET, 1);
        runtime.pause().pause(BETWEEN);
        hdfs.setQuota(journal, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
      }
      case PARTITION -> {
        service.partition(true);
        runtime.pause().pause(SESSION.multipliedBy(2));
        service.partition(false);
      }
      case CLOCK_JUMP -> {
        service.skew(Duration.ofMinutes(random.nextLong(-1_440, 1_440)));
        runtime.pause().pause(SESSION.multipliedBy(2));
        // Somebody sets it right: as long as it is ahead, nothing is hot and nothing moves.
        service.skew(Duration.ZERO);
      }
      case DISK_FULL -> {
        int node = random.nextInt(ChaosCluster.NODES);
        cluster.fill(node, true);
        runtime.pause().pause(BETWEEN);
        cluster.fill(node, false);
      }
      case PERMISSION_DENIED -> {
        cluster.allow(false);
        runtime.pause().pause(BETWEEN);
        cluster.allow(true);
      }
      case QUOTA_EXCEEDED -> {
        org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(ChaosFiles.ROOT);
        hdfs.setQuotaByStorageType(root, StorageType.SSD, 1);
        runtime.pause().pause(BETWEEN);
        hdfs.setQuotaByStorageType(root, StorageType.SSD, HdfsConstants.QUOTA_RESET);
      }
      case RENAME -> files.rename(id);
      case DELETE -> {
        files.delete(id);
        files.create();
      }
    }
  }

  /** All that was broken works again; what must hold then is waited for, and checked. */
  private long mend() throws IOException, InterruptedException {
    cluster.awaitActive();
    for (ChaosService service : services) {
      service.process().restartWhereEnded();
    }
    long deadline = runtime.nanos().getAsLong() + MENDING.toNanos();
    String left = Invariants.unsettled(hdfs, files);
    while (!left.isEmpty() && runtime.nanos().getAsLong() < deadline) {
      runtime.pause().pause(Duration.ofSeconds(1));
      left = Invariants.unsettled(hdfs, files);
    }
    if (!left.isEmpty()) {
      violation(left);
    }
    services.forEach(service -> service.process().terminate());
    Invariants last = Invariants.read(hdfs);
    last.check(hdfs, files).forEach(this::violation);
    return last.finished();
  }
}
