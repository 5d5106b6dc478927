// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.decide.ChunkOperation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something that takes its time, as it is at one moment. */
public record Task(
    @JsonPropertyDescription("counts tasks, over restarts too") long id,
    Tasks.State state,
    String what,
    @JsonPropertyDescription("who asked for it; the service itself where nobody did") String who,
    String why,
    @JsonPropertyDescription("id of the hint that it carries out") Optional<String> hint,
    Instant began,
    Optional<Instant> ended,
    @JsonPropertyDescription("steps that are done, of all") long done,
    long total,
    @JsonPropertyDescription(
            "that are copied, of all; absent where it copies nothing, or after a restart")
        Optional<Long> doneBytes,
    Optional<Long> totalBytes,
    @JsonPropertyDescription("until its end, if it goes on as so far") Optional<Double> leftSeconds,
    @JsonPropertyDescription("what a hint's operation comes to, the first 100")
        List<ChunkOperation> operations,
    Optional<String> result) {

  public Task {
    operations = List.copyOf(operations);
  }
}
