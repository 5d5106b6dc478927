// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.savings.SavingsDay;
import io.thermocline.tiering.shadow.DayFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What fast types served and moves cost where plans are carried out, day by day, and which moves
 * were mispredictions.
 */
public final class SavingsResource implements Resource {

  private final ShownDays<SavingsDay, SavingsOfDay> days;
  private final Map<StorageType, Long> flashWritesPerDay;

  /** A day. */
  public record SavingsOfDay(
      String day,
      @JsonPropertyDescription("when it was written last") String updated,
      @JsonPropertyDescription("that were made on that day") long plans,
      @JsonPropertyDescription("of files that plans were made of") long reads,
      @JsonPropertyDescription(
              "of the reads, from SSD or faster; estimated from the NameNodes' read order and where readers are")
          double fastShare,
      @JsonPropertyDescription(
              "of what fastShare, served and the seconds are: estimated, from opens in the audit log, the NameNodes'"
                  + " read order and where readers are")
          String basis,
      @JsonPropertyDescription("of files that no plan was made of yet, or that aren't managed")
          long otherReads,
      @JsonPropertyDescription("that readers waited, by decide.benefit's speeds")
          double readSeconds,
      @JsonPropertyDescription(
              "that they would have, had all that was read from faster types lain on DISK")
          double readOfDiskSeconds,
      @JsonPropertyDescription("that devices spent on moves") double copySeconds,
      @JsonPropertyDescription("of replicas, that are done") long moves,
      @JsonPropertyDescription("of all these moves") long copiedBytes,
      @JsonPropertyDescription("of replicas, that HDFS didn't make") long failedMoves,
      @JsonPropertyDescription(
              "which types served the reads; estimated from the NameNodes' read order and where readers are")
          List<ReadsFrom> served,
      List<MovedOneWay> ways,
      @JsonPropertyDescription("what moves wrote to each type") List<WrittenTo> written,
      @JsonPropertyDescription("moves that should not have been, as is known by now")
          long mispredictions,
      @JsonPropertyDescription(
              "what DataNodes' clienttrace logs (observe.clientTraceLogs) tell; absent where they tell nothing")
          Optional<MeasuredServed> measured) {}

  /** What storage types served, as DataNodes logged it. */
  public record MeasuredServed(
      @JsonPropertyDescription("when the first of these reads ended") String since,
      @JsonPropertyDescription("when the last did") String until,
      @JsonPropertyDescription("that logged reads") int dataNodes,
      @JsonPropertyDescription("there are") int allDataNodes,
      @JsonPropertyDescription("of the bytes of the attributed reads, from SSD or faster")
          double fastShare,
      @JsonPropertyDescription("of the bytes, the same by the estimate, for the whole day")
          double estimatedFastShare,
      @JsonPropertyDescription(
              "of the logged reads, those of a replica whose type is known: of the hottest files, and not moved just then")
          double attributedShare,
      @JsonPropertyDescription("reads that short-circuit readers made themselves: without bytes")
          long withoutBytes,
      @JsonPropertyDescription("requests and their bytes, by the type of the replica")
          List<ReadsFrom> served) {}

  /** Reads of one type. */
  public record ReadsFrom(String type, long reads, long servedBytes) {}

  /** Moves from one type to another. */
  public record MovedOneWay(
      @JsonPropertyDescription("DISK to SSD") String way, long moves, long copiedBytes) {}

  /** What moves wrote. */
  public record WrittenTo(
      String type,
      long writtenBytes,
      @JsonPropertyDescription("what moves may write in a day, decide.flashWritesPerDay")
          Optional<Long> budgetBytes) {}

  /** A move that should not have been. */
  public record MispredictedMove(
      @JsonPropertyDescription(
              "UP_AND_NOT_READ: to a faster type, and not read for as long as it has to stay there;"
                  + " DOWN_AND_READ: to a slower one, and read again")
          SavingsDay.Kind kind,
      String path,
      @JsonPropertyDescription("when its first copy was there") String at,
      String from,
      String to,
      @JsonPropertyDescription("of its copies") long copiedBytes,
      @JsonPropertyDescription("since then") long reads,
      @JsonPropertyDescription("why it was made") String why) {}

  /**
   * @param flashWritesPerDay bytes, of types that have such a budget
   */
  public SavingsResource(DayFiles<SavingsDay> files, Map<StorageType, Long> flashWritesPerDay) {
    this.days =
        new ShownDays<>(
            files,
            this::shown,
            "savings are counted where plans are executed (act.mode, act.apply). Shadow mode moves nothing: its estimate"
                + " is in `thermocline report`");
    this.flashWritesPerDay = Map.copyOf(flashWritesPerDay);
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/savings", "What fast types served and moves cost, by day, newest first.")
            .answersPage(
                SavingsOfDay.class, request -> Page.of(request, days.all(), Function.identity())),
        Route.get("/savings/{day}", "What fast types served and moves cost on a day.")
            .takes(ShownDays.DAY)
            .fails(ErrorCode.NO_SUCH_REPORT)
            .answers(SavingsOfDay.class, request -> shown(days.asked(request))),
        Route.get(
                "/savings/{day}/mispredictions",
                "Moves that were not worth it, as a day showed, the most reads first.")
            .takes(ShownDays.DAY)
            .fails(ErrorCode.NO_SUCH_REPORT)
            .answersPage(
                MispredictedMove.class,
                request ->
                    Page.of(
                        request,
                        days.asked(request).mispredictions(),
                        SavingsResource::misprediction)));
  }

  private SavingsOfDay shown(SavingsDay day) {
    double reads = day.served().values().stream().mapToDouble(SavingsDay.Reads::reads).sum();
    return new SavingsOfDay(
        day.day(),
        day.updated(),
        day.plans(),
        Math.round(reads),
        fast(day.served(), SavingsDay.Reads::reads),
        "estimated",
        day.otherReads(),
        day.seconds().read(),
        day.seconds().readOfDisk(),
        day.seconds().copied(),
        day.moves().values().stream().mapToLong(SavingsDay.Flow::moves).sum(),
        day.moves().values().stream().mapToLong(SavingsDay.Flow::bytes).sum(),
        day.failedMoves(),
        served(day.served()),
        list(
            day.moves(),
            each ->
                new MovedOneWay(each.getKey(), each.getValue().moves(), each.getValue().bytes())),
        list(
            day.writtenBytes(),
            each ->
                new WrittenTo(
                    each.getKey(),
                    each.getValue(),
                    Optional.ofNullable(
                        flashWritesPerDay.get(StorageType.valueOf(each.getKey()))))),
        day.mispredictions().size(),
        Optional.ofNullable(day.measured()).map(measured -> measured(measured, day)));
  }

  private static MeasuredServed measured(SavingsDay.Measured measured, SavingsDay day) {
    double attributed =
        measured.served().values().stream().mapToDouble(SavingsDay.Reads::reads).sum();
    double reads = attributed + measured.others().reads();
    return new MeasuredServed(
        measured.since(),
        measured.until(),
        measured.dataNodes(),
        measured.allDataNodes(),
        fast(measured.served(), SavingsDay.Reads::bytes),
        fast(day.served(), SavingsDay.Reads::bytes),
        reads == 0 ? 0 : attributed / reads,
        measured.withoutBytes(),
        served(measured.served()));
  }

  /** Of all, the share of the fast types. */
  private static double fast(
      Map<String, SavingsDay.Reads> served, ToDoubleFunction<SavingsDay.Reads> of) {
    double all = served.values().stream().mapToDouble(of).sum();
    double fast =
        served.entrySet().stream()
            .filter(each -> StorageType.valueOf(each.getKey()).isFast())
            .mapToDouble(each -> of.applyAsDouble(each.getValue()))
            .sum();
    return all == 0 ? 0 : fast / all;
  }

  private static List<ReadsFrom> served(Map<String, SavingsDay.Reads> served) {
    return list(
        served,
        each ->
            new ReadsFrom(
                each.getKey(),
                Math.round(each.getValue().reads()),
                Math.round(each.getValue().bytes())));
  }

  private static <V, T> List<T> list(Map<String, V> by, Function<Map.Entry<String, V>, T> shown) {
    return new TreeMap<>(by).entrySet().stream().map(shown).toList();
  }

  private static MispredictedMove misprediction(SavingsDay.Misprediction misprediction) {
    return new MispredictedMove(
        misprediction.kind(),
        misprediction.path(),
        misprediction.at(),
        misprediction.from(),
        misprediction.to(),
        misprediction.bytes(),
        misprediction.reads(),
        misprediction.why());
  }
}
