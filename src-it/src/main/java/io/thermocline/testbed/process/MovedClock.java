// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Programs whose clock is off, as libfaketime moves it: what they ask the system for the time of day is answered with an
 * offset, and nothing else changes.
 */
public final class MovedClock {

  /** The library's path, where it isn't where Debian's package libfaketime has it. */
  private static final String PROPERTY = "faketime.library";

  private MovedClock() {}

  /**
   * What a command line begins with whose program is to have a clock that is ahead, or behind; empty where there is no
   * libfaketime.
   */
  public static Optional<List<String>> prefix(Duration ahead) throws IOException {
    return library()
        .map(
            path ->
                List.of(
                    "env",
                    "LD_PRELOAD=" + path,
                    "FAKETIME_DONT_FAKE_MONOTONIC=1",
                    "FAKETIME=%+ds".formatted(ahead.toSeconds())));
  }

  private static Optional<Path> library() throws IOException {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    // By the name of the architecture.
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu*")) {
      for (Path directory : all) {
        Path library = directory.resolve("faketime/libfaketimeMT.so.1");
        if (Files.isReadable(library)) {
          return Optional.of(library);
        }
      }
      return Optional.empty();
    }
  }
}
