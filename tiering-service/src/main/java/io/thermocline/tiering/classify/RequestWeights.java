// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.Set;

/**
 * What a request of each kind costs on one storage type, relative to the cheapest read there: measured, then
 * edited by whoever knows better (ChewAnalyzer, section 3.3.2).
 *
 * @param read of a read
 * @param write of a write, before wear
 * @param sequential factor of what follows the request before
 * @param random factor of what doesn't
 * @param overwrite factor of a write to what was written before
 * @param wear w0 of equation 3.2: by how much a write counts more than the time it takes; 1 where
 *     writing wears nothing out
 */
public record RequestWeights(
    double read, double write, double sequential, double random, double overwrite, double wear) {

  public RequestWeights {
    for (double weight : new double[] {read, write, sequential, random, overwrite, wear}) {
      if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("a weight of " + weight + ": must be above 0");
      }
    }
  }

  /**
   * The weight of a chunk a second (equations 3.2 to 3.4): each request by the product of the factors of the dimensions
   * used so far.
   *
   * @param used dimensions of levels 1 to k
   * @param requestBytes requests are split to this size before they are counted (section 3.4); 0 leaves
   *     them as they came
   */
  public double of(ChunkActivity activity, Set<Dimension> used, long requestBytes) {
    double sum = 0;
    for (AccessClass kind : AccessClass.values()) {
      long requests = split(activity.accesses(), kind, requestBytes);
      if (requests > 0) {
        sum += requests * factor(kind, used, activity.source());
      }
    }
    return sum / activity.seconds();
  }

  private static long split(Accesses accesses, AccessClass kind, long requestBytes) {
    long asTheyCame = accesses.requests(kind);
    return requestBytes == 0
        ? asTheyCame
        : Math.max(asTheyCame, accesses.bytes(kind) / requestBytes);
  }

  private double factor(AccessClass kind, Set<Dimension> used, ChunkActivity.Source source) {
    double factor = 1;
    if (used.contains(Dimension.WRITES)) {
      factor *= kind.isWrite() ? write * wear : read;
    }
    if (used.contains(Dimension.RANDOMNESS) && source.sequentialityKnown()) {
      // What is made anew on HDFS is written in sequence.
      boolean inSequence =
          kind.isSequential() || (kind == AccessClass.OVERWRITE && !source.hasRandomWrites());
      factor *= inSequence ? sequential : random;
    }
    if (used.contains(Dimension.REWRITES) && kind == AccessClass.OVERWRITE) {
      factor *= overwrite;
    }
    return factor;
  }
}
