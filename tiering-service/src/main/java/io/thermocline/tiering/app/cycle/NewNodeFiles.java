// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.NewNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The files of which blocks belong on emptier storages, found as all files pass. Of more than a plan may move, the
 * first ones: the others are found when these have moved. One thread.
 */
final class NewNodeFiles {

  private final List<FileView> found = new ArrayList<>();
  private NewNodes nodes = NewNodes.NONE;
  private int most;

  /**
   * Begins a pass.
   *
   * @param files that are found at most
   */
  void begin(NewNodes emptier, int files) {
    nodes = emptier;
    most = files;
    found.clear();
  }

  void passed(FileView file) {
    if (found.size() < most && nodes.concerns(file)) {
      found.add(file);
    }
  }

  /**
   * The decisions, with those for files of which nothing else was decided and that nothing holds.
   *
   * @param hot evaluates the rules for a file
   */
  List<Decision> added(
      List<Decision> decisions, Situation situation, Function<FileView, HotFile> hot) {
    if (found.isEmpty()) {
      return decisions;
    }
    Set<String> decided =
        decisions.stream().map(each -> each.hot().file().path()).collect(Collectors.toSet());
    List<Decision> all = new ArrayList<>(decisions);
    for (FileView file : found) {
      if (!decided.contains(file.path())) {
        HotFile each = hot.apply(file);
        if (!situation.holds().apply(file.path()).isStill()) {
          nodes.decision(each).ifPresent(all::add);
        }
      }
    }
    return all;
  }
}
