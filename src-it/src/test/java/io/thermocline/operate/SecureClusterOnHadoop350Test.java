// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import org.junit.jupiter.api.Tag;

/** The same on the newest line. With {@code bin/thermocline test --all} and where it is named. */
@Tag("on-demand")
class SecureClusterOnHadoop350Test extends SecureClusterTest {

  @Override
  String line() {
    return "3.5.0";
  }
}
