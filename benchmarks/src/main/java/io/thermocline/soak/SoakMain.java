// SPDX-License-Identifier: Apache-2.0
package io.thermocline.soak;

import io.thermocline.tiering.process.CommandLines;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bin/thermocline soak}: one subcommand per part that has to run for long under what goes wrong. */
@Command(
    name = "thermocline soak",
    description = "Runs a part for long under what goes wrong in production.",
    mixinStandardHelpOptions = true,
    subcommands = {ObserveSoak.class})
public final class SoakMain {
  private SoakMain() {}

  public static void main(String[] args) {
    CommandLine line = CommandLines.of(new SoakMain());
    System.exit(args.length == 0 ? line.execute("--help") : line.execute(args));
  }
}
