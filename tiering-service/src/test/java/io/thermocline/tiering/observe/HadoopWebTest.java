// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Drip;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real sockets. Each byte of a drip comes well within the patience. */
@Timeout(60)
class HadoopWebTest {

  private final HadoopWeb web = new HadoopWeb(new Configuration(false), Duration.ofMillis(200));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 100000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nffff\r\n",
        "X-Long: "
      })
  void endsADripOfItsOwnAccord(String begin) throws Exception {
    try (Drip server = new Drip(begin)) {
      IOException late = assertThrows(IOException.class, () -> web.text(server.uri()));

      assertTrue(
          late.getMessage().endsWith(" didn't answer to its end within 800 ms"), late::toString);
      assertTrue(server.awaitLeft(5, TimeUnit.SECONDS), "the connection is closed");
    }
  }

  @Test
  void takesNoMoreThanSoManyBytes() throws Exception {
    HadoopWeb patient = new HadoopWeb(new Configuration(false), Duration.ofSeconds(10));
    byte[] most = new byte[16 << 20];
    Arrays.fill(most, (byte) 'a');
    try (Drip server = new Drip("\r\n" + new String(most, StandardCharsets.US_ASCII))) {
      IOException tooMuch = assertThrows(IOException.class, () -> patient.text(server.uri()));

      assertEquals(server.uri() + " answered with more than 16 MB", tooMuch.getMessage());
      assertTrue(server.awaitLeft(5, TimeUnit.SECONDS), "the connection is closed");
    }
  }
}
