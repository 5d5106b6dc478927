// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.util.Map;

/** Decides at the end of each epoch. May keep what it learned; one replay each. */
interface PoolPolicy {

  /** As in the report's fields. */
  String name();

  /** Index of the pool where each part of the epoch belongs, in the order in which they matter. */
  Map<Long, Integer> decide(Epoch epoch);

  /** Whether data that changes by two pools passes through the one between. */
  boolean tierByTier();

  /** Of the chunks written in the last epoch, in the sizes that it placed, the share that is Overwritten (rule 4). */
  double overwrittenShare();
}
