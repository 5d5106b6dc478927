// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * HDFS that copies at once and shows the copy at once, unless told otherwise. Remembers what it
 * was asked, in order, and the most copies that a node took part in at the same time.
 */
public final class FakeHdfs implements HdfsCalls {

  final List<String> calls = new ArrayList<>();
  final Deque<IOException> refusals = new ArrayDeque<>();
  final Deque<IOException> policyRefusals = new ArrayDeque<>();

  /** Policies are set, and answered with these. */
  final Deque<IOException> lostPolicyAnswers = new ArrayDeque<>();

  final Map<String, Integer> mostAtOnce = new HashMap<>();
  final Map<String, String> policies = new HashMap<>();
  private final Map<String, FileView> files = new HashMap<>();
  private final Map<Move, FileView> kept = new HashMap<>();
  private final Map<String, IOException> refused = new HashMap<>();
  private final List<String> unmarkings = new ArrayList<>();
  private final Map<String, Integer> now = new HashMap<>();
  private Runnable duringCopy = () -> {};
  private boolean isShown = true;
  private boolean keepsSources;
  private IOException lostAnswer;

  public void put(FileView file) {
    files.put(file.path(), file);
  }

  void remove(String path) {
    files.remove(path);
  }

  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** Copies are made and never shown. */
  void showNothing() {
    isShown = false;
  }

  /** Copies are shown, and their sources too. */
  void keepSources() {
    keepsSources = true;
  }

  /** Shows no source any more, also of copies made before. */
  void dropSources() {
    keepsSources = false;
    kept.forEach((move, file) -> files.put(move.path(), after(file, move)));
  }

  /** Every copy is made, and answered with this. */
  void loseAnswers(IOException instead) {
    lostAnswer = instead;
  }

  /** The next copy is refused with this. */
  public synchronized void failNext(IOException refusal) {
    refusals.add(refusal);
  }

  public void duringCopy(Runnable action) {
    duringCopy = action;
  }

  @Override
  public synchronized void setStoragePolicy(String path, String policy) throws IOException {
    calls.add("policy " + path + " " + policy);
    requireNotRefused(path);
    if (!policyRefusals.isEmpty()) {
      throw policyRefusals.poll();
    }
    policies.put(path, policy);
    if (!lostPolicyAnswers.isEmpty()) {
      files.computeIfPresent(path, (name, file) -> file.withStoragePolicy(10));
      throw lostPolicyAnswers.poll();
    }
  }

  /** From now on what is asked about this path's policy is answered with this; null: not any more. */
  public synchronized void refuse(String path, IOException with) {
    refused.put(path, with);
  }

  private void requireNotRefused(String path) throws IOException {
    if (refused.get(path) != null) {
      throw refused.get(path);
    }
  }

  @Override
  public synchronized void unmark(String path) throws IOException {
    unmarkings.add(path);
    requireNotRefused(path);
  }

  /** Paths, once for each time that their mark was to be removed. */
  public synchronized List<String> unmarkings() {
    return List.copyOf(unmarkings);
  }

  @Override
  public synchronized String storagePolicy(String path) {
    return policies.getOrDefault(path, "");
  }

  @Override
  public void copy(Move move) throws IOException {
    synchronized (this) {
      calls.add("copy " + move.id());
      if (!refusals.isEmpty()) {
        throw refusals.poll();
      }
      begin(move.source().node());
      begin(move.targetNode());
    }
    duringCopy.run();
    synchronized (this) {
      now.merge(move.source().node(), -1, Integer::sum);
      now.merge(move.targetNode(), -1, Integer::sum);
      if (isShown) {
        files.computeIfPresent(move.path(), (path, file) -> shown(file, move));
      }
      if (lostAnswer != null) {
        throw lostAnswer;
      }
    }
  }

  private void begin(String node) {
    mostAtOnce.merge(node, now.merge(node, 1, Integer::sum), Math::max);
  }

  private FileView shown(FileView file, Move move) {
    if (!keepsSources) {
      return after(file, move);
    }
    kept.put(move, file);
    FileView.Block moved = after(file, move).blocks().get(0);
    List<FileView.Replica> both = new ArrayList<>(moved.replicas());
    both.add(move.source());
    return new FileView(
        file.path(),
        file.length(),
        file.replication(),
        file.storagePolicy(),
        List.of(
            new FileView.Block(
                moved.poolId(), moved.id(), moved.generation(), moved.length(), both)));
  }

  private static FileView after(FileView file, Move move) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      if (block.id() == move.block().id() && replicas.remove(move.source())) {
        replicas.add(
            new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType()));
      }
      blocks.add(
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), replicas));
    }
    return new FileView(
        file.path(), file.length(), file.replication(), file.storagePolicy(), blocks);
  }

  @Override
  public synchronized Optional<FileView> file(String path) {
    calls.add("file " + path);
    return Optional.ofNullable(files.get(path));
  }

  @Override
  public synchronized Map<String, FileView> files(Collection<String> paths) {
    Map<String, FileView> found = new HashMap<>();
    paths.forEach(path -> file(path).ifPresent(file -> found.put(path, file)));
    return found;
  }

  /** As in Scene: two nodes a rack. */
  @Override
  public String rack(String node) {
    return "/r" + (Integer.parseInt(node.substring(1)) - 1) / 2;
  }
}
