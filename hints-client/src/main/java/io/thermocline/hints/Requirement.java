// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/**
 * What the application needs of the storage. Deliberately no device and no storage type: which tier
 * serves a requirement is the cluster's knowledge, and changes with it.
 */
public enum Requirement {
  NONE,
  LOW_LATENCY,
  THROUGHPUT,
  CHEAP
}
