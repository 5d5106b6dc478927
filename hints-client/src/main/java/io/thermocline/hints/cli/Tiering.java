// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.io.PrintStream;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** {@code hdfs tiering status|pause|resume}: asks and steers the tiering service. */
public final class Tiering extends Configured implements Tool {
  private final PrintStream out;
  private final PrintStream err;

  Tiering(Configuration conf, PrintStream out, PrintStream err) {
    super(conf);
    this.out = out;
    this.err = err;
  }

  /** As {@code hdfs} calls it. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    System.exit(ToolRunner.run(conf, new Tiering(conf, System.out, System.err), arguments));
  }

  @Override
  public int run(String[] arguments) {
    return Commands.run(
        Commands.named("-tiering"), "tiering", Arrays.asList(arguments), getConf(), out, err);
  }
}
