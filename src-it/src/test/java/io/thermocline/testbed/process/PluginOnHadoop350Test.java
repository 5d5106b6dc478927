// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

class PluginOnHadoop350Test extends PluginOnProcesses {
  PluginOnHadoop350Test() {
    super("3.5.0");
  }
}
