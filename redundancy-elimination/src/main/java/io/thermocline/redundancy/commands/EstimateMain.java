// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import io.thermocline.redundancy.SystemRuntime;
import io.thermocline.redundancy.estimate.Estimator;
import io.thermocline.redundancy.store.Source;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of the command that says what the link would save. */
@Command(
    name = "thermocline estimate",
    mixinStandardHelpOptions = true,
    description = {
      "Reads a sample of a directory and prints, for each kind of file, how many bytes zstd, fixed-size chunks and"
          + " content-defined chunks would save on a copy to a remote site, and how long the copy takes. Nothing is sent and"
          + " nothing is written.",
      "",
      "The figures are of a first copy. A later copy also saves what the remote site has by then."
    })
public final class EstimateMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "a directory or a file, such as hdfs://cluster/logs")
  private String path;

  @Option(
      names = "--bandwidth",
      paramLabel = "RATE",
      converter = Commands.BitsPerSecond.class,
      defaultValue = "200Mbit",
      description = "of the link, in bits a second (default: ${DEFAULT-VALUE})")
  private long bandwidth;

  @Option(
      names = "--sample",
      paramLabel = "SIZE",
      converter = Commands.Bytes.class,
      defaultValue = "256MB",
      description = "bytes to read at most (default: ${DEFAULT-VALUE})")
  private long sample;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of the choice of files (default: ${DEFAULT-VALUE})")
  private long seed;

  public static void main(String[] args) {
    System.exit(Commands.of(new EstimateMain()).execute(args));
  }

  @Override
  @SystemRuntime
  public Integer call() throws IOException {
    Source source = Source.of(path, new Configuration());
    Estimator estimator = new Estimator(sample, seed, System::nanoTime);
    String text = estimator.run(source.files(), source::open).text(bandwidth);
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
