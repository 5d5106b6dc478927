// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.launcher.Launched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code thermocline explain --config} says of files, without the service. */
final class Explained {

  private Explained() {}

  static String by(Path config, String... paths) throws IOException, InterruptedException {
    return by(0, config, paths);
  }

  /**
   * @param status that the command ends with
   */
  static String by(int status, Path config, String... paths)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("explain", "--config", config.toString()));
    words.addAll(List.of(paths));
    Launched explained = Launched.installed(config.getParent(), ServiceProcess.USER, words);
    assertEquals(status, explained.status(), explained::toString);
    return explained.out();
  }
}
