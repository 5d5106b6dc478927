// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sets each storage policy of a plan once, on a file or a directory, before the first copy below
 * it. Thread-safe.
 */
final class PolicySetter {

  private final HdfsLook look;
  private final Policies hdfs;
  private final PlanExecutor.PolicyListener listener;
  private final Set<String> set = ConcurrentHashMap.newKeySet();
  private final Map<String, Exception> refused = new ConcurrentHashMap<>();
  private final Set<String> busy = new HashSet<>();

  /** HDFS was asked to set these, and nobody knows whether it did: the mover died. */
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

  /** Those of HDFS. */
  @FunctionalInterface
  interface Policies {
    void setStoragePolicy(String path, String policy, FileView planned) throws IOException;
  }

  PolicySetter(HdfsLook look, Policies hdfs, PlanExecutor.PolicyListener listener) {
    this.look = look;
    this.hdfs = hdfs;
    this.listener = listener;
  }

  /**
   * Returns when the file's policy is in force. HDFS is asked once, also where it refuses.
   *
   * @throws UnrecordedException where the journal takes nothing; asked for again, it is tried again
   * @throws IOException where it refuses
   */
  void ensure(Plan.FileMoves file) throws IOException, InterruptedException {
    String path = file.policyPath();
    if (file.storagePolicy() == null || set.contains(path)) {
      return;
    }
    begin(path);
    try {
      if (refused.containsKey(path)) {
        throw new IOException("storage policy: " + refused.get(path), refused.get(path));
      }
      if (!set.contains(path)) {
        // Recorded first: a policy that is set and not recorded would pass for somebody else's.
        String policy = listener.inherited(path, file.storagePolicy());
        if (!unanswered.contains(path)) {
          listener.willSet(path, policy);
        }
        try {
          set(path, policy, file.decision().hot().file());
        } catch (ChangedSinceException e) {
          listener.notSet(path);
          throw e;
        }
      }
    } catch (HeldBackException | UnrecordedException e) {
      // Nothing of this path: asked again when it may be.
      throw e;
    } catch (IOException | RuntimeException e) {
      refused.putIfAbsent(path, e);
      throw e;
    } finally {
      end(path);
    }
  }

  private void set(String path, String policy, FileView planned) throws IOException {
    FileView expected = planned;
    if (unanswered.contains(path) && look.storagePolicy(path).equals(policy)) {
      // The call before was made. Where a user set the same meanwhile, the audit log says so.
      expected =
          look.file(planned.path())
              .map(now -> planned.withStoragePolicy(now.storagePolicy()))
              .orElse(planned);
    }
    unanswered.add(path);
    try {
      hdfs.setStoragePolicy(path, policy, expected);
    } catch (ChangedSinceException e) {
      unanswered.remove(path);
      throw e;
    }
    set.add(path);
    unanswered.remove(path);
  }

  /** Whether its policy was set, or may have been: HDFS shows a policy before it answers the call. */
  boolean maySet(Plan.FileMoves file) {
    return unanswered.contains(file.policyPath()) || set.contains(file.policyPath());
  }

  /** What somebody did since the plan to the file, or to what it inherits its policy from. */
  Optional<String> objection(Plan.FileMoves file) {
    return listener
        .objection(file.path())
        .or(
            () ->
                file.storagePolicy() == null
                    ? Optional.empty()
                    : listener.objection(file.policyPath()));
  }

  /** No copy of the file is made: its own policy goes back to what it was. */
  void giveBack(Plan.FileMoves file) throws IOException {
    if (file.policyPath().equals(file.path()) && set.remove(file.path())) {
      listener.giveBack(
          file.path(), new HdfsCalls.Own(file.storagePolicy(), file.moves().get(0).block().id()));
    }
  }

  private synchronized void begin(String path) throws InterruptedException {
    while (!busy.add(path)) {
      wait();
    }
  }

  private synchronized void end(String path) {
    busy.remove(path);
    notifyAll();
  }
}
