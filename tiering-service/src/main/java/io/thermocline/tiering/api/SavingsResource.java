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

/**
 * What fast types served and moves cost where plans are carried out, day by day, and which moves
 * are regretted.
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
          long regrets) {}

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
  public record RegrettedMove(
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
            "a service that carries plans out (act.mode) counts with each plan");
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
                "/savings/{day}/regrets",
                "Moves that were not worth it, as a day showed, the most reads first.")
            .takes(ShownDays.DAY)
            .fails(ErrorCode.NO_SUCH_REPORT)
            .answersPage(
                RegrettedMove.class,
                request ->
                    Page.of(request, days.asked(request).regrets(), SavingsResource::regret)));
  }

  private SavingsOfDay shown(SavingsDay day) {
    double reads = day.served().values().stream().mapToDouble(SavingsDay.Reads::reads).sum();
    double fast =
        day.served().entrySet().stream()
            .filter(each -> StorageType.valueOf(each.getKey()).isFast())
            .mapToDouble(each -> each.getValue().reads())
            .sum();
    return new SavingsOfDay(
        day.day(),
        day.updated(),
        day.plans(),
        Math.round(reads),
        reads == 0 ? 0 : fast / reads,
        day.otherReads(),
        day.seconds().read(),
        day.seconds().readOfDisk(),
        day.seconds().copied(),
        day.moves().values().stream().mapToLong(SavingsDay.Flow::moves).sum(),
        day.moves().values().stream().mapToLong(SavingsDay.Flow::bytes).sum(),
        day.failedMoves(),
        list(
            day.served(),
            each ->
                new ReadsFrom(
                    each.getKey(),
                    Math.round(each.getValue().reads()),
                    Math.round(each.getValue().bytes()))),
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
        day.regrets().size());
  }

  private static <V, T> List<T> list(Map<String, V> by, Function<Map.Entry<String, V>, T> shown) {
    return new TreeMap<>(by).entrySet().stream().map(shown).toList();
  }

  private static RegrettedMove regret(SavingsDay.Regret regret) {
    return new RegrettedMove(
        regret.kind(),
        regret.path(),
        regret.at(),
        regret.from(),
        regret.to(),
        regret.bytes(),
        regret.reads(),
        regret.why());
  }
}
