// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands that hold the service, or let it go on. */
final class Steer {

  private Steer() {}

  /** One of them. */
  abstract static class Step extends ChangeCommand {
    private final String step;

    Step(String step) {
      this.step = step;
    }

    @Override
    String path() {
      return "/control/" + step;
    }
  }

  /** Nothing more, for now. */
  @Command(
      name = "pause",
      description = "Starts no more moves until somebody resumes; the rest of the plan waits.")
  static final class Pause extends Step {
    Pause() {
      super("pause");
    }
  }

  /** On again. */
  @Command(name = "resume", description = "Continues after a pause or a stop.")
  static final class Resume extends Step {
    Resume() {
      super("resume");
    }
  }

  /** The plan's end. */
  @Command(
      name = "stop",
      description =
          "Finishes the running copies, cancels the rest of the plan, and starts no other plan until somebody resumes. The"
              + " service keeps running.")
  static final class Stop extends Step {
    @Option(names = "--abandon", description = "don't wait for copies under way: HDFS settles them")
    private boolean abandon;

    Stop() {
      super("stop");
    }

    @Override
    Map<String, ?> fields() {
      return Map.of("how", abandon ? "ABANDON" : "FINISH");
    }
  }
}
