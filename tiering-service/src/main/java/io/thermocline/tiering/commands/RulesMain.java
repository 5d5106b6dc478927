// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.process.CommandLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of what can be done with a rules file. */
@Command(
    name = "thermocline rules",
    mixinStandardHelpOptions = true,
    subcommands = RulesCheck.class,
    description = "Looks at rules files: docs/guides/rules.md.")
public final class RulesMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new RulesMain()).execute(args));
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "what to do is missing: rules check FILE");
  }
}
