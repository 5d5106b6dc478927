// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.review.PlannedFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Makes plans that somebody asks for, by the limits of any other plan. */
public interface PlanOrders {

  /** What became of it. */
  record Ordered(
      @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
      @JsonPropertyDescription("the plan, or why there is none, in words") String what,
      @JsonPropertyDescription("its number; absent where there is none") Optional<Long> plan) {}

  /** A file that a move leaves where it is. */
  record Left(String path, String reason) {}

  /** A plan that brings files to a type. */
  record Move(
      @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
      @JsonPropertyDescription("the plan, or why there is none, in words") String what,
      @JsonPropertyDescription("its number; absent where there is none") Optional<Long> plan,
      @JsonPropertyDescription("that are managed there") int files,
      int moves,
      @JsonPropertyDescription("of all copies that it makes") long plannedBytes,
      @JsonPropertyDescription("what it does with each file, the first 100")
          List<PlannedFile> planned,
      @JsonPropertyDescription("that stay where they are, with the reason, the first 100")
          List<Left> left) {}

  /** What becomes of a plan that is made now, in words; or why none can be made. Changes nothing. */
  String prospect();

  /**
   * Makes a plan between two others, and returns when it is made, not carried out.
   *
   * @throws IllegalStateException where none can be made now
   * @throws IOException where HDFS can't be asked, or the journal can't be written
   */
  Ordered planNow(String who, String why) throws IOException, InterruptedException;

  /**
   * Plans to bring a file, or the files below a directory, to a type once.
   *
   * @param isMeant whether the plan is to be made; else it is only shown
   * @throws ApiException SHADOW_MODE where nothing is changed there
   * @throws IllegalStateException where none can be made now
   * @throws IOException where HDFS can't be asked, or the journal can't be written
   */
  Move move(String path, StorageType type, boolean isMeant, String who, String why)
      throws ApiException, IOException, InterruptedException;
}
