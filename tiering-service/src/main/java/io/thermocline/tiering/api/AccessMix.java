// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Optional;

/** How a file, or the files of a directory, are accessed, of those that are known exactly: the hottest. */
public record AccessMix(
    @JsonPropertyDescription(
            "by the rules of intensity, order and writes, since recording began; none where none is known")
        List<String> patterns,
    @JsonPropertyDescription(
            "of the library of decide.strategy chew, those of its chunks; none with thresholds")
        List<String> libraryPatterns,
    @JsonPropertyDescription(
            "reads of all accesses, since recording began; absent where none is known")
        Optional<Double> readShare,
    @JsonPropertyDescription("of the bytes read, in sequence; absent where no source tells it")
        Optional<Double> sequentialShare) {}
