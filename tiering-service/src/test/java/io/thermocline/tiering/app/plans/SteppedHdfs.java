// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.MoveCheck;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.plan.Move;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A NameNode and its DataNodes as a service and clients see them: paths and what they stand for, policies, replication, blocks
 * that are copied and whose sources go with a heartbeat, and the audit log. Another thread may come before and after each
 * call. A call that a client makes has no such step.
 */
final class SteppedHdfs implements HdfsCalls {

  private static final Map<String, Integer> POLICIES =
      Map.of("", 0, "COLD", 2, "WARM", 5, "HOT", 7, "ONE_SSD", 10);
  private static final long HEARTBEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final Lockstep threads;
  private final SplittableRandom random;
  private final Map<String, Inode> files = new TreeMap<>();
  private final List<Drop> drops = new ArrayList<>();
  private final List<Access> log = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private long lastBlock;
  private long awayUntilNanos;
  private boolean copiesFail;
  private boolean isBroken;

  /** What a path stands for. */
  static final class Inode {
    private int replication;
    private String policy = "";

    /** What a client set last; null where the service set one since, or nobody did. */
    private String ofClient;

    private boolean isSetByService;
    private boolean isOpen;

    private final List<FileView.Block> blocks = new ArrayList<>();

    String policy() {
      return policy;
    }

    String ofClient() {
      return ofClient;
    }
  }

  private record Drop(long block, FileView.Replica source, long dueNanos) {}

  /** A line of the audit log. */
  record Line(Kind kind, long timeMillis, String path, String newPath, String user, Access.By by)
      implements Access {
    @Override
    public long key() {
      return 0;
    }

    @Override
    public PathHashes hashes() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  SteppedHdfs(Lockstep threads, SplittableRandom random) {
    this.threads = threads;
    this.random = random;
  }

  // Clients.

  synchronized Inode create(String path, int blocks, String... storages) {
    Inode inode = new Inode();
    inode.replication = storages.length;
    for (int i = 0; i < blocks; i++) {
      List<FileView.Replica> replicas = new ArrayList<>();
      for (String storage : storages) {
        String[] parts = storage.split("-");
        replicas.add(new FileView.Replica(parts[0], storage, StorageType.valueOf(parts[1])));
      }
      inode.blocks.add(new FileView.Block("BP-1", ++lastBlock, 1, 10, replicas));
    }
    files.put(path, inode);
    line(Access.Kind.CREATE, path, null, "alice");
    return inode;
  }

  synchronized boolean rename(String from, String to) {
    if (!files.containsKey(from)) {
      return false;
    }
    files.put(to, files.remove(from));
    line(Access.Kind.RENAME, from, to, "alice");
    return true;
  }

  synchronized boolean delete(String path) {
    boolean isThere = files.remove(path) != null;
    if (isThere) {
      line(Access.Kind.DELETE, path, null, "alice");
    }
    return isThere;
  }

  synchronized void append(String path) {
    Inode inode = files.get(path);
    if (inode != null) {
      FileView.Block last = inode.blocks.remove(inode.blocks.size() - 1);
      inode.blocks.add(
          new FileView.Block("BP-1", last.id(), last.generation() + 1, 15, last.replicas()));
      inode.isOpen = random.nextBoolean();
    }
  }

  synchronized void close(String path) {
    if (files.containsKey(path)) {
      files.get(path).isOpen = false;
    }
  }

  synchronized void setReplication(String path, int factor) {
    Inode inode = files.get(path);
    if (inode != null) {
      inode.replication = factor;
      line(Access.Kind.REPLICATION, path, null, "alice");
    }
  }

  synchronized void clientSetsPolicy(String path, String policy) {
    Inode inode = files.get(path);
    if (inode != null) {
      // That there is none is nobody's, also where clients took back their own: it is as it was.
      boolean isNobodys = policy.isEmpty() && (inode.policy.isEmpty() || !inode.isSetByService);
      inode.ofClient = isNobodys ? null : policy;
      inode.policy = policy;
      line(policy.isEmpty() ? Access.Kind.NO_POLICY : Access.Kind.POLICY, path, null, "alice");
    }
  }

  /** Calls fail for a while, as where both NameNodes are standby. */
  synchronized void goAway(Duration length) {
    awayUntilNanos = threads.nanos() + length.toNanos();
  }

  synchronized boolean isAway() {
    return threads.nanos() < awayUntilNanos;
  }

  /** The next call ends in a way that isn't thought of. */
  synchronized void breakNext() {
    isBroken = true;
  }

  void copiesFail(boolean fail) {
    copiesFail = fail;
  }

  /** What of clients' the service replaced although it could see it. */
  synchronized List<String> lost() {
    return List.copyOf(lost);
  }

  synchronized Map<String, Inode> inodes() {
    return new TreeMap<>(files);
  }

  /** Lines since the last call. */
  synchronized List<Access> takeLog() {
    List<Access> taken = List.copyOf(log);
    log.clear();
    return taken;
  }

  private void line(Access.Kind kind, String path, String to, String user) {
    log.add(
        new Line(
            kind,
            threads.nanos() / 1_000_000,
            path,
            to,
            user,
            user.equals("alice") ? Access.By.OTHERS : Access.By.SERVICE));
  }

  // The service.

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    threads.point();
    set(path, policy);
    threads.point();
  }

  /** Nothing comes between the look and the change here; what does in HDFS, ChangedMeanwhileTest has. */
  @Override
  public void setStoragePolicy(String path, String policy, FileView planned) throws IOException {
    threads.point();
    synchronized (this) {
      mustBeThere();
      MoveCheck.requireUnchanged(planned, view(planned.path()));
      set(path, policy);
    }
    threads.point();
  }

  @Override
  public void setStoragePolicy(String path, String policy, Own own) throws IOException {
    threads.point();
    synchronized (this) {
      mustBeThere();
      own.requireUnchanged(own.block() == 0 ? null : view(path), inode(path).policy);
      set(path, policy);
    }
    threads.point();
  }

  private synchronized void set(String path, String policy) throws IOException {
    mustBeThere();
    Inode inode = inode(path);
    if (inode.ofClient != null && !inode.ofClient.equals(policy)) {
      lost.add(path + ": alice set '" + inode.ofClient + "', it was made '" + policy + "'");
    }
    inode.policy = policy;
    inode.ofClient = null;
    inode.isSetByService = true;
    line(policy.isEmpty() ? Access.Kind.NO_POLICY : Access.Kind.POLICY, path, null, "thermocline");
  }

  @Override
  public void copy(Move move) throws IOException {
    threads.point();
    boolean isAnswerLost;
    synchronized (this) {
      if (copiesFail) {
        throw new IOException("the DataNode refuses");
      }
      block(move.block().id());
      isAnswerLost = random.nextInt(8) == 0;
    }
    threads.pause(Duration.ofMillis(random.nextInt(3000)));
    synchronized (this) {
      Inode inode = block(move.block().id());
      int at = index(inode, move.block().id());
      FileView.Block block = inode.blocks.get(at);
      if (block.generation() != move.block().generation()) {
        throw new IOException("the replica has another generation stamp");
      }
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      boolean isThere =
          replicas.stream()
              .anyMatch(
                  one ->
                      one.node().equals(move.targetNode())
                          && (!one.node().equals(move.source().node())
                              || one.type() == move.targetType()));
      if (isThere) {
        throw new IOException("the replica is there already");
      }
      FileView.Replica target =
          new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType());
      if (move.targetNode().equals(move.source().node())) {
        // A DataNode moves it from one volume to the other.
        replicas.removeIf(one -> one.node().equals(target.node()));
        replicas.add(target);
      } else {
        replicas.add(target);
        drops.add(new Drop(block.id(), move.source(), threads.nanos() + HEARTBEAT_NANOS));
      }
      inode.blocks.set(at, with(block, replicas));
    }
    threads.point();
    if (isAnswerLost) {
      throw new IOException("the connection broke");
    }
  }

  /** What the NameNode has done since it was asked last. */
  private void heartbeat() {
    for (Drop drop : List.copyOf(drops)) {
      if (drop.dueNanos() <= threads.nanos()) {
        drops.remove(drop);
        for (Inode inode : files.values()) {
          int at = index(inode, drop.block());
          if (at >= 0) {
            List<FileView.Replica> replicas = new ArrayList<>(inode.blocks.get(at).replicas());
            replicas.remove(drop.source());
            inode.blocks.set(at, with(inode.blocks.get(at), replicas));
          }
        }
      }
    }
  }

  private static FileView.Block with(FileView.Block block, List<FileView.Replica> replicas) {
    return new FileView.Block(
        block.poolId(), block.id(), block.generation(), block.length(), replicas);
  }

  private static int index(Inode inode, long block) {
    for (int i = 0; i < inode.blocks.size(); i++) {
      if (inode.blocks.get(i).id() == block) {
        return i;
      }
    }
    return -1;
  }

  private Inode block(long id) throws IOException {
    return files.values().stream()
        .filter(inode -> index(inode, id) >= 0)
        .findAny()
        .orElseThrow(() -> new IOException("no such replica"));
  }

  private Inode inode(String path) throws FileNotFoundException {
    Inode inode = files.get(path);
    if (inode == null) {
      throw new FileNotFoundException(path);
    }
    return inode;
  }

  private void mustBeThere() throws IOException {
    if (isBroken) {
      isBroken = false;
      throw new IllegalStateException("an answer that nobody expected");
    }
    if (isAway()) {
      throw new IOException("Operation category READ is not supported in state standby");
    }
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    threads.point();
    synchronized (this) {
      mustBeThere();
      return path.equals("/") || path.equals("/d") ? "" : inode(path).policy;
    }
  }

  synchronized Optional<FileView> view(String path) {
    heartbeat();
    Inode inode = files.get(path);
    return inode == null || inode.isOpen
        ? Optional.empty()
        : Optional.of(
            new FileView(
                path,
                inode.blocks.stream().mapToLong(FileView.Block::length).sum(),
                inode.replication,
                POLICIES.get(inode.policy),
                inode.blocks));
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    threads.point();
    Optional<FileView> view;
    synchronized (this) {
      mustBeThere();
      view = view(path);
    }
    threads.point();
    return view;
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    threads.point();
    Map<String, FileView> found = new HashMap<>();
    synchronized (this) {
      mustBeThere();
      paths.forEach(path -> view(path).ifPresent(file -> found.put(path, file)));
    }
    threads.point();
    return found;
  }

  /** Two nodes a rack. */
  @Override
  public String rack(String node) throws IOException {
    synchronized (this) {
      mustBeThere();
    }
    return "/r" + (Integer.parseInt(node.substring(1)) - 1) / 2;
  }
}
