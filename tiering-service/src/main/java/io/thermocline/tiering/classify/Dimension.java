// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

/**
 * The dimensions by which a chunk's accesses are characterised (ChewAnalyzer, table 3.1). Each but {@link #INTENSITY}
 * and {@link #IO_SIZE} brings a factor of its own into the weight from the level on where it is used (equation
 * 3.4).
 */
public enum Dimension {
  /** Requests a second, split to one size. */
  INTENSITY,
  /** Mean bytes of a request as it came. */
  IO_SIZE,
  /** The share of writes in all requests. */
  WRITES,
  /** The share of requests that don't follow the one before. */
  RANDOMNESS,
  /** The share of writes that go where was written before: local access, of writes. */
  REWRITES;

  /**
   * The measure of this dimension: a share from 0 to 1; bytes for {@link #IO_SIZE}; requests a second, as they came, for {@link
   * #INTENSITY}.
   *
   * @return NaN where the source doesn't tell or where there is nothing to measure
   */
  public double of(ChunkActivity activity) {
    Accesses accesses = activity.accesses();
    return switch (this) {
      case INTENSITY -> accesses.requests() / activity.seconds();
      case IO_SIZE -> share(accesses.bytes(), accesses.requests());
      case WRITES -> share(accesses.writes(), accesses.requests());
      case RANDOMNESS ->
          activity.source().sequentialityKnown()
              ? 1
                  - share(
                      accesses.requests(AccessClass.SEQUENTIAL_READ)
                          + accesses.requests(AccessClass.SEQUENTIAL_WRITE),
                      accesses.requests())
              : Double.NaN;
      case REWRITES -> share(accesses.requests(AccessClass.OVERWRITE), accesses.writes());
    };
  }

  private static double share(long part, long of) {
    return of == 0 ? Double.NaN : (double) part / of;
  }
}
