// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;

/** By the storage policy ONE_SSD on the directory, and Hadoop's Mover in this process. */
final class MoverRun implements Way {
  private final DistributedFileSystem hdfs;
  private final LongSupplier nanos;

  MoverRun(DistributedFileSystem hdfs, LongSupplier nanos) {
    this.hdfs = hdfs;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "mover";
  }

  @Override
  public Map<String, Double> move(String directory, int files) throws Exception {
    long start = nanos.getAsLong();
    hdfs.setStoragePolicy(new Path(directory), "ONE_SSD");
    int status = ToolRunner.run(hdfs.getConf(), new Mover.Cli(), new String[] {"-p", directory});
    if (status != 0) {
      throw new IOException("the Mover ended with " + status);
    }
    return Map.of("seconds", (nanos.getAsLong() - start) / 1e9);
  }
}
