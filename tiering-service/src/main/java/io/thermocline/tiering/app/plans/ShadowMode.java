// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what would be moved, and why, once: a decision that stands is not said with every plan. The ledger takes it for done.
 */
public final class ShadowMode implements PlanHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ShadowMode.class);

  /** Nothing to steer; it is asked all the same. */
  private final ExecutionControl control;

  /** Of the last plan, by path; the planning thread's. */
  private Map<String, Target> said = Map.of();

  private Set<GroupChange> saidGroups = Set.of();

  private final Ledger ledger;
  private final Consumer<Decision> audit;

  /** Who takes plans for done. */
  @FunctionalInterface
  public interface Ledger {
    void planned(Plan plan) throws IOException;
  }

  /**
   * @param audit is told what would be changed, when that is said
   */
  public ShadowMode(ExecutionControl control, Ledger ledger, Consumer<Decision> audit) {
    this.control = control;
    this.ledger = ledger;
    this.audit = audit;
  }

  @Override
  public void handle(Plan plan) throws IOException {
    Map<String, Target> now = new HashMap<>();
    List<Decision> decisions = new ArrayList<>();
    plan.files().forEach(file -> decisions.add(file.decision()));
    plan.actions().forEach(action -> decisions.add(action.decision()));
    for (Decision decision : decisions) {
      String path = decision.hot().file().path();
      now.put(path, decision.target());
      if (!decision.target().equals(said.get(path))) {
        LOG.info("shadow: {}: {}: {}", path, decision.target(), decision.reason());
        audit.accept(decision);
      }
    }
    plan.groups().stream()
        .filter(group -> !saidGroups.contains(group))
        .forEach(
            group -> LOG.info("shadow: {}: {}: {}", group.name(), group.words(), group.reason()));
    saidGroups = Set.copyOf(plan.groups());
    said = now;
    ledger.planned(plan);
  }

  @Override
  public void stop() {
    // Nothing is under way.
  }

  @Override
  public ServiceStatus.Moves moves() {
    return ServiceStatus.Moves.NONE;
  }

  @Override
  public void tick() {
    // Nothing is recorded.
  }

  @Override
  public boolean isFenced() {
    return false;
  }

  @Override
  public Recovery recovery() {
    return null;
  }

  @Override
  public UndoResult undo(long plan, String who, String why) {
    throw new IllegalStateException("can't undo in shadow mode: it changes nothing in HDFS");
  }

  @Override
  public UndoResult previewUndo(long plan, int most) {
    return undo(plan, "", "");
  }

  @Override
  public ExecutionControl control() {
    return control;
  }
}
