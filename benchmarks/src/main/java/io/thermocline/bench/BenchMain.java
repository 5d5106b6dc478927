// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.bench.api.ApiCommand;
import io.thermocline.bench.chew.ChewCommand;
import io.thermocline.bench.hints.HintsCommand;
import io.thermocline.bench.link.LinkCommand;
import io.thermocline.bench.move.JoinCommand;
import io.thermocline.bench.move.MoveCommand;
import io.thermocline.bench.papers.PapersCommand;
import io.thermocline.bench.placement.PlacementCommand;
import io.thermocline.bench.prs.PrsCommand;
import io.thermocline.bench.suora.SuoraCommand;
import io.thermocline.tiering.process.CommandLines;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code bin/thermocline bench}: one subcommand per benchmark. Each prints what it measures as it goes
 * and, as the last line of standard output, one flat JSON object.
 */
@Command(
    name = "thermocline bench",
    description = "Measures a part beside its peers, in the same run.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ApiCommand.class,
      ChewCommand.class,
      HeatCommand.class,
      HintsCommand.class,
      ImageCommand.class,
      LinkCommand.class,
      MoveCommand.class,
      JoinCommand.class,
      NameNodeCommand.class,
      ObserveCommand.class,
      PapersCommand.class,
      PlanCommand.class,
      PlacementCommand.class,
      PrsCommand.class,
      ReachCommand.class,
      ReachNetworkCommand.class,
      SuoraCommand.class,
      TieringCommand.class
    })
public final class BenchMain {
  private BenchMain() {}

  public static void main(String[] args) {
    CommandLine line = CommandLines.of(new BenchMain());
    System.exit(args.length == 0 ? line.execute("--help") : line.execute(args));
  }
}
