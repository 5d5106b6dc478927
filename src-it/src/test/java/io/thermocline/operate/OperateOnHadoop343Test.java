// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

class OperateOnHadoop343Test extends OperateOnProcesses {
  OperateOnHadoop343Test() {
    super("3.4.3");
  }
}
