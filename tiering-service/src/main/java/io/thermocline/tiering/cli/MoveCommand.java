// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import io.thermocline.placement.model.StorageType;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Once, whatever the heat. */
@Command(
    name = "move",
    description = {
      "Brings a file, or the files below a directory, to a storage type once.",
      "",
      "Makes a plan of its own, which is approved, carried out, cancelled and undone as any other. Without --why or"
          + " --yes, only prints what would move, and what stays and why. Rules, caps and room count. Afterwards heat"
          + " decides again: use a rule to keep a path where it is."
    })
final class MoveCommand extends ChangeCommand {
  @Parameters(index = "0", paramLabel = "PATH", description = "a file or directory in HDFS")
  private String path;

  @Parameters(index = "1", paramLabel = "TIER", description = "NVDIMM, SSD, DISK or ARCHIVE")
  private StorageType type;

  @Override
  String path() {
    return "/moves";
  }

  @Override
  Map<String, ?> fields() {
    return Map.of("path", path, "type", type);
  }
}
