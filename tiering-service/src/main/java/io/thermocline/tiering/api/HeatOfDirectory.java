// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A directory with all files below it that decisions are made of. */
public record HeatOfDirectory(
    String path,
    @JsonPropertyDescription("cooled block reads of all files below") double heat,
    int files,
    @JsonPropertyDescription("of one replica of each") long sizeBytes,
    @JsonPropertyDescription("of files whose fastest copy is on SSD or faster") long fastBytes,
    AccessMix access,
    @JsonPropertyDescription("in force on it and on what is below") int hints) {}
