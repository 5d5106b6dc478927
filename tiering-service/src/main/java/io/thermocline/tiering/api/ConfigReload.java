// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads thermocline.yaml again while the service runs. */
public interface ConfigReload {

  /** When a change holds. */
  enum From {
    NOW,
    /** Between two plans, when the plan that is being carried out has ended. */
    NEXT_PLAN,
    /** The service must be started again. */
    RESTART
  }

  /** A key that the file has another value for than the service. */
  record Changed(
      String key,
      @JsonPropertyDescription("in force; absent where the key is new") Optional<String> before,
      @JsonPropertyDescription("in the file; absent where the key is gone") Optional<String> after,
      @JsonPropertyDescription(
              "NEXT_PLAN: when the plan that is being carried out has ended; RESTART: only when the service is started"
                  + " again")
          From from) {}

  /** What a reload changed, or would change. */
  record Reloaded(
      @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
      @JsonPropertyDescription("in words") String what,
      List<Changed> changes,
      @JsonPropertyDescription("id of the task that records it; absent where nothing was changed")
          Optional<Long> task) {}

  /** Keys that are in force, with their values. */
  List<ConfigResource.Setting> settings();

  /**
   * Checks the file, and takes up what may change while the service runs.
   *
   * @throws ApiException BAD_CONFIGURATION where the file has mistakes, or the service can't run by it; nothing is changed
   *     then
   * @throws IOException where it can't be recorded; nothing is changed then
   */
  Reloaded reload(boolean isMeant, String who, String why)
      throws ApiException, IOException, InterruptedException;
}
