// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

  @Test
  void leavesOutTheStackTraceThatANameNodeSends() {
    assertEquals(
        "org.apache.hadoop.ipc.RemoteException(org.apache.hadoop.security.AccessControlException): denied to etl",
        FailureText.of(
            new RemoteException(
                "org.apache.hadoop.security.AccessControlException",
                "denied to etl\n\tat FSPermissionChecker.check(FSPermissionChecker.java:400)\n\tat b")));
    assertEquals("java.io.IOException", FailureText.of(new IOException()));
  }
}
