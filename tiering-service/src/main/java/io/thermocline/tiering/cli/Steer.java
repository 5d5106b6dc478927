// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commands that hold the service, or let it go on. */
final class Steer {

  private Steer() {}

  /** One of them. */
  abstract static class Step implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ChangeOptions how;

    final Integer take(String step, Map<String, ?> fields)
        throws CliException, InterruptedException {
      how.change(options, "/steering/" + step, fields);
      return 0;
    }
  }

  /** Nothing more, for now. */
  @Command(
      name = "pause",
      description = "Begins nothing more until somebody resumes; the rest of the plan waits.")
  static final class Pause extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("pause", Map.of());
    }
  }

  /** On again. */
  @Command(name = "resume", description = "Goes on after a pause or a stop.")
  static final class Resume extends Step {
    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("resume", Map.of());
    }
  }

  /** The plan's end. */
  @Command(
      name = "stop",
      description = "Ends the plan under way, and begins no other until somebody resumes.")
  static final class Stop extends Step {
    @Option(names = "--abandon", description = "don't wait for copies under way: HDFS settles them")
    private boolean abandon;

    @Override
    public Integer call() throws CliException, InterruptedException {
      return take("stop", Map.of("how", abandon ? "ABANDON" : "FINISH"));
    }
  }
}
