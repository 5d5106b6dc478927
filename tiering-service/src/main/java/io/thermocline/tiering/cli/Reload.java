// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import picocli.CommandLine.Command;

/** The file as it is now. */
@Command(
    name = "reload",
    description = {
      "Has the service read its thermocline.yaml again.",
      "",
      "Prints each key that changes, and whether at once, from the next plan on, or with a restart. A file with mistakes"
          + " is refused, and the service goes on with the configuration it has. Without --why or --yes, only prints what would change."
    })
final class Reload extends ChangeCommand {
  @Override
  String path() {
    return "/config/reload";
  }
}
