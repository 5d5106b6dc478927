// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import java.util.Optional;

/** A file that decisions are made of. */
public record HeatOfFile(
    String path,
    @JsonPropertyDescription("cooled block reads") double heat,
    @JsonPropertyDescription("cooled seconds of disk time per MB, by which files are ranked")
        double heatPerMb,
    @JsonPropertyDescription("of one replica") long sizeBytes,
    @JsonPropertyDescription("type of its fastest copy") StorageType fastest,
    @JsonPropertyDescription(
            "in shadow mode: the same, had all been done that was said; absent where that is no other")
        Optional<StorageType> wouldBeFastest,
    String owner) {}
