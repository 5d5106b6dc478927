// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;

/**
 * Where the copies of a file should lie: its fastest copy on one storage type, and, unless they stay
 * where they are, the others on another.
 *
 * <p>SUORA gains most of its speed from one copy in a fast bucket (section 3.6): readers take that one.
 * So a promotion moves one copy, where HDFS's own ladder of storage policies would move two or three.
 *
 * @param lead type of the fastest copy
 * @param rest type of all others; null leaves them
 */
public record Target(StorageType lead, StorageType rest) {

  @Override
  public String toString() {
    return rest == null ? "one copy on " + lead : "one copy on " + lead + ", the rest on " + rest;
  }
}
