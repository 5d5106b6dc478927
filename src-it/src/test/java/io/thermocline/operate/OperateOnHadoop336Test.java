// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

class OperateOnHadoop336Test extends OperateOnProcesses {
  OperateOnHadoop336Test() {
    super("3.3.6");
  }
}
