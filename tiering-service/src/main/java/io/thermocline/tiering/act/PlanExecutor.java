// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;

/**
 * Carries out plans: sets the policy of each file, has its replicas copied within the limits,
 * and looks at HDFS until it shows each of them where it should be. One plan at a time.
 *
 * <p>Copying threads copy; the calling thread says what is next and looks. A plan is done when
 * clients are shown all its copies; that their sources go is confirmed while the next one may
 * run already. A move that isn't shown before its deadline has failed and is left as it is: the
 * next plan is made from what HDFS then shows.
 */
public final class PlanExecutor implements BackEnd {

  private final HdfsCalls hdfs;
  private volatile ActLimits limits;
  private volatile Pacing pacing;
  private final Machinery machinery;
  private final PolicyListener policies;
  private final NodeLimits nodes;
  private final Verifier verifier;
  private final Settling settling;

  /** Hears of every storage policy before it is set. */
  @FunctionalInterface
  public interface PolicyListener {
    /**
     * @throws UnrecordedException where the journal doesn't take it
     * @throws IOException where HDFS doesn't show what is there now, with its words
     */
    void willSet(String path, String policy) throws IOException;

    /** What comes to the same as setting a policy there: empty where it would be inherited. */
    default String inherited(String path, String policy) throws IOException {
      return policy;
    }

    /** It wasn't set after all: somebody changed the path meanwhile, and it is theirs. */
    default void notSet(String path) {}

    /** What somebody did to the path since the plan, so that it is left alone; empty where nobody did. */
    default Optional<String> objection(String path) {
      return Optional.empty();
    }

    /** A policy that was set for copies of which none is made is in nobody's interest any more. */
    default void giveBack(String path, HdfsCalls.Own own) throws IOException {}
  }

  /**
   * What binds the executor to time, threads and people: a monotonic clock, waiting, who copies,
   * who steers.
   */
  public record Machinery(
      ExecutorService copiers, LongSupplier nanos, Pause pause, ExecutionControl control) {

    /** That nobody steers. */
    public Machinery(ExecutorService copiers, LongSupplier nanos, Pause pause) {
      this(
          copiers,
          nanos,
          pause,
          ExecutionControl.running(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)));
    }
  }

  public PlanExecutor(
      HdfsCalls hdfs,
      ActLimits limits,
      Pacing pacing,
      Machinery machinery,
      PolicyListener policies) {
    this.hdfs = hdfs;
    this.limits = limits;
    this.pacing = pacing;
    this.machinery = machinery;
    this.policies = policies;
    this.nodes = new NodeLimits(limits, pacing);
    this.verifier = new Verifier(hdfs, limits.verifyWithin(), machinery.nanos());
    this.settling = new Settling(verifier, limits, machinery);
  }

  /** As fast as the limits let it go. */
  public PlanExecutor(
      HdfsCalls hdfs, ActLimits limits, Machinery machinery, PolicyListener policies) {
    this(hdfs, limits, Pacing.unlimited(), machinery, policies);
  }

  @Override
  public void giveWay(Set<String> busy, boolean isCongested) {
    nodes.spare(busy);
    nodes.nameNode(isCongested);
  }

  @Override
  public void without(Map<String, String> silent) {
    nodes.without(silent);
  }

  @Override
  public void atMost(int copies, String why) {
    nodes.atMost(copies, why);
  }

  @Override
  public void limit(ActLimits next, Pacing pace, Map<String, String> excluded) {
    limits = next;
    pacing = pace;
    nodes.limit(next, pace, excluded, machinery.nanos().getAsLong());
  }

  @Override
  public Throttle throttle() {
    return nodes.throttle();
  }

  @Override
  public void execute(Plan plan, MoveListener listener) throws InterruptedException {
    PolicySetter setter = new PolicySetter(hdfs, hdfs::setStoragePolicy, policies);
    PlanRun run =
        new PlanRun(
            plan,
            listener,
            new PlanRun.Parts(
                hdfs,
                verifier,
                nodes,
                setter,
                new CopyAttempt(hdfs, setter, nodes, limits.attempts(), machinery),
                machinery),
            limits,
            pacing);
    settling.add(run.run());
  }
}
