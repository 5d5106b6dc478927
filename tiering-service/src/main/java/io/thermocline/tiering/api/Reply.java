// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.Optional;

/**
 * An answer on its way out.
 *
 * @param value as JSON is made of it
 * @param location of the task, or of the active instance
 */
record Reply(int status, Object value, Optional<String> location) {

  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  static Reply of(Object value) {
    if (value instanceof Accepted accepted && accepted.task().isPresent()) {
      return new Reply(
          ACCEPTED, value, accepted.task().map(task -> ApiServer.ROOT + "/tasks/" + task));
    }
    return new Reply(OK, value, Optional.empty());
  }

  static Reply of(KeptReplies.Kept before) {
    return new Reply(
        before.status(),
        before.value(),
        Optional.of(before.location()).filter(place -> !place.isEmpty()));
  }

  KeptReplies.Kept kept(String asked) {
    return new KeptReplies.Kept(asked, status, Json.MAPPER.valueToTree(value), location.orElse(""));
  }

  static Reply of(ApiException problem) {
    return new Reply(problem.code().status(), problem.error(), Optional.empty());
  }
}
