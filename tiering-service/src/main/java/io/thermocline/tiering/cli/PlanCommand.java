// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.commands.UndoMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    description = "Lists, shows, makes, approves, discards, executes and cancels plans.",
    subcommands = {
      PlanCommand.All.class,
      PlanCommand.Show.class,
      PlanCommand.Now.class,
      PlanCommand.Approve.class,
      PlanCommand.Discard.class,
      PlanCommand.Execute.class,
      PlanCommand.Cancel.class,
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
  static final class All implements Callable<Integer> {
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
    @Mixin private Questions.InOption in;

    @Option(
        names = "--sort",
        paramLabel = "ORDER",
        description = "PATH, or BYTES or MOVES with the most first (default: the plan's order)")
    private String sort;

    @Option(
        names = "--space",
        description = "how full storage types and DataNodes are before and after, not its files")
    private boolean space;

    @Option(
        names = "--unplaced",
        description = "files that it finds no place for and why, not those that it moves")
    private boolean unplaced;

    @Parameters(paramLabel = "NUMBER", description = NUMBER)
    private int number;

    @Override
    public Integer call() throws CliException, InterruptedException {
      ServiceClient client = options.client();
      JsonNode plan = client.get("/plans/" + number, Map.of());
      if (space) {
        JsonNode all = client.get("/plans/" + number + "/space", part.query());
        options.print("plan", plan, "space", all);
        return 0;
      }
      Map<String, String> query = in.addTo(part.query());
      if (unplaced) {
        JsonNode all = client.get("/plans/" + number + "/unplaced", query);
        options.print("plan", plan, "unplaced", all);
        return 0;
      }
      if (sort != null) {
        query.put("sort", sort.toUpperCase(Locale.ROOT));
      }
      JsonNode files = client.get("/plans/" + number + "/files", query);
      options.print("plan", plan, "files", files);
      return 0;
    }
  }

  /** One more. */
  @Command(
      name = "now",
      description = {
        "Makes a plan now, without waiting for decide.every.",
        "",
        "Prints the plan's number, or why there is no plan. All limits hold: act.approval, act.windows and the"
            + " bounds of a plan too."
      })
  static final class Now extends ChangeCommand {
    @Override
    String path() {
      return "/plans";
    }
  }

  /** A step of a plan. */
  abstract static class Step extends ChangeCommand {
    @Parameters(paramLabel = "NUMBER", description = NUMBER)
    int number;

    private final String step;

    Step(String step) {
      this.step = step;
    }

    @Override
    String path() {
      return "/plans/" + number + "/" + step;
    }
  }

  /** Somebody's word for it. */
  @Command(name = "approve", description = "Approves a plan that waits for approval.")
  static final class Approve extends Step {
    @Option(
        names = "--execute",
        description = "carry it out at once where nobody else has to approve it")
    private boolean execute;

    Approve() {
      super("approve");
    }

    @Override
    Map<String, ?> fields() {
      return Map.of("execute", execute);
    }
  }

  /** Both in one. */
  @Command(
      name = "approve",
      description =
          "Approves a plan that waits, and executes it unless somebody else has to approve it too.")
  static final class ApproveAndGo extends Step {
    ApproveAndGo() {
      super("approve");
    }

    @Override
    Map<String, ?> fields() {
      return Map.of("execute", true);
    }
  }

  /** As it was before. */
  @Command(name = "undo", description = "Takes back what a plan did.")
  static class Undo extends Step {
    Undo() {
      super("undo");
    }
  }

  /** The same, also where no service runs. */
  @Command(
      name = "undo",
      description = {
        "Takes back what a plan did.",
        "",
        "Asks the service that runs; with --config, does it on this host, for when the service is stopped:"
            + " exit code 3 there where files were left as they are."
      })
  static final class UndoAnywhere extends Undo {
    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "the service's thermocline.yaml: don't ask the service")
    private String config;

    @Override
    public Integer call() throws CliException, InterruptedException {
      if (config == null) {
        return super.call();
      }
      List<String> arguments = new ArrayList<>(List.of("--config", config));
      if (how.why() != null) {
        arguments.add("--why=" + how.why());
      } else if (how.isMeant()) {
        arguments.add("--yes");
      }
      if (options.isJson()) {
        arguments.add("--json");
      }
      arguments.add(Integer.toString(number));
      return options.here(new UndoMain(), arguments);
    }
  }

  /** Nobody wants it. */
  @Command(name = "discard", description = "Discards a plan.")
  static final class Discard extends Step {
    Discard() {
      super("discard");
    }
  }

  /** No more of it. */
  @Command(
      name = "cancel",
      description =
          "Ends one plan: waiting moves are dropped, running moves finish. A plan that hasn't begun is discarded."
              + " Other plans continue.")
  static final class Cancel extends Step {
    Cancel() {
      super("cancel");
    }
  }

  /** That it is done. */
  @Command(name = "execute", description = "Executes an approved plan.")
  static final class Execute extends Step {
    Execute() {
      super("execute");
    }
  }
}
