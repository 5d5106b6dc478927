// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.plan.GroupChange;

/**
 * What a plan does with one file.
 *
 * @param path of the file; of a group, its name
 * @param cause which rule decided
 * @param from type of the fastest copy then; empty where it isn't known any more
 * @param target in words
 * @param moves or copies, of an action
 * @param bytes of them; 0 where it isn't known any more
 */
public record PlannedFile(
    String path, String cause, String from, String target, int moves, long bytes, String reason) {

  static PlannedFile of(GroupChange group) {
    return new PlannedFile(
        group.name(),
        "GROUP_" + group.kind().name(),
        "",
        group.words(),
        group.copies(),
        group.bytes(),
        group.reason());
  }

  static PlannedFile of(Decision decision, int moves, long bytes) {
    return new PlannedFile(
        decision.hot().file().path(),
        decision.cause().name(),
        decision.from().name(),
        decision.target().toString(),
        moves,
        bytes,
        decision.reason());
  }
}
