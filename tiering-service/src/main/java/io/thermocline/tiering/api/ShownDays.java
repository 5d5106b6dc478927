// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.shadow.DayFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.FileTime;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The days of a directory of reports, newest first. A page asks for all of them again and again: a
 * day is read anew where it was written anew. Thread-safe.
 *
 * @param <T> what was written of a day
 * @param <S> what a page shows of it
 */
final class ShownDays<T, S> {

  private static final String LATEST = "latest";

  static final Param DAY =
      Param.name("day", "like 2026-11-20, in the zone of the logs, or " + LATEST);

  private static final Logger LOG = LoggerFactory.getLogger(ShownDays.class);

  private final DayFiles<T> files;
  private final Function<T, S> shown;
  private final String whereNoneIs;
  private final Map<String, Shown<S>> known = new ConcurrentHashMap<>();

  /**
   * @param modified of the day's file
   * @param day empty where that is damaged
   */
  private record Shown<S>(FileTime modified, Optional<S> day) {}

  /**
   * @param whereNoneIs what to do, where there is no day at all
   */
  ShownDays(DayFiles<T> files, Function<T, S> shown, String whereNoneIs) {
    this.files = files;
    this.shown = shown;
    this.whereNoneIs = whereNoneIs;
  }

  /** As pages show them; without those that are damaged. */
  List<S> all() throws IOException {
    List<String> days = days();
    known.keySet().retainAll(days);
    List<S> all = new ArrayList<>();
    for (String day : days) {
      day(day).ifPresent(all::add);
    }
    return all;
  }

  /**
   * The one that a request names by {@link #DAY}.
   *
   * @throws ApiException NO_SUCH_REPORT where there is none, or it is damaged
   */
  T asked(Request request) throws ApiException, IOException {
    List<String> days = days();
    String wanted = request.text(DAY);
    String day = wanted.equals(LATEST) && !days.isEmpty() ? days.get(0) : wanted;
    Optional<T> found =
        days.contains(day) && day(day).isPresent()
            ? files.read(LocalDate.parse(day))
            : Optional.empty();
    return found.orElseThrow(
        () ->
            new ApiException(
                ErrorCode.NO_SUCH_REPORT,
                "there is no report of " + wanted + ", or it can't be read",
                "day",
                days.isEmpty()
                    ? whereNoneIs
                    : "there are " + days.get(days.size() - 1) + " to " + days.get(0)));
  }

  private List<String> days() throws IOException {
    List<String> days = new ArrayList<>(files.days());
    Collections.reverse(days);
    return days;
  }

  /** Empty where it is damaged, which is said once, or deleted meanwhile. */
  private Optional<S> day(String day) throws IOException {
    FileTime modified;
    try {
      modified = files.modified(day);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Shown<S> before = known.get(day);
    if (before != null && before.modified().equals(modified)) {
      return before.day();
    }
    Optional<S> read = Optional.empty();
    try {
      read = files.read(LocalDate.parse(day)).map(shown);
    } catch (DayFiles.DamagedDayException e) {
      LOG.warn("the report of {} is not shown: {}", day, e.getMessage());
    } catch (IOException e) {
      LOG.warn("the report of {} can't be read now", day, e);
      return read;
    }
    // Of this time at least: what was written meanwhile is read with the next request.
    known.put(day, new Shown<>(modified, read));
    return read;
  }
}
