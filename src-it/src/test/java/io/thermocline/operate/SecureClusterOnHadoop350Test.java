// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

/** The same on the newest line, in a run with all tests. */
class SecureClusterOnHadoop350Test extends SecureClusterTest {

  @Override
  String line() {
    return "3.5.0";
  }
}
