// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import org.junit.jupiter.api.Tag;

/** Most other tests of processes are on this line. With {@code bin/thermocline test --all} and where it is named. */
@Tag("on-demand")
class OperateOnHadoop343Test extends OperateOnProcesses {
  OperateOnHadoop343Test() {
    super("3.4.3");
  }
}
