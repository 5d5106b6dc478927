// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.wire.HintError;
import java.util.Map;

/**
 * What became of a hint that was given: taken, with an id, or refused, with an error. Immutable.
 */
public final class HintAnswer {
  private final String id;
  private final Long task;
  private final HintError error;
  private final String message;

  private HintAnswer(String id, Long task, HintError error, String message) {
    this.id = id;
    this.task = task;
    this.error = error;
    this.message = message;
  }

  static HintAnswer of(Object json) {
    if (!(json instanceof Map)) {
      return new HintAnswer(null, null, HintError.NOT_UNDERSTOOD, "no answer for a hint: " + json);
    }
    Object error = ((Map<?, ?>) json).get("error");
    if (error instanceof Map) {
      Object code = ((Map<?, ?>) error).get("code");
      return new HintAnswer(
          null,
          null,
          HintError.of(code == null ? null : code.toString(), 0),
          Answers.said((Map<?, ?>) error));
    }
    Object id = ((Map<?, ?>) json).get("id");
    Object task = ((Map<?, ?>) json).get("task");
    return new HintAnswer(
        id == null ? null : id.toString(),
        task instanceof Number ? ((Number) task).longValue() : null,
        null,
        null);
  }

  public boolean isTaken() {
    return error == null;
  }

  /** Of the hint; null where it was refused, and it may be null where that was only tried. */
  public String id() {
    return id;
  }

  /**
   * Of the task that does what the hint asks for, below {@code /tasks}; null where there is none,
   * and from services that are older.
   */
  public Long task() {
    return task;
  }

  /** Null where the hint was taken. */
  public HintError error() {
    return error;
  }

  /** What was wrong; null where the hint was taken. */
  public String message() {
    return message;
  }

  @Override
  public String toString() {
    return isTaken() ? "taken as " + id : message;
  }
}
