// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Optional;

/** Something that takes its time, as it is at one moment. */
public record Task(
    @JsonPropertyDescription("counts the tasks since the service was started") long id,
    Tasks.State state,
    String what,
    @JsonPropertyDescription("who asked for it; the service itself where nobody did") String who,
    String why,
    Instant began,
    Optional<Instant> ended,
    @JsonPropertyDescription("steps that are done, of all") long done,
    long total,
    @JsonPropertyDescription("until its end, if it goes on as so far") Optional<Double> leftSeconds,
    Optional<String> result) {}
