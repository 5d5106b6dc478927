// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.List;
import java.util.Locale;

/** How much of a file's reads its fast copies serve, in words. Stateless. */
final class ServedWords {

  private ServedWords() {}

  /** As it lies, and what one fast copy and fast copies alone would serve; none of an empty file. */
  static List<String> of(FileView file, ReadShares reads) {
    if (file.blocks().isEmpty() || file.isErasureCoded()) {
      return List.of();
    }
    long replicas = file.blocks().stream().mapToLong(block -> block.replicas().size()).sum();
    long fast =
        file.blocks().stream()
            .flatMap(block -> block.types().stream())
            .filter(StorageType::isFast)
            .count();
    int blocks = file.blocks().size();
    double share = fast == 0 ? reads.fastWithOneCopy(file) : reads.fast(file);
    String all = count((double) replicas / blocks);
    String copies =
        String.format(
            Locale.ROOT,
            "%s of %s copies on SSD or faster %s %.0f %% of the reads (estimated: %s)",
            count(fast == 0 ? 1 : (double) fast / blocks),
            all,
            fast == 0 ? "would serve" : fast > blocks ? "serve" : "serves",
            100 * share,
            reads.order().words());
    long more =
        file.length() * Math.max(1, replicas / blocks)
            - Math.max(file.length(), fast * file.length() / blocks);
    return List.of(
        share > 0.995 || more <= 0
            ? copies
            : copies + "; all " + all + ": 100 %, " + Quantities.bytes(more) + " more");
  }

  /** Of a file whose blocks differ it is an average. */
  private static String count(double copies) {
    return String.format(Locale.ROOT, copies == Math.rint(copies) ? "%.0f" : "%.1f", copies);
  }
}
