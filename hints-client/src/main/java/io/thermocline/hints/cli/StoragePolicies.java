// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.StoragePolicyAdmin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs storagepolicies}: what HDFS's own command does, done by that, and what tiering
 * adds. See conf/shellprofile.d/thermocline.sh, which puts it in the place of HDFS's.
 */
public final class StoragePolicies extends Configured implements Tool {
  private final PrintStream out;
  private final PrintStream err;

  /**
   * @param out for answers; HDFS's own commands print to the process's
   * @param err for what is wrong
   */
  public StoragePolicies(Configuration conf, PrintStream out, PrintStream err) {
    super(conf);
    this.out = out;
    this.err = err;
  }

  /** As {@code hdfs} calls it. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    System.exit(ToolRunner.run(conf, new StoragePolicies(conf, System.out, System.err), arguments));
  }

  @Override
  public int run(String[] arguments) throws Exception {
    List<String> words = Arrays.asList(arguments);
    Command command = words.isEmpty() ? null : Commands.named(words.get(0));
    if (command != null) {
      return Commands.run(
          command,
          "storagepolicies " + command.name(),
          words.subList(1, words.size()),
          getConf(),
          out,
          err);
    }
    boolean help = !words.isEmpty() && words.get(0).equals("-help");
    Command helped = help && words.size() > 1 ? Commands.helped(words.get(1)) : null;
    if (helped != null) {
      Commands.printHelp(helped, out);
      return Commands.DONE;
    }
    int code = new StoragePolicyAdmin(getConf()).run(arguments);
    if (words.isEmpty() || (help && words.size() == 1)) {
      Commands.printUsage(words.isEmpty() ? err : out);
    }
    return code;
  }
}
