// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

class PluginOnHadoop343Test extends PluginOnProcesses {
  PluginOnHadoop343Test() {
    super("3.4.3");
  }
}
