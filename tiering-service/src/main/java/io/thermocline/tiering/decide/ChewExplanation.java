// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.classify.AccessClass;
import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.Classified;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.classify.HierarchicalClassifier;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.decide.pools.Placement;
import io.thermocline.tiering.decide.pools.PoolAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Says how a file's pattern was found, level by level, and what its pools had left. Pure. */
final class ChewExplanation {

  private final PatternLibrary library;
  private final HierarchicalClassifier classifier;
  private final HdfsChunks chunks;
  private final ChewDecider.Chewed chewed;

  ChewExplanation(PatternLibrary library, HdfsChunks chunks, ChewDecider.Chewed chewed) {
    this.library = library;
    this.classifier = new HierarchicalClassifier(library);
    this.chunks = chunks;
    this.chewed = chewed;
  }

  Explanation of(String path, List<HotFile> files, Situation situation) {
    Optional<HotFile> found =
        files.stream().filter(hot -> hot.file().path().equals(path)).findFirst();
    if (found.isEmpty()) {
      return new Explanation(path, null, Optional.empty(), Map.of());
    }
    List<Decision> decisions =
        chewed.decisions().stream().filter(one -> one.hot().file().path().equals(path)).toList();
    return new Explanation(
        path,
        new Explanation.Standing(found.get(), files, 0, 0, situation.holds().apply(path)),
        decisions.stream().findFirst(),
        Map.of(),
        details(found.get(), decisions));
  }

  private List<String> details(HotFile hot, List<Decision> decisions) {
    List<String> lines = new ArrayList<>();
    String path = hot.file().path();
    decisions.stream()
        .skip(1)
        .forEach(more -> lines.add("next: " + more.target() + ": " + more.reason()));
    if (chewed.refused().containsKey(path)) {
      lines.add("stays, whatever its pattern: " + chewed.refused().get(path));
    }
    String chunk = chunks.idOf(hot.file());
    List<Placement> placements =
        chewed.assignment().placements().stream()
            .filter(one -> isOf(one.classified().activity(), chunk))
            .toList();
    if (placements.isEmpty() && !chewed.refused().containsKey(path)) {
      lines.add("not placed: it is held, or its fastest copy lies where no chunks are");
    }
    for (Placement one : placements) {
      explain(one, lines);
    }
    library.weights().forEach((pool, weights) -> lines.add("weights on " + pool + ": " + weights));
    for (PoolAssignment.PoolUse use : chewed.assignment().pools()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "pool %s: %d of %d bytes, %.0f %% of its performance asked for%s",
              use.pool().name(),
              use.bytes(),
              use.pool().bytes(),
              use.load() * 100,
              chewed.assignment().tooSmall().contains(use.pool().name())
                  ? "; too small for all that it suits best"
                  : ""));
    }
    lines.addAll(chewed.assignment().notes());
    return lines;
  }

  private static boolean isOf(ChunkActivity activity, String chunk) {
    return activity.chunk().id().equals(chunk) || activity.chunk().whole().equals(chunk);
  }

  private void explain(Placement one, List<String> lines) {
    Classified classified = one.classified();
    ChunkActivity activity = classified.activity();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s %s, %d bytes, in %.0f s: %s",
            activity.chunk().kind().name().toLowerCase(Locale.ROOT),
            activity.chunk().id(),
            activity.chunk().bytes(),
            activity.seconds(),
            accesses(activity)));
    int level = 0;
    for (HierarchicalClassifier.Step step :
        classifier.path(
            activity,
            chewed.assignment().levels(),
            chewed.assignment().scale(),
            one.from().isEmpty() ? Optional.empty() : Optional.of(one.from()))) {
      lines.add(step(++level, step));
    }
    lines.add("so " + one.reason());
  }

  private static String accesses(ChunkActivity activity) {
    Accesses accesses = activity.accesses();
    if (accesses.requests() == 0) {
      return "no access known";
    }
    List<String> parts = new ArrayList<>();
    for (AccessClass kind : AccessClass.values()) {
      if (accesses.requests(kind) > 0) {
        boolean isUnknown =
            kind == AccessClass.RANDOM_READ && !activity.source().sequentialityKnown();
        parts.add(
            accesses.requests(kind)
                + " "
                + (isUnknown
                    ? "reads, in sequence or not"
                    : kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                + ", "
                + accesses.bytes(kind)
                + " bytes");
      }
    }
    return String.join("; ", parts);
  }

  private static String step(int number, HierarchicalClassifier.Step step) {
    Classified after = step.after();
    String measure =
        Double.isNaN(step.measure())
            ? "not known"
            : String.format(Locale.ROOT, "%.3g", step.measure());
    String skipped =
        after.skipped().contains(step.dimension()) && after.level() < number
            ? " (the rule was left out: nothing tells it)"
            : "";
    return String.format(
        Locale.ROOT,
        "level %d, %s %s: weight %.4g a second, compared as %.4g: pattern %s of weight %s, share %s, for %s%s",
        number,
        step.dimension().name().toLowerCase(Locale.ROOT),
        measure,
        step.weight(),
        step.compared(),
        after.group().name(),
        after.group().weight(),
        after.group().share(),
        after.group().pools(),
        skipped);
  }
}
