// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The state of a run at one moment. Counters are cumulative since its start: what happened between
 * two samples is their difference.
 *
 * @param seconds since the start of the run
 * @param tiers by storage type, only those that the cluster has
 * @param movesRunning replicas in flight now, the one number here that is not cumulative
 */
public record Sample(
    double seconds,
    Map<StorageType, Tier> tiers,
    long auditEvents,
    long movesPlanned,
    long movesRunning,
    long movesVerified,
    long movesFailed) {

  public Sample {
    Require.notNegative("seconds", seconds);
    EnumMap<StorageType, Tier> copy = new EnumMap<>(StorageType.class);
    copy.putAll(tiers);
    tiers = Collections.unmodifiableMap(copy);
    Require.notNegative("audit events", auditEvents);
    Require.notNegative("moves planned", movesPlanned);
    Require.notNegative("moves running", movesRunning);
    Require.notNegative("moves verified", movesVerified);
    Require.notNegative("moves failed", movesFailed);
  }

  /**
   * One storage type at that moment.
   *
   * @param usedBytes bytes held by all its storages together
   * @param upperWatermark share of capacity, 0 to 1, above which it is emptied; 1 where it has none
   * @param lowerWatermark share of capacity, 0 to 1, to which it is emptied; 0 where it has none
   * @param readsTotal reads it served since the start of the run
   * @param bytesReadTotal bytes it served since the start of the run
   */
  public record Tier(
      long usedBytes,
      long capacityBytes,
      double upperWatermark,
      double lowerWatermark,
      long readsTotal,
      long bytesReadTotal) {

    public Tier {
      Require.notNegative("used bytes", usedBytes);
      Require.notNegative("capacity", capacityBytes);
      Require.share("upper watermark", upperWatermark);
      Require.share("lower watermark", lowerWatermark);
      Require.notNegative("reads", readsTotal);
      Require.notNegative("bytes read", bytesReadTotal);
    }

    /** Used share of the capacity, 0 to 1 (more where HDFS reports more used than it has). */
    public double occupancy() {
      return Ratio.of(usedBytes, capacityBytes);
    }
  }
}
