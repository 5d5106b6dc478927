// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/** Something that a thread of its own brings up to date from time to time. */
interface Refreshed {
  void refresh();
}
