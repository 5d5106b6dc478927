// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings files to the type that somebody asks for, once, whatever their heat. Rules, caps and room count as for a rule
 * that says the same; no other file has to leave for it. Pure.
 */
public final class MoveOrder {

  private final Tiering tiering;

  public MoveOrder(Tiering tiering) {
    this.tiering = tiering;
  }

  /**
   * What is to be done.
   *
   * @param left files that stay where they are, with the reason, by path
   */
  public record Result(List<Decision> decisions, Map<String, String> left) {
    public Result {
      decisions = List.copyOf(decisions);
      left = Map.copyOf(left);
    }
  }

  /**
   * @param files all that there is to know of, those that somebody asks for among them
   * @param asked what else bounds them, by path
   * @param by who asks, and why, in words
   */
  public Result decide(
      List<HotFile> files,
      Situation situation,
      Map<String, Hold> asked,
      StorageType type,
      String by) {
    Map<String, String> left = new HashMap<>();
    Map<String, Hold> bounds = new HashMap<>();
    Hold.Bound wanted = new Hold.Bound(type, by);
    for (HotFile hot : files) {
      Hold hold = asked.get(hot.file().path());
      if (hold != null) {
        StorageType lead = lead(hot);
        if (lead == type) {
          left.put(hot.file().path(), "its fastest copy is on " + type + " already");
        } else if (lead == null || hot.file().length() == 0) {
          left.put(hot.file().path(), "it has no copy that can be moved");
        } else if (!hold.allows(lead, type)) {
          left.put(hot.file().path(), hold.reason());
        } else {
          bounds.put(hot.file().path(), new Hold(true, true, wanted, wanted, hold.reason()));
        }
      }
    }
    Ladder ladder = new Ladder(tiering.promotion(), tiering.written(), situation.cluster());
    Draft draft =
        new Draft(
            files,
            new Situation(
                situation.cluster(),
                situation.thresholds(),
                situation.caps(),
                path -> bounds.getOrDefault(path, Hold.still("nobody asks for it")),
                situation.current(),
                situation.reads()),
            ladder);
    draft.tell(left::put);
    new BoundRule(tiering).apply(draft);
    List<Decision> decisions = new ArrayList<>();
    for (Decision decision : draft.decisions()) {
      bounds.remove(decision.hot().file().path());
      decisions.add(
          new Decision(
              decision.hot(),
              decision.from(),
              decision.target(),
              decision.target().lead().compareTo(decision.from()) > 0
                  ? Decision.Cause.ORDERED_UP
                  : Decision.Cause.ORDERED_DOWN,
              decision.reason(),
              decision.benefit()));
    }
    bounds.keySet().forEach(path -> left.putIfAbsent(path, "its copies can't be moved now"));
    return new Result(decisions, left);
  }

  private static StorageType lead(HotFile hot) {
    Layout layout = Layout.of(hot.file());
    return layout.bytes().isEmpty() || layout.touches(StorageType.RAM_DISK) ? null : layout.lead();
  }
}
