// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** A command beside those of HDFS. */
interface Command {
  /** With its dash. */
  String name();

  /** Its options, on a line. */
  String usage();

  /** What it does, in a sentence or two. */
  String help();

  /**
   * Does it.
   *
   * @param arguments after the command's name
   * @throws UsageException where they can't be meant; nothing is done then
   * @throws IOException if the service or HDFS says no
   */
  void run(List<String> arguments, Site site, PrintStream out) throws IOException;
}
