// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The commands beside those of HDFS, and how they end: 0 done, 1 misunderstood, 2 refused or
 * failed.
 */
final class Commands {
  static final int DONE = 0;
  static final int MISUNDERSTOOD = 1;
  static final int FAILED = 2;

  private static final List<Command> ALL =
      Arrays.asList(
          new HintCommand(),
          new RenewHintCommand(),
          new UnhintCommand(),
          new ListHintsCommand(),
          FileCommand.heat(),
          FileCommand.explain(),
          FileCommand.suggest(),
          new ExecutionControlCommand());

  private Commands() {}

  /** Null where there is none of that name. */
  static Command named(String name) {
    for (Command command : ALL) {
      if (command.name().equals(name)) {
        return command;
      }
    }
    return null;
  }

  /** As {@link #named}, the dash left out as HDFS's help wants it, or not. */
  static Command helped(String name) {
    return named(name.startsWith("-") ? name : "-" + name);
  }

  static int run(
      Command command,
      String shownAs,
      List<String> arguments,
      Configuration conf,
      PrintStream out,
      PrintStream err) {
    try {
      command.run(arguments, new Site(conf), out);
      return DONE;
    } catch (UsageException e) {
      err.println(shownAs + ": " + Text.line(e.getMessage()));
      err.println("Usage: " + shownAs + " " + command.usage());
      return MISUNDERSTOOD;
    } catch (IOException | IllegalArgumentException e) {
      err.println(shownAs + ": " + Text.line(e.getMessage()));
      return FAILED;
    }
  }

  static void printUsage(PrintStream out) {
    out.println("and of tiering:");
    for (Command command : ALL) {
      out.println("\t[" + command.name() + " " + command.usage() + "]");
    }
  }

  static void printHelp(Command command, PrintStream out) {
    out.println("[" + command.name() + " " + command.usage() + "]");
    out.println();
    out.println(command.help());
  }
}
