// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.commands.AttributesMain;
import io.thermocline.tiering.commands.DoctorMain;
import io.thermocline.tiering.commands.GroupsMain;
import io.thermocline.tiering.commands.MineMain;
import io.thermocline.tiering.commands.MoverMain;
import io.thermocline.tiering.commands.ProbeMain;
import io.thermocline.tiering.commands.RulesMain;
import io.thermocline.tiering.commands.ServiceMain;
import io.thermocline.tiering.commands.SimulateMain;
import io.thermocline.tiering.commands.UninstallMain;
import io.thermocline.tiering.process.CommandLines;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point of the commands that talk to a service that runs. */
@Command(
    name = "thermocline",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done; 1 failed; 2 bad usage; 3 no service answers; 4 rejected in the current state, such as a stale"
          + " plan; 5 not allowed. docs/reference/cli.md says more."
    },
    subcommands = {
      Questions.Status.class,
      Questions.Heat.class,
      Questions.Explain.class,
      Questions.Report.class,
      Questions.Savings.class,
      PlanCommand.class,
      PlanCommand.ApproveAndGo.class,
      PlanCommand.UndoAnywhere.class,
      Steer.Pause.class,
      Steer.Resume.class,
      Steer.Stop.class,
      Reload.class,
      MoveCommand.class,
      Questions.Moves.class,
      Questions.Tasks.class,
      Questions.Nodes.class,
      DirectoryHintsCommand.class,
      TokenCommand.class,
      Completion.class
    })
public final class CliMain implements Runnable {

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** With the habits of all our commands. */
  static CommandLine commandLine() {
    CommandLine line = CommandLines.of(new CliMain());
    IExecutionExceptionHandler other = line.getExecutionExceptionHandler();
    line.setExecutionExceptionHandler(
        (exception, command, result) -> {
          if (exception instanceof CliException known) {
            String name = command.getCommandSpec().qualifiedName();
            command.getErr().println(name + ": " + OneLine.of(known.getMessage()));
            return known.exitCode();
          }
          return other.handleExecutionException(exception, command, result);
        });
    return line;
  }

  /** With the programs that stand beside these commands, for completion. */
  static CommandLine all() {
    return commandLine()
        .addSubcommand("service", new ServiceMain())
        .addSubcommand("rules", new RulesMain())
        .addSubcommand("doctor", new DoctorMain())
        .addSubcommand("attributes", new AttributesMain())
        .addSubcommand("probe", new ProbeMain())
        .addSubcommand("mover", new MoverMain())
        .addSubcommand("uninstall", new UninstallMain())
        .addSubcommand("mine", new MineMain())
        .addSubcommand("groups", new GroupsMain())
        .addSubcommand("simulate", SimulateMain.line());
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "say which: " + String.join(", ", spec.subcommands().keySet()));
  }
}
