// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.model.SystemRuntime;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What hints cost a client: creates and opens through {@link HintingFileSystem}, each beside one
 * through HDFS's own class, on the same cluster, by turns.
 *
 * @param createMicros more that a create takes which is redirected and hinted, median of the
 *     pairs
 * @param openMicros more that an open takes which is hinted, median of the pairs
 * @param plainCreateMicros median without hints
 * @param plainOpenMicros median without hints
 */
public record ClientOverhead(
    double createMicros, double openMicros, double plainCreateMicros, double plainOpenMicros) {

  private static final String ROOT = "/client-overhead";
  private static final int WARM_UP = 300;

  /** A call that is timed: which file, by its number. */
  @FunctionalInterface
  private interface Call {
    Closeable on(FileSystem fs, Path file) throws IOException;
  }

  /**
   * Measures; its files are gone afterwards.
   *
   * @param hdfs the cluster, of which the caller may write
   * @param service addresses of the tiering service; it needn't be there: nobody waits for it
   * @param pairs of creates, and as many of opens: a thousand take some seconds
   */
  public static ClientOverhead measure(URI hdfs, Configuration conf, String service, int pairs)
      throws IOException {
    Configuration hinted = new Configuration(conf);
    hinted.setClass("fs.hdfs.impl", HintingFileSystem.class, FileSystem.class);
    hinted.set("thermocline.hints.service", service);
    hinted.set("thermocline.hints.rules", "all");
    hinted.set("thermocline.hints.rule.all.path", ROOT + "/**");
    hinted.set("thermocline.hints.rule.all.requirement", "low-latency");
    hinted.set("thermocline.hints.rule.all.on", "create,open");
    Configuration plain = new Configuration(conf);
    plain.setClass("fs.hdfs.impl", DistributedFileSystem.class, FileSystem.class);
    try (FileSystem without = FileSystem.newInstance(hdfs, plain);
        FileSystem with = FileSystem.newInstance(hdfs, hinted)) {
      try {
        double[] creates = pairs(without, with, pairs, (fs, file) -> fs.create(file, true));
        double[] opens = pairs(without, with, pairs, FileSystem::open);
        return new ClientOverhead(creates[1], opens[1], creates[0], opens[0]);
      } finally {
        without.delete(new Path(ROOT), true);
      }
    }
  }

  /** Medians in microseconds: without hints, and of what it is more with them. */
  private static double[] pairs(FileSystem without, FileSystem with, int pairs, Call call)
      throws IOException {
    double[] plain = new double[pairs];
    double[] more = new double[pairs];
    for (int i = -WARM_UP; i < pairs; i++) {
      Path one = new Path(ROOT + "/without/" + i);
      Path other = new Path(ROOT + "/with/" + i);
      // By turns, so that neither is always the first.
      boolean plainFirst = (i & 1) == 0;
      double before = plainFirst ? micros(without, one, call) : 0;
      double hinted = micros(with, other, call);
      double alone = plainFirst ? before : micros(without, one, call);
      if (i >= 0) {
        plain[i] = alone;
        more[i] = hinted - alone;
      }
    }
    return new double[] {median(plain), median(more)};
  }

  @SystemRuntime
  private static double micros(FileSystem fs, Path file, Call call) throws IOException {
    long start = System.nanoTime();
    Closeable stream = call.on(fs, file);
    double micros = (System.nanoTime() - start) / 1e3;
    stream.close();
    return micros;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
