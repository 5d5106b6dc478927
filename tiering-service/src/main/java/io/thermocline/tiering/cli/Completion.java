// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes what the shell completes command lines by. */
@Command(
    name = "completion",
    description = {
      "Writes a script by which bash, or zsh with bashcompinit, completes commands and options:",
      "",
      "  source <(thermocline completion bash)"
    })
final class Completion implements Callable<Integer> {

  /** For which shell. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell;

  @Override
  public Integer call() {
    CommandLine all = CliMain.all();
    // Programs of other parts, by name alone.
    String others = System.getenv().getOrDefault("THERMOCLINE_COMMANDS", "");
    for (String name : others.trim().split("\\s+")) {
      if (!name.isEmpty() && !all.getSubcommands().containsKey(name)) {
        all.addSubcommand(name, CommandSpec.create());
      }
    }
    // The same script serves both: it turns bashcompinit on in zsh.
    spec.commandLine().getOut().print(AutoComplete.bash("thermocline", all));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
