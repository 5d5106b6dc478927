// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/** How the refreshing thread waits. */
interface Pause {
  void await(long millis) throws InterruptedException;
}
