// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

class OperateOnHadoop350Test extends OperateOnProcesses {
  OperateOnHadoop350Test() {
    super("3.5.0");
  }
}
