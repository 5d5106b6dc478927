// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.MoveCheck;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a mover do what changes HDFS; looks by itself, with its own user's rights. Thread-safe. */
public final class RemoteMoves implements MutexCalls, DataNodeStates.Source {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteMoves.class);

  /** Bytes of a request beside its paths, at most. */
  private static final int ENVELOPE = 1 << 10;

  private final MoverClient mover;
  private final OperationBudget budget;
  private final HdfsReader reader;

  /** Outside the budget. */
  private final HdfsReader atOnce;

  private final Map<Integer, String> policyNames;
  private final Map<String, String> racks = new ConcurrentHashMap<>();
  private final Map<String, String> hosts = new ConcurrentHashMap<>();

  /** Null before the mover has said what they are. */
  private volatile MoverLimits limits;

  public RemoteMoves(DFSClient client, MoverClient mover, OperationBudget budget)
      throws IOException {
    this.mover = mover;
    this.budget = budget;
    this.reader = new HdfsReader(client, budget::take);
    this.atOnce = new HdfsReader(client);
    this.policyNames = reader.storagePolicies();
  }

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    budget.take();
    mover.ask(new MoverRequest.Policy(path, policy));
  }

  @Override
  public Optional<PolicyMarks.Mark> mark(String path) throws IOException {
    budget.take();
    return mover
        .ask(new MoverRequest.PolicyMark(path), MoverHandler.Marked.class)
        .map(
            marked ->
                new PolicyMarks.Mark(marked.policy(), Instant.ofEpochMilli(marked.atMillis())));
  }

  @Override
  public void unmark(String path) throws IOException {
    budget.take();
    try {
      mover.ask(new MoverRequest.Unmark(path));
    } catch (UnknownRequestException e) {
      LOG.debug("a mover of this version marks nothing", e);
    }
  }

  @Override
  public void setStoragePolicy(String path, String policy, FileView planned) throws IOException {
    budget.take();
    budget.take();
    // At all its blocks; the mover, which may have been away meanwhile, looks once more.
    MoveCheck.requireUnchanged(planned, atOnce.file(planned.path()));
    mover.ask(new MoverRequest.PlannedPolicy(path, policy, MoverRequest.Seen.of(planned)));
  }

  @Override
  public void setStoragePolicy(String path, String policy, Own own) throws IOException {
    budget.take();
    budget.take();
    budget.take();
    mover.ask(new MoverRequest.RestoredPolicy(path, policy, own));
  }

  @Override
  public Optional<Map<String, List<LayoutEdit>>> layoutEdits(Set<String> paths) throws IOException {
    Map<String, List<LayoutEdit>> all = new HashMap<>();
    try {
      for (Set<String> some : requests(paths)) {
        budget.take();
        Optional<MoverHandler.Edits> edits =
            mover.ask(new MoverRequest.LayoutEdits(some), MoverHandler.Edits.class);
        if (edits.isEmpty()) {
          return Optional.empty();
        }
        all.putAll(edits.get().edits());
      }
    } catch (UnknownRequestException e) {
      LOG.debug("a mover of this version doesn't read the edit log", e);
      return Optional.empty();
    }
    return Optional.of(all);
  }

  /** So many a request as its line holds. */
  private static List<Set<String>> requests(Set<String> paths) throws IOException {
    List<Set<String>> all = new ArrayList<>();
    int left = 0;
    for (String path : paths) {
      int bytes = LineChannel.JSON.writeValueAsBytes(path).length + 1;
      if (bytes > left) {
        all.add(new HashSet<>());
        left = LineChannel.MOST_REQUEST - ENVELOPE;
      }
      all.get(all.size() - 1).add(path);
      left -= bytes;
    }
    return all;
  }

  @Override
  public void copy(Move move) throws IOException {
    copy(move, phase -> {});
  }

  @Override
  public void copy(Move move, Consumer<String> progress) throws IOException {
    // The mover looks at the file.
    budget.take();
    mover.copy(MoverRequest.Copy.of(move), progress);
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    return reader.storagePolicy(path, policyNames);
  }

  @Override
  public String rack(String node) throws IOException {
    String rack = racks.get(node);
    if (rack == null) {
      remember(mover.states(false));
      rack = racks.get(node);
    }
    if (rack == null) {
      throw new IOException("DataNode " + host(node) + " is not live any more");
    }
    return rack;
  }

  @Override
  public String host(String node) {
    return hosts.getOrDefault(node, node);
  }

  /** For whoever watches what else goes on: where the mover would change nothing now, that is why. */
  @Override
  public DataNodeStates read() throws IOException {
    DataNodeStates states = mover.states(true);
    remember(states);
    // It may have been started again, with others.
    limits = mover.limits();
    return states;
  }

  @Override
  public String user() {
    MoverLimits known = limits;
    return known == null ? "" : known.user();
  }

  @Override
  public Optional<String> objection(String path) {
    MoverLimits known = limits;
    return known == null ? Optional.empty() : known.objection(path);
  }

  @Override
  public Optional<String> objection(FileChange change) {
    MoverLimits known = limits;
    return known == null ? Optional.empty() : known.objection(change);
  }

  private void remember(DataNodeStates states) {
    for (DataNodeStates.Node node : states.nodes()) {
      racks.put(node.uuid(), node.rack());
      hosts.put(node.uuid(), node.name());
    }
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return reader.file(path);
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    return reader.files(paths);
  }

  /** The mover sees to that itself, with each look at its DataNodes; here, whether it lives. */
  @Override
  public boolean hasMutex() throws IOException {
    mover.checkBeat();
    return true;
  }

  /** The mover sees with its next look whose it is. */
  @Override
  public void leave() {
    // Asked to release it, it would give up what may be another's.
  }

  /** Nothing follows: another may have it done from now on. */
  @Override
  public void close() throws IOException {
    mover.release();
  }
}
