// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * What a mover says, one line of JSON.
 *
 * @param message why not; empty where it was done
 * @param value what was asked for; null where nothing was; of what failed, {@link #SLOW} or null
 */
record MoverAnswer(Outcome outcome, String message, JsonNode value) {

  /** Of a copy that took all its time: services of earlier versions take that for any failure. */
  static final JsonNode SLOW = TextNode.valueOf("slow");

  enum Outcome {
    DONE,
    /** Not at its end: the message says what is waited for, and another line follows. */
    WAITING,
    /** Whatever was asked, nothing of the kind may be done now: another holds the mutex, a cap is used up. */
    LATER,
    /** The mover's own rules forbid it, or it is no request. */
    REFUSED,
    /** Somebody changed the file since it was planned for. */
    CHANGED,
    /** The DataNode has no place for it now. */
    BUSY,
    /** HDFS wouldn't. */
    FAILED
  }

  static MoverAnswer done(JsonNode value) {
    return new MoverAnswer(Outcome.DONE, "", value);
  }

  static MoverAnswer not(Outcome outcome, String message) {
    return new MoverAnswer(outcome, message, null);
  }

  static MoverAnswer slow(String message) {
    return new MoverAnswer(Outcome.FAILED, message, SLOW);
  }
}
