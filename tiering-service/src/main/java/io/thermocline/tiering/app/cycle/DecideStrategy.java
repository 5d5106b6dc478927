// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** How targets are found: what decide.strategy chooses. One thread decides. */
public interface DecideStrategy {

  /** The limits that decisions keep to. */
  Map<StorageType, TierLimits> limits();

  /** What becomes of the files, at the end of the time since the last time. */
  Ruling decide(List<HotFile> files, Situation situation);

  /**
   * What was decided. Immutable.
   *
   * @param explanation of a path; where it is none of the files that were decided upon, with that file
   * @param notes what was left out, and why
   * @param patterns of a file's chunks, by name; none where decisions don't go by patterns
   */
  record Ruling(
      List<Decision> decisions,
      BiFunction<String, Optional<HotFile>, Explanation> explanation,
      List<String> notes,
      Function<FileView, List<String>> patterns) {
    public Ruling {
      decisions = List.copyOf(decisions);
      notes = List.copyOf(notes);
    }
  }

  /** By heat, thresholds and watermarks. */
  static DecideStrategy byThresholds(TierDecider decider) {
    return new DecideStrategy() {
      @Override
      public Map<StorageType, TierLimits> limits() {
        return decider.limits();
      }

      @Override
      public Ruling decide(List<HotFile> files, Situation situation) {
        Function<String, Explanation> explanations = decider.explanations(files, situation);
        return new Ruling(
            decider.decide(files, situation),
            (path, other) ->
                other.isEmpty()
                    ? explanations.apply(path)
                    : decider.explain(path, with(files, other), situation),
            List.of(),
            file -> List.of());
      }
    };
  }

  /** The files, and one that may be none of them. */
  static List<HotFile> with(List<HotFile> files, Optional<HotFile> other) {
    List<HotFile> all = new ArrayList<>(files);
    other.ifPresent(all::add);
    return all;
  }
}
