// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the policy reads from the NameNode's configuration. A bad value is logged and counted once and
 * the default used: a plugin never stops its host. Immutable.
 */
final class PolicySettings {
  /** Hadoop's own, from 3.4 on; earlier releases always ask for one block. */
  static final String LEAST_BLOCKS_KEY = "dfs.namenode.block-placement-policy.min-blocks-for.write";

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private final long refreshMillis;
  private final long leastBlocks;

  private PolicySettings(long refreshMillis, long leastBlocks) {
    this.refreshMillis = refreshMillis;
    this.leastBlocks = leastBlocks;
  }

  static PolicySettings of(Configuration conf, PlacementCounters counters) {
    Reader reader = new Reader(conf, counters);
    return new PolicySettings(
        reader.whole(
            ThermoclinePlacementPolicy.REFRESH_KEY,
            ThermoclinePlacementPolicy.REFRESH_DEFAULT,
            10,
            3_600_000),
        reader.whole(LEAST_BLOCKS_KEY, 1, 1, 1_000_000));
  }

  /** Milliseconds between two looks at the cluster. */
  long refreshMillis() {
    return refreshMillis;
  }

  /** Blocks of space that a storage must have to get one. */
  long leastBlocks() {
    return leastBlocks;
  }

  private static final class Reader {
    private final Configuration conf;
    private final PlacementCounters counters;

    Reader(Configuration conf, PlacementCounters counters) {
      this.conf = conf;
      this.counters = counters;
    }

    long whole(String key, long byDefault, long least, long most) {
      String value = conf.getTrimmed(key);
      if (value == null) {
        return byDefault;
      }
      try {
        long number = Long.parseLong(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Said below, as for a number out of bounds.
      }
      counters.count(PlacementCounters.Event.BAD_SETTING);
      LOG.error(
          "{} = {} is not a whole number from {} to {}; using {}",
          key,
          value,
          least,
          most,
          byDefault);
      return byDefault;
    }
  }
}
