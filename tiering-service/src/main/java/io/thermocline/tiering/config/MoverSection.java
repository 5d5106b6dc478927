// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.nio.file.Path;

/** Reads section mover of thermocline.yaml: where what needs HDFS's superuser is a process of its own. */
final class MoverSection {

  static final String SOCKET = "/run/thermocline-mover/mover.sock";
  static final String USER = "thermocline-mover";

  /** Of sun_path, with the zero at its end (unix(7)). */
  private static final int MOST_PATH = 107;

  private MoverSection() {}

  /** Null where there is none. */
  static ServiceConfig.MoverAt read(YamlSection top) {
    return top.optionalSection("mover")
        .map(
            section -> {
              ServiceConfig.MoverAt mover =
                  new ServiceConfig.MoverAt(socket(section), section.text("user", USER));
              section.rejectUnknown();
              return mover;
            })
        .orElse(null);
  }

  static Path socket(YamlSection section) {
    String socket = section.text("socket", SOCKET);
    if (!socket.startsWith("/") || socket.length() > MOST_PATH) {
      section.reject(
          "socket",
          "expected an absolute path of at most "
              + MOST_PATH
              + " characters, like "
              + SOCKET
              + ", found '"
              + socket
              + "'");
      return Path.of(SOCKET);
    }
    return Path.of(socket);
  }

  /** What goes only where the service itself is superuser. */
  static void check(YamlSection top, ServiceConfig config) {
    if (config.hdfs().mover() == null) {
      return;
    }
    if (config.act().backEnd() != ServiceConfig.Mover.DIRECTED) {
      top.section("act").reject("backEnd", "expected directed, as a mover knows no other");
    }
    if (config.decide().actions().groups().isPresent()) {
      top.section("decide")
          .reject("actions", "with groups need a service that is superuser itself: no mover");
    }
  }
}
