// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Cap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads caps, of thermocline.yaml or of a rules file. */
final class CapSection {

  private CapSection() {}

  static List<Cap> read(YamlSection above) {
    List<Cap> caps = new ArrayList<>();
    for (YamlSection section : above.list("caps")) {
      String user = section.text("user", null);
      String group = section.text("group", null);
      String path = section.text("path", null);
      long named = Stream.of(user, group, path).filter(name -> name != null).count();
      if (named != 1 || path != null && !path.startsWith("/")) {
        section.reject(
            user != null ? "user" : group != null ? "group" : "path",
            "expected one of user, group and an absolute path");
      }
      StorageType type = section.choice("type", StorageType.SSD);
      if (!section.has("max")) {
        section.lacks("max", "how much they may take, for instance 10 TB");
      }
      long most = section.bytes("max", 0);
      Cap.Scope scope =
          user != null
              ? new Cap.Scope.Owner(user)
              : group != null
                  ? new Cap.Scope.Group(group)
                  : new Cap.Scope.Below(path == null ? "/" : path);
      caps.add(new Cap(scope, type, most, Cap.COUNTED));
      section.rejectUnknown();
    }
    return caps;
  }
}
