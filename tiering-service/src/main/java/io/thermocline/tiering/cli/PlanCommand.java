// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plans: what would be done, people's word for it, and that it is done. */
@Command(
    name = "plan",
    description = "Lists, shows, approves, discards and carries out plans.",
    subcommands = {
      PlanCommand.List.class,
      PlanCommand.Show.class,
      PlanCommand.Approve.class,
      PlanCommand.Discard.class,
      PlanCommand.Execute.class,
      PlanCommand.Undo.class
    })
final class PlanCommand implements Runnable {

  private static final String NUMBER = "the plan's number";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "say which: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The last ones. */
  @Command(name = "list", description = "The last plans, newest first.")
  static final class List implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private Questions.ListOptions part;

    @Override
    public Integer call() throws CliException, InterruptedException {
      options.print(options.client().get("/plans", part.query()));
      return 0;
    }
  }

  /** One of them. */
  @Command(name = "show", description = "A plan, and what it does with each file and why.")
  static final class Show implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private Questions.ListOptions part;

    @Parameters(paramLabel = "NUMBER", description = NUMBER)
    private int number;

    @Override
    public Integer call() throws CliException, InterruptedException {
      ServiceClient client = options.client();
      JsonNode plan = client.get("/plans/" + number, Map.of());
      JsonNode files = client.get("/plans/" + number + "/files", part.query());
      options.print("plan", plan, "files", files);
      return 0;
    }
  }

  /** A step of a plan. */
  abstract static class Step implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ChangeOptions how;

    @Parameters(paramLabel = "NUMBER", description = NUMBER)
    private int number;

    final Integer take(String step, Map<String, ?> fields)
        throws CliException, InterruptedException {
      how.change(options, "/plans/" + number + "/" + step, fields);
      return 0;
    }
  }

  /** Somebody's word for it. */
  @Command(name = "approve", description = "Gives your word for a plan that waits.")
  static final class Approve extends Step {
    @Option(
        names = "--execute",
        description = "carry it out at once where nobody else has to approve it")
    private boolean execute;

    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("approve", Map.of("execute", execute));
    }
  }

  /** Both in one. */
  @Command(
      name = "approve",
      description =
          "Gives your word for a plan that waits, and has it carried out where nobody else has to approve it.")
  static final class ApproveAndGo extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("approve", Map.of("execute", true));
    }
  }

  /** As it was before. */
  @Command(name = "undo", description = "Takes back what a plan did.")
  static final class Undo extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("undo", Map.of());
    }
  }

  /** Nobody wants it. */
  @Command(name = "discard", description = "Ends a plan that nobody shall carry out.")
  static final class Discard extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("discard", Map.of());
    }
  }

  /** That it is done. */
  @Command(name = "execute", description = "Has a plan carried out that is approved.")
  static final class Execute extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("execute", Map.of());
    }
  }
}
