// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.suora.SegmentLog;

/** What is to be told of a bucket's table. Immutable. */
final class TableFigures {
  private final String bucket;
  private final SegmentLog log;
  private final long fingerprint;
  private final int away;
  private final int wornOut;

  private TableFigures(String bucket, SegmentLog log, long fingerprint, int away, int wornOut) {
    this.bucket = bucket;
    this.log = log;
    this.fingerprint = fingerprint;
    this.away = away;
    this.wornOut = wornOut;
  }

  static TableFigures none(String bucket) {
    return new TableFigures(bucket, SegmentLog.empty(bucket), 0, 0, 0);
  }

  /** The figures of a later table; a fingerprint takes a pass over it, so an old one is kept. */
  TableFigures next(SegmentLog now, int nowAway, int nowWornOut) {
    return new TableFigures(
        bucket, now, now == log ? fingerprint : now.fingerprint(), nowAway, nowWornOut);
  }

  String bucket() {
    return bucket;
  }

  long fingerprint() {
    return fingerprint;
  }

  /** Storages in the table. */
  int storages() {
    return log.deviceIds().size();
  }

  /** Of these, the ones that aren't in the cluster now. */
  int away() {
    return away;
  }

  /** Of these, the ones that take no new blocks. */
  int wornOut() {
    return wornOut;
  }

  /** Integer cells of the homes' line, holes included. */
  int cells() {
    return log.table().cells();
  }

  /** Number of the last operation. */
  long operations() {
    return log.sequence();
  }
}
