// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

/**
 * How fast copies may go at this moment.
 *
 * @param allowed copies at once
 * @param most copies at once that may ever be allowed, for those DataNodes that have had some
 * @param cuts how often there were made fewer for congestion, since the start
 * @param spared DataNodes that take one copy at a time, since they have enough to do
 * @param running copies
 * @param peak of the running ones since the last look at the cluster
 * @param begun copies, since the start
 * @param why fewer are allowed for the sake of others, or none with some DataNodes, in words; empty where they aren't
 */
public record Throttle(
    int allowed, int most, long cuts, int spared, int running, int peak, long begun, String why) {

  /** Where another decides that, or nothing is copied. */
  public static final Throttle NONE = new Throttle(0, 0, 0, 0, 0, 0, 0, "");
}
