// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is said where a login can't be; that it can be, {@code SecureClusterTest} sees. */
class LoginTest {

  private static final ServiceConfig.Keytab KEYTAB =
      new ServiceConfig.Keytab("thermocline/_HOST@EXAMPLE.ORG", Path.of("/nowhere/t.keytab"));

  @Test
  void leavesAClusterWithoutKerberosAlone() {
    assertDoesNotThrow(() -> Login.to(new Configuration(false), null));
  }

  @Test
  void refusesAKeytabWhereTheConfigurationKnowsNoKerberos() {
    IOException refused =
        assertThrows(IOException.class, () -> Login.to(new Configuration(false), KEYTAB));
    assertTrue(
        refused.getMessage().contains("hadoop.security.authentication = simple"),
        refused::getMessage);
  }
}
