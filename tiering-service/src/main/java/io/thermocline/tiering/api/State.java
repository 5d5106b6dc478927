// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the service sees, knows and does, at one moment. */
public record State(
    @JsonPropertyDescription("SHADOW: it only says what it would do; APPLY: it moves data")
        String mode,
    @JsonPropertyDescription("in SHADOW mode: below which paths it moves data all the same")
        List<String> applied,
    @JsonPropertyDescription("what the last plan came to, or what keeps it from planning")
        String message,
    @JsonPropertyDescription("whether this instance acts, and not another one") boolean active,
    @JsonPropertyDescription("the one that acts, where it is another one")
        Optional<URI> activeInstance,
    Steered steering,
    @JsonPropertyDescription(
            "why fewer copies are made at once than could be, for the sake of readers")
        Optional<String> slowed,
    @JsonPropertyDescription("how many people must approve a plan") int approvers,
    Observed observed,
    Managed managed,
    Moves moves,
    List<Tier> tiers,
    @JsonPropertyDescription("what can't be known with the sources that are configured")
        List<String> unknown,
    @JsonPropertyDescription(
            "what is wrong with the rules file, so that an earlier one is in force")
        Optional<String> rulesProblem) {

  /** What was read of what happened. */
  public record Observed(
      long auditLines,
      long malformedLines,
      @JsonPropertyDescription("of files, as counted into the heat") long reads,
      @JsonPropertyDescription(
              "opens that count as part of a read before them: the same client and path within observe.openWindow")
          long repeatedOpens,
      @JsonPropertyDescription(
              "opens that don't count: one client read a directory's many files once")
          long scanOpens,
      @JsonPropertyDescription(
              "opens that don't count: by the service's own user, where the logs have no caller contexts")
          long ownUserOpens,
      @JsonPropertyDescription(
              "of what the managed nameservice's NameNodes counted, that stands in the logs; absent where"
                  + " unknown")
          Optional<Double> completeShare,
      @JsonPropertyDescription(
              "the same by nameservice, of all whose lines are read and where it is known; only the managed one's keeps"
                  + " plans from being made")
          Map<String, Double> completeShares,
      @JsonPropertyDescription("since the last access that was read; absent before the first")
          Optional<Double> lastAccessSeconds) {}

  /** Files, as of the last plan. */
  public record Managed(
      long plans,
      int files,
      @JsonPropertyDescription("files whose storage policy somebody else set") int leftAlone) {}

  /** Since the start. */
  public record Moves(
      long planned, long running, long verified, long failed, long dropped, long movedBytes) {}

  /** A storage type, as of the last plan. */
  public record Tier(
      StorageType type,
      long usedBytes,
      long capacityBytes,
      double usedShare,
      @JsonPropertyDescription("promotion fills up to it; absent where the type takes no part")
          Optional<Double> lowerWatermarkShare,
      Optional<Double> upperWatermarkShare) {}
}
