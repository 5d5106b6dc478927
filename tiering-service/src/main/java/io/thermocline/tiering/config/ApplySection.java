// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.util.List;

/** Reads act.apply: where shadow mode is over already. */
final class ApplySection {

  private ApplySection() {}

  static List<String> read(YamlSection act, ServiceConfig.Mode mode) {
    List<String> paths = act.globs("apply");
    if (mode == ServiceConfig.Mode.APPLY && !paths.isEmpty()) {
      act.reject("apply", "is for mode: shadow; with mode: apply plans are carried out everywhere");
    }
    for (String path : paths) {
      if (!path.startsWith("/")) {
        act.reject("apply", "expected absolute paths like /warehouse/logs, found '" + path + "'");
      }
    }
    return paths;
  }
}
