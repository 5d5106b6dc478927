// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

class PluginOnHadoop336Test extends PluginOnProcesses {
  PluginOnHadoop336Test() {
    super("3.3.6");
  }
}
