// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A key figure with its name and what it is to be compared with. */
record Tile(String label, String value, String note) {

  /** Those that the figures of the run allow, the most telling first. */
  static List<Tile> of(RunRecord run) {
    Map<String, Object> figures = run.figures();
    Headline headline = new Headline(run);
    List<Tile> tiles = new ArrayList<>();
    headline
        .fastShare("fast_read_share_after", run.after())
        .ifPresent(
            after ->
                tiles.add(
                    new Tile(
                        "Reads from fast storage",
                        Format.percent(after),
                        fastNote(run, headline))));
    OptionalDouble mbBefore = Headline.figure(figures, "read_mb_per_s_before");
    Headline.figure(figures, "read_mb_per_s_after")
        .ifPresent(after -> tiles.add(throughput(mbBefore, after)));
    long verified = count(figures, "moves_verified");
    if (verified >= 0) {
      tiles.add(
          new Tile(
              "Replicas moved",
              Format.count(verified),
              note("of ", count(figures, "moves_planned"), " planned, ")
                  + note("", count(figures, "moves_failed"), " failed")));
    }
    long bytes = count(figures, "bytes_moved");
    if (bytes >= 0) {
      tiles.add(new Tile("Data moved", Format.bytes(bytes), "between storage types"));
    }
    long replayed = count(figures, "accesses_replayed");
    if (replayed >= 0) {
      tiles.add(
          new Tile(
              "Accesses replayed",
              Format.count(replayed),
              note("on ", count(figures, "files"), " files")));
    }
    return tiles;
  }

  private static String fastNote(RunRecord run, Headline headline) {
    OptionalDouble before = headline.fastShare("fast_read_share_before", run.before());
    OptionalDouble best = Headline.figure(run.figures(), "fast_read_share_oracle");
    return (before.isPresent() ? Format.percent(before.getAsDouble()) + " before" : "")
        + (best.isPresent() ? ", " + Format.percent(best.getAsDouble()) + " at best" : "");
  }

  private static Tile throughput(OptionalDouble before, double after) {
    String note = "";
    if (before.isPresent() && before.getAsDouble() > 0) {
      note =
          Format.number(before.getAsDouble(), 1)
              + "\u00a0MB/s before, "
              + Format.number(after / before.getAsDouble(), 2)
              + " times";
    }
    return new Tile("Read throughput", Format.number(after, 1) + "\u00a0MB/s", note);
  }

  private static String note(String lead, long count, String end) {
    return count < 0 ? "" : lead + Format.count(count) + end;
  }

  private static long count(Map<String, Object> figures, String key) {
    return figures.get(key) instanceof Number number ? number.longValue() : -1;
  }
}
