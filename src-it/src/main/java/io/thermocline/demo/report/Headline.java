// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The run in a sentence, with its numbers. */
final class Headline {

  private final RunRecord run;

  Headline(RunRecord run) {
    this.run = run;
  }

  String sentence() {
    OptionalDouble before = fastShare("fast_read_share_before", run.before());
    OptionalDouble after = fastShare("fast_read_share_after", run.after());
    if (after.isPresent() && before.isPresent()) {
      return Format.percent(after.getAsDouble())
          + " of reads now come from "
          + fastTypes()
          + change(before.getAsDouble(), after.getAsDouble())
          + oracle();
    }
    if (before.isPresent()) {
      return "The run ended before tiering was measured. Before it, "
          + Format.percent(before.getAsDouble())
          + " of reads came from "
          + fastTypes()
          + ".";
    }
    return "The run ended before anything was measured.";
  }

  /** Fast share of reads by figure, else from the window that was measured. */
  OptionalDouble fastShare(String figure, List<TierWindow> window) {
    OptionalDouble stated = figure(run.figures(), figure);
    if (stated.isPresent() || window.isEmpty()) {
      return stated;
    }
    return OptionalDouble.of(TierWindow.fastShareOfReads(window));
  }

  static OptionalDouble figure(Map<String, Object> figures, String key) {
    return figures.get(key) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  private static String change(double before, double after) {
    String was = Format.percent(before);
    if (was.equals(Format.percent(after))) {
      return ", as before.";
    }
    return (after > before ? ", up from " : ", down from ") + was + ".";
  }

  private String oracle() {
    OptionalDouble best = figure(run.figures(), "fast_read_share_oracle");
    return best.isEmpty()
        ? ""
        : " The best possible placement would have served "
            + Format.percent(best.getAsDouble())
            + " from there.";
  }

  /** Those that served anything; all fast ones where none did. */
  private String fastTypes() {
    List<TierWindow> fast =
        (run.after().isEmpty() ? run.before() : run.after())
            .stream().filter(tier -> tier.type().isFast()).toList();
    List<TierWindow> serving = fast.stream().filter(tier -> tier.reads() > 0).toList();
    List<String> names =
        (serving.isEmpty() ? fast : serving)
            .stream().map(TierWindow::type).sorted().map(Enum::name).toList();
    return names.isEmpty() ? "fast storage" : String.join(" and ", names);
  }
}
