// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredServiceTest {

  /** It would keep the application that opens a file for good. */
  @Test
  @Timeout(20)
  void aFifoForTheTokenIsRefused(@TempDir Path directory) throws Exception {
    Path token = directory.resolve("token");
    assertEquals(0, new ProcessBuilder("mkfifo", token.toString()).start().waitFor());
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredService.TOKEN_FILE, token.toString());
    String why =
        assertThrows(
                IOException.class, () -> ConfiguredService.of(conf, "http://h:1", "alice", 1000))
            .getMessage();
    assertTrue(why.startsWith(token + ": is a FIFO"), why);
  }
}
