// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.nio.file.Path;
import java.util.List;

/** Reads section manage of thermocline.yaml. */
final class ManageSection {

  private ManageSection() {}

  static ServiceConfig.Manage read(YamlSection section) {
    List<String> paths = section.texts("paths");
    if (paths.isEmpty()) {
      section.reject(
          "paths", "is missing: expected what may be moved, for instance [/warehouse, /data]");
    }
    for (String path : paths) {
      if (!path.startsWith("/")) {
        section.reject("paths", "expected absolute paths like /warehouse, found '" + path + "'");
      }
    }
    int maxFiles = section.integer("maxFiles", 1_000_000, 1, Integer.MAX_VALUE);
    List<String> ignore = section.globs("ignore");
    List<String> pin = section.globs("pin");
    if (section.has("quotaDirectories")) {
      section.texts("quotaDirectories");
      section.reject(
          "quotaDirectories",
          "is gone: the service finds the quotas of directories in HDFS by itself");
    }
    String rules = section.text("rules", null);
    if (rules != null && !(ignore.isEmpty() && pin.isEmpty())) {
      section.reject(
          ignore.isEmpty() ? "pin" : "ignore",
          "stands in the rules file, manage.rules, where there is one");
    }
    if (rules != null) {
      check(section, Path.of(rules));
    }
    ServiceConfig.Manage manage =
        new ServiceConfig.Manage(
            paths,
            maxFiles,
            ignore,
            pin,
            section.globs("override"),
            rules == null ? null : Path.of(rules));
    section.rejectUnknown();
    return manage;
  }

  private static void check(YamlSection section, Path rules) {
    try {
      RulesFile.read(rules);
    } catch (ConfigException e) {
      section.reject("rules", "can't be used:\n" + e.getMessage());
    }
  }
}
