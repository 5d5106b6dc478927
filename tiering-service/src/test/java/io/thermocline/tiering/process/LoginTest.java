// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where a login can't be; that it can be, {@code SecureClusterTest} sees. */
class LoginTest {

  @Test
  void leavesAClusterWithoutKerberosAlone() {
    assertDoesNotThrow(() -> Login.to(new Configuration(false), null));
  }

  @Test
  void refusesAKeytabWhereTheConfigurationKnowsNoKerberos(@TempDir Path directory)
      throws IOException {
    String said = refused(Files.writeString(directory.resolve("t.keytab"), "x"));
    assertTrue(said.contains("hadoop.security.authentication = simple"), said);
  }

  @Test
  void saysHowToMakeAKeytabThatIsNotThere() {
    String said = refused(Path.of("/nowhere/t.keytab"));
    assertTrue(
        said.startsWith("hdfs.kerberos.keytab: /nowhere/t.keytab isn't there or can't be read"),
        said);
    assertTrue(said.contains("in kadmin: ktadd -k /nowhere/t.keytab thermocline/"), said);
  }

  private static String refused(Path keytab) {
    ServiceConfig.Keytab named = new ServiceConfig.Keytab("thermocline/_HOST@EXAMPLE.ORG", keytab);
    return assertThrows(IOException.class, () -> Login.to(new Configuration(false), named))
        .getMessage();
  }
}
