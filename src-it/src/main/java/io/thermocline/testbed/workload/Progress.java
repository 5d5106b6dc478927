// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/** Hears how far something is; called from several threads, one at a time, in ascending order. */
@FunctionalInterface
public interface Progress {

  /** For who doesn't care. */
  Progress NONE = (done, total) -> {};

  /**
   * @param done of total, both in the unit of the task: files or reads
   */
  void at(long done, long total);
}
