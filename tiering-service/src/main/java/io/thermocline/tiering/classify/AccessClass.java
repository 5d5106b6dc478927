// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

/**
 * What one request is, as far as taxonomy rules 3 and 4 tell requests apart (ChewAnalyzer, table 3.2). Each request
 * is of exactly one class, so that weights of several dimensions can be combined (equation 3.4).
 */
public enum AccessClass {
  SEQUENTIAL_READ,
  RANDOM_READ,
  SEQUENTIAL_WRITE,
  /** A write elsewhere than after the one before, to where nothing was written in this window. */
  RANDOM_WRITE,
  /** A write to what was written before; on HDFS, data that is made anew under its path. */
  OVERWRITE;

  public boolean isWrite() {
    return this != SEQUENTIAL_READ && this != RANDOM_READ;
  }

  public boolean isSequential() {
    return this == SEQUENTIAL_READ || this == SEQUENTIAL_WRITE;
  }
}
