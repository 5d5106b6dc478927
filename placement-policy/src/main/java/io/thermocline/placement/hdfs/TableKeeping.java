// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Where and how segment tables are kept, and where their failures go. */
final class TableKeeping {
  private final PolicyHost host;
  private final PolicySettings settings;

  TableKeeping(PolicyHost host, PolicySettings settings) {
    this.host = host;
    this.settings = settings;
  }

  /** Null where tables are kept in memory only. */
  SegmentFile file(String bucket) {
    Path directory = settings.tableDirectory();
    return directory == null ? null : new SegmentFile(directory, bucket);
  }

  long nanoTime() {
    return host.nanoTime();
  }

  /** For so long no storage must have come before the first assignment is written. */
  long settleNanos() {
    return TimeUnit.MILLISECONDS.toNanos(settings.settleMillis());
  }

  /** For so long a storage that is away keeps its segments. */
  long forgetNanos() {
    return TimeUnit.MILLISECONDS.toNanos(settings.forgetMillis());
  }

  void count(PlacementCounters.Event event) {
    host.counters().count(event);
  }

  void failed(PlacementCounters.Event event, Exception cause) {
    count(event);
    host.log().warn(event, cause);
  }
}
