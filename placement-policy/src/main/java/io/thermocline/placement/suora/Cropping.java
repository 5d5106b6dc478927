// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Iterator;
import java.util.TreeSet;

/**
 * How large a part of the keys each device of a set can hold a replica of: r * w / W, and all of them
 * where that is more than all. Immutable.
 *
 * <p>Replicas are distinct, so no device can hold more than one of each key. What a device too heavy
 * for that leaves over is shared by the others in proportion, which may make the next one too heavy.
 */
final class Cropping {
  /** A device that is this near to holding a replica of every key does hold one. */
  private static final double ROUNDING = 1e-12;

  private final int replicas;
  private final int cropped;
  private final double lightestCropped;
  private final double rest;

  private Cropping(int replicas, int cropped, double lightestCropped, double rest) {
    this.replicas = replicas;
    this.cropped = cropped;
    this.lightestCropped = lightestCropped;
    this.rest = rest;
  }

  static Cropping of(Weights weights, int replicas) {
    TreeSet<Weights.Entry> heaviest = weights.heaviestFirst;
    double rest = weights.sum;
    double lightest = Double.POSITIVE_INFINITY;
    int cropped = 0;
    // At most replicas + 1 are looked at: what is left of fewer devices than that is feasible.
    for (Iterator<Weights.Entry> i = heaviest.iterator(); i.hasNext() && cropped < replicas; ) {
      double weight = i.next().weight;
      if (!isCropped(weight, heaviest.size(), cropped, replicas, rest)) {
        break;
      }
      rest -= weight;
      lightest = weight;
      cropped++;
    }
    return new Cropping(replicas, cropped, lightest, rest);
  }

  /**
   * Whether a device holds a replica of every key.
   *
   * @param devices in all
   * @param heavier devices that do
   * @param rest weight of all but those
   */
  static boolean isCropped(double weight, int devices, int heavier, int replicas, double rest) {
    return devices <= replicas || weight * (replicas - heavier) >= rest * (1 - ROUNDING);
  }

  /** The part of all keys that a device of that weight, one of the set, holds a replica of. */
  double inclusion(double weight) {
    return weight >= lightestCropped ? 1 : (replicas - cropped) * weight / rest;
  }

  /** Number of devices that hold a replica of every key: the heaviest ones. */
  int cropped() {
    return cropped;
  }
}
