// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import org.junit.jupiter.api.Tag;

/** Tests of the plugin in one process are on this line. With {@code bin/thermocline test --all} and where it is named. */
@Tag("on-demand")
class PluginOnHadoop343Test extends PluginOnProcesses {
  PluginOnHadoop343Test() {
    super("3.4.3");
  }
}
