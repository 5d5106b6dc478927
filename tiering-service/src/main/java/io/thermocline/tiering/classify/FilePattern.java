// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import io.thermocline.tiering.classify.Taxonomy.Pattern;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a file of HDFS is accessed, by the rules of table 3.2 and all that its profile has: what can be said of a file
 * by itself, whatever decides where it belongs. Pure.
 *
 * @param names of the patterns, in the order of the rules, each once; none of an empty file
 * @param isOrderKnown whether some source told if reads were in sequence
 */
public record FilePattern(List<String> names, boolean isOrderKnown) {

  private static final HdfsChunks EACH_BY_ITSELF = new HdfsChunks(0);

  public FilePattern {
    names = List.copyOf(names);
  }

  /**
   * @param endMillis up to when the profile counts, milliseconds since 1970
   */
  public static FilePattern of(FileView file, Profile profile, long endMillis) {
    HdfsChunks.Window since =
        new HdfsChunks.Window(
            Map.of(),
            Map.of(file.path(), profile),
            Optional.empty(),
            endMillis,
            Duration.ofMillis(Math.max(1, endMillis - profile.since())));
    return EACH_BY_ITSELF.of(List.of(file), since).stream()
        .findFirst()
        .map(FilePattern::of)
        .orElse(new FilePattern(List.of(), true));
  }

  private static FilePattern of(ChunkActivity all) {
    // What is written to HDFS is written in sequence, also what is made anew: order is a matter of
    // reads.
    ChunkActivity reads =
        new ChunkActivity(all.chunk(), all.accesses().reads(), all.source(), all.window());
    Taxonomy rules = Taxonomy.STANDARD;
    Pattern order = rules.sequentiality(reads);
    return new FilePattern(
        Stream.of(rules.intensity(all), order, rules.randomAccess(reads), rules.writes(all))
            .filter(pattern -> pattern != Pattern.NONE && pattern != Pattern.SKIPPED)
            .distinct()
            .map(pattern -> pattern.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList(),
        order != Pattern.SKIPPED);
  }

  /** In words, for people. */
  public String words(Profile profile) {
    return "accessed as "
        + String.join(", ", names)
        + ": "
        + profile.reads()
        + " reads and "
        + profile.writes()
        + " writes since "
        + Instant.ofEpochMilli(profile.since())
        + (isOrderKnown ? "" : "; no source tells whether reads are in sequence");
  }
}
