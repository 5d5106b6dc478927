// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A file: where it is, how hot, why, and what comes next. */
public record FileState(
    HeatOfFile file,
    int replication,
    @JsonPropertyDescription("bytes of its copies, by type") Map<StorageType, Long> copies,
    @JsonPropertyDescription("of the disk time of the reads of all files") double readsShare,
    @JsonPropertyDescription("from 1, the hottest byte; 0 where it may not be moved") int rank,
    @JsonPropertyDescription("files that are ranked") int ranked,
    @JsonPropertyDescription("what keeps it from being moved; empty: nothing") String held,
    @JsonPropertyDescription("what the next plan does with it, where it does")
        Optional<String> next,
    Optional<Profile> profile,
    AccessMix access,
    @JsonPropertyDescription(
            "in force on it: of each operation the closest, its own or a directory's")
        List<HintResource.HintView> hints,
    @JsonPropertyDescription("why it is where it is, and what keeps it from elsewhere, in words")
        List<String> explanation) {

  /** What is known exactly, since recording began. */
  public record Profile(
      Instant since,
      long reads,
      long writes,
      long rewrites,
      long readBytes,
      long writtenBytes,
      @JsonPropertyDescription("of the bytes read; absent where no source tells it")
          Optional<Double> sequentialShare,
      @JsonPropertyDescription("the last accesses, latest first") List<Instant> recent) {}
}
