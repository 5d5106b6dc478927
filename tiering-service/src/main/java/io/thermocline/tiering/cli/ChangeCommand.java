// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that changes something by one request. */
abstract class ChangeCommand implements Callable<Integer> {

  @Mixin ServiceOptions options;
  @Mixin ChangeOptions how;

  /** Of the resource that takes the request. */
  abstract String path();

  /** What it asks for beside that it is meant. */
  Map<String, ?> fields() {
    return Map.of();
  }

  @Override
  public Integer call() throws CliException, InterruptedException {
    how.change(options, path(), fields());
    return 0;
  }
}
