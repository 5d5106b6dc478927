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
    Control control,
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
        Optional<String> rulesProblem,
    @JsonPropertyDescription(
            "which replica readers take, and what share of its file's reads a fast copy serves; absent"
                + " before the first plan")
        Optional<String> readOrder,
    @JsonPropertyDescription(
            "what DataNodes' own counters say of the estimate of which replicas readers take; absent before there were"
                + " reads enough to tell")
        Optional<Served> served) {

  /** Bytes that DataNodes served, by DataNode, beside the estimate. */
  public record Served(
      @JsonPropertyDescription("of the bytes, from other DataNodes than estimated")
          double differenceShare,
      @JsonPropertyDescription(
              "of the bytes, from other storage types than estimated; absent where no DataNode counts by volume"
                  + " (dfs.datanode.fileio.profiling.sampling.percentage)")
          Optional<Double> typeDifferenceShare,
      @JsonPropertyDescription("a larger difference is a finding") double boundShare,
      @JsonPropertyDescription("that were compared") int dataNodes,
      String since,
      String until,
      @JsonPropertyDescription(
              "what is likely to be the matter; absent where the difference is small")
          Optional<String> finding) {}

  /** What was read of what happened. */
  public record Observed(
      long auditLines,
      long malformedLines,
      @JsonPropertyDescription("opens of files that heat") long reads,
      @JsonPropertyDescription(
              "all lines of opens: those that heat, and those that don't, by the reasons below")
          long openLines,
      @JsonPropertyDescription(
              "of those that heat, opens that share a file with others of the same application, and count as a block read each")
          long sharedOpens,
      @JsonPropertyDescription(
              "opens that don't count: one application read many files once, and nobody scanned them again")
          long scanOpens,
      @JsonPropertyDescription(
              "opens that don't count: by observe.ignoreUsers, ignoreCallerContexts or ignorePaths, or the service's own")
          long maintenanceOpens,
      @JsonPropertyDescription(
              "opens that don't count: by the service's own user, where the logs have no caller contexts")
          long ownUserOpens,
      @JsonPropertyDescription(
              "opens that don't count: a Spark task opens a columnar file twice, for the footer and for the columns; the first"
                  + " open counts for both")
          long secondOpens,
      @JsonPropertyDescription(
              "opens that don't count: the NameNode refused them, or the line has no path")
          long refusedOpens,
      @JsonPropertyDescription(
              "opens that don't count: over WebHDFS, where the DataNode that reads for the client opens the file itself")
          long redirectedOpens,
      @JsonPropertyDescription(
              "opens that don't count: of another nameservice than the managed one")
          long otherNameserviceOpens,
      @JsonPropertyDescription(
              "of what the managed nameservice's NameNodes counted, that stands in the logs; absent where"
                  + " unknown")
          Optional<Double> completeShare,
      @JsonPropertyDescription(
              "the same by nameservice, of all whose lines are read and where it is known; only the managed one's keeps"
                  + " plans from being made")
          Map<String, Double> completeShares,
      @JsonPropertyDescription("since the last access that was read; absent before the first")
          Optional<Double> lastAccessSeconds,
      @JsonPropertyDescription(
              "how far estimates of reads are off, by kind of reader, where DataNodes log reads")
          List<Measured> measured) {}

  /** Reads that DataNodes log, beside what was estimated of them. */
  public record Measured(
      @JsonPropertyDescription("WHOLE, SHARED, COLUMNS, TAIL or HBASE: docs/concepts/heat.md")
          String readers,
      @JsonPropertyDescription("cooled disk time on DataNodes that log") double seconds,
      @JsonPropertyDescription(
              "that, divided by its estimate; absent where it isn't estimated, as of HBASE")
          Optional<Double> ratio) {}

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
