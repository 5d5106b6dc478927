// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What somebody probably meant. */
public final class Nearest {

  private Nearest() {}

  /**
   * The closest of the known words, where one is close: at most a third of its letters differ, or two of
   * them in a short word, since two letters that changed places are that already.
   */
  public static Optional<String> of(String word, Collection<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    String lower = word.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(
            candidate ->
                distance.apply(lower, candidate.toLowerCase(Locale.ROOT))
                    <= Math.max(candidate.length() < 4 ? 1 : 2, candidate.length() / 3))
        .min(
            Comparator.comparing(
                candidate -> distance.apply(lower, candidate.toLowerCase(Locale.ROOT))));
  }
}
