// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.shadow.ReportFiles;
import io.thermocline.tiering.shadow.ShadowReport;
import io.thermocline.tiering.shadow.ShadowTotals;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What shadow mode would have done, day by day. Names that end in If are of what would have been;
 * the others of what was.
 */
public final class ShadowResource implements Resource {

  private final ShownDays<ShadowReport, ShadowDay> days;

  /** A day in a few numbers. */
  public record ShadowDay(
      String day,
      @JsonPropertyDescription("when it was written last") String updated,
      @JsonPropertyDescription("that were made on that day") long plans,
      @JsonPropertyDescription("of files that plans were made of") long reads,
      @JsonPropertyDescription("of the reads, from SSD or faster") double fastShare,
      @JsonPropertyDescription("of the reads, that would have been from there") double fastIfShare,
      @JsonPropertyDescription("of replicas, that would have been made") long moves,
      @JsonPropertyDescription("of all these moves") long copiedBytes,
      @JsonPropertyDescription("that readers waited, by decide.benefit's speeds")
          double readSeconds,
      @JsonPropertyDescription("that they would have waited") double readIfSeconds,
      @JsonPropertyDescription("that devices would have spent on moves") double copySeconds) {}

  /** A day. */
  public record ShadowReportOfDay(
      String day,
      String updated,
      long plans,
      @JsonPropertyDescription("what it would have brought, in words") String headline,
      @JsonPropertyDescription("what it would have cost, in words") String cost,
      long reads,
      double fastShare,
      double fastIfShare,
      @JsonPropertyDescription("of files that no plan was made of yet, or that aren't managed")
          long otherReads,
      double readSeconds,
      double readIfSeconds,
      double copySeconds,
      @JsonPropertyDescription(
              "which types served the reads; estimated from the NameNodes' read order and where readers are")
          List<ServedFrom> served,
      List<MovesOneWay> moves,
      @JsonPropertyDescription("how often files would have been cached or given replicas, by cause")
          Map<String, Integer> actions,
      @JsonPropertyDescription("at the last plan of the day") List<RoomOf> storage) {}

  /** Reads of one type. */
  public record ServedFrom(
      String type, long reads, long readsIf, long servedBytes, long servedIfBytes) {}

  /** Moves from one type to another. */
  public record MovesOneWay(
      @JsonPropertyDescription("DISK to SSD") String way, long moves, long copiedBytes) {}

  /** How full a type is, and would be. */
  public record RoomOf(String type, long usedBytes, long usedIfBytes, long capacityBytes) {}

  /** A file that was read from a slow type. */
  public record ReadFromSlow(
      String path,
      @JsonPropertyDescription("of one replica") long sizeBytes,
      @JsonPropertyDescription("from the slow type") long reads,
      @JsonPropertyDescription("how many of them would have been from a fast one") long readsIf,
      String from,
      @JsonPropertyDescription("what kept it from a fast type at the last plan") String why) {}

  public ShadowResource(ReportFiles files) {
    this.days =
        new ShownDays<>(
            files.json(),
            ShadowResource::day,
            "a service in shadow mode (act.mode) writes one with each plan");
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/shadow", "Days that shadow mode reports of, newest first.")
            .answersPage(
                ShadowDay.class, request -> Page.of(request, days.all(), Function.identity())),
        Route.get(
                "/shadow/{day}",
                "What would have been done on a day, and what it would have brought.")
            .takes(ShownDays.DAY)
            .fails(ErrorCode.NO_SUCH_REPORT)
            .answers(ShadowReportOfDay.class, request -> shown(days.asked(request))),
        Route.get(
                "/shadow/{day}/slow-reads", "Files read most from slow storage on a day, and why.")
            .takes(ShownDays.DAY)
            .fails(ErrorCode.NO_SUCH_REPORT)
            .answersPage(
                ReadFromSlow.class,
                request ->
                    Page.of(request, days.asked(request).slowReads(), ShadowResource::slowRead)));
  }

  private static ShadowDay day(ShadowReport report) {
    ShadowTotals totals = ShadowTotals.of(report);
    return new ShadowDay(
        report.day(),
        report.updated(),
        report.plans(),
        totals.reads(),
        share(totals.fast(), totals.reads()),
        share(totals.fastIf(), totals.reads()),
        totals.moves(),
        totals.movedBytes(),
        report.seconds().read(),
        report.seconds().readIf(),
        report.seconds().copied());
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }

  private static ShadowReportOfDay shown(ShadowReport report) {
    ShadowTotals totals = ShadowTotals.of(report);
    return new ShadowReportOfDay(
        report.day(),
        report.updated(),
        report.plans(),
        report.headline(),
        report.cost(),
        totals.reads(),
        share(totals.fast(), totals.reads()),
        share(totals.fastIf(), totals.reads()),
        report.otherReads(),
        report.seconds().read(),
        report.seconds().readIf(),
        report.seconds().copied(),
        list(
            report.served(),
            each ->
                new ServedFrom(
                    each.getKey(),
                    Math.round(each.getValue().reads()),
                    Math.round(each.getValue().readsIf()),
                    Math.round(each.getValue().bytes()),
                    Math.round(each.getValue().bytesIf()))),
        list(
            report.moves(),
            each ->
                new MovesOneWay(each.getKey(), each.getValue().moves(), each.getValue().bytes())),
        new TreeMap<>(report.actions()),
        list(
            report.storage(),
            each ->
                new RoomOf(
                    each.getKey(),
                    each.getValue().used(),
                    each.getValue().usedIf(),
                    each.getValue().capacity())));
  }

  private static <V, T> List<T> list(Map<String, V> by, Function<Map.Entry<String, V>, T> shown) {
    return new TreeMap<>(by).entrySet().stream().map(shown).toList();
  }

  private static ReadFromSlow slowRead(ShadowReport.SlowRead slowRead) {
    return new ReadFromSlow(
        slowRead.path(),
        slowRead.length(),
        slowRead.reads(),
        slowRead.readsIf(),
        slowRead.from(),
        slowRead.why());
  }
}
