// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import java.time.Instant;
import java.util.Locale;

/**
 * What a hint makes us expect of one file. Immutable.
 *
 * @param id of the hint
 * @param temperature hot, warm or cold
 * @param readsPerDay of the whole file, as hinted, before reliability; 0 where cold
 * @param reliability in the owner, 0 to 1
 * @param untilMillis end of the lease, milliseconds since 1970; {@link Long#MAX_VALUE} where it has none
 * @param millisLeft of the lease
 */
public record Expectation(
    String id,
    String owner,
    Operation operation,
    Temperature temperature,
    double readsPerDay,
    double reliability,
    long untilMillis,
    long millisLeft) {

  private static final double DAY_MILLIS = 86_400_000;

  /** Whether it makes a file hotter than it was. */
  public boolean isUp() {
    return temperature != Temperature.COLD;
  }

  /** Reads a day that are counted with: a hint of somebody half believed counts half. */
  public double believedReadsPerDay() {
    return readsPerDay * reliability;
  }

  /**
   * Cooled reads to decide by. A file read r times a day has r times half-life / ln 2 of them (half-life in days); that
   * is what an expected temperature becomes, and with it the bucket. What is hotter already stays so; of what is
   * said to be cold, the heat counts as far as its owner is not believed.
   *
   * @param observed cooled reads that were seen
   * @param halfLifeMillis of the heat
   */
  public double heat(double observed, long halfLifeMillis) {
    return isUp()
        ? Math.max(observed, believedReadsPerDay() * halfLifeMillis / DAY_MILLIS / Math.log(2))
        : observed * (1 - reliability);
  }

  /** Expected reads from now until the horizon or the end of the lease, whichever comes first. */
  public double reads(long horizonMillis) {
    return believedReadsPerDay() * Math.min(horizonMillis, millisLeft) / DAY_MILLIS;
  }

  /** "hinted hot by etl until 2026-11-23T00:00:00Z, believed 0.80: as 12.0 reads a day". */
  public String words() {
    String until =
        untilMillis == Long.MAX_VALUE ? "" : " until " + Instant.ofEpochMilli(untilMillis);
    String effect =
        isUp()
            ? String.format(Locale.ROOT, "as %.1f reads a day", believedReadsPerDay())
            : String.format(Locale.ROOT, "its reads count %.0f %%", (1 - reliability) * 100);
    return String.format(
        Locale.ROOT,
        "hinted %s by %s%s, believed %.2f: %s",
        temperature.name().toLowerCase(Locale.ROOT),
        owner,
        until,
        reliability,
        effect);
  }
}
