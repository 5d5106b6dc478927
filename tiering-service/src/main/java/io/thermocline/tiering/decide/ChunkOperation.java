// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * HintStor's atomic operation, the tuple (op, chunk, source, destination) (thesis, chapter 2.3.2).
 *
 * @param chunk path of a file, or with the indexes of some of its blocks: {@code path#first} or {@code path#first-last}
 * @param bytes of one copy of it
 * @param source type of its fastest copy before
 * @param destination type of the copy that is wanted; empty as long as no plan has one
 */
public record ChunkOperation(
    Operation op,
    @JsonPropertyDescription(
            "path of a file, or with some of its blocks: path#first or path#first-last")
        String chunk,
    @JsonPropertyDescription("of one copy") long bytes,
    @JsonPropertyDescription("storage type of its fastest copy before") StorageType source,
    @JsonPropertyDescription("storage type wanted; absent as long as no plan has one")
        Optional<StorageType> destination) {

  /**
   * What an operation on a file comes to: one tuple for all consecutive blocks that lie alike. Blocks without a live copy
   * are left out.
   */
  public static List<ChunkOperation> of(
      Operation op, FileView file, Optional<StorageType> destination) {
    List<ChunkOperation> operations = new ArrayList<>();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < file.blocks().size(); i++) {
      Optional<StorageType> lead = lead(file.blocks().get(i));
      bytes += file.blocks().get(i).length();
      boolean isLast = i + 1 == file.blocks().size();
      if (isLast || !lead.equals(lead(file.blocks().get(i + 1)))) {
        if (lead.isPresent()) {
          operations.add(
              new ChunkOperation(op, chunk(file, first, i), bytes, lead.get(), destination));
        }
        first = i + 1;
        bytes = 0;
      }
    }
    return operations;
  }

  /** The same, once it is known where it goes. */
  public ChunkOperation to(StorageType type) {
    return new ChunkOperation(op, chunk, bytes, source, Optional.of(type));
  }

  private static String chunk(FileView file, int first, int last) {
    if (first == 0 && last + 1 == file.blocks().size()) {
      return file.path();
    }
    return HdfsChunks.blockId(file, first) + (first == last ? "" : "-" + last);
  }

  private static Optional<StorageType> lead(FileView.Block block) {
    return block.types().isEmpty() ? Optional.empty() : Optional.of(Collections.max(block.types()));
  }
}
