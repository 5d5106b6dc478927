// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.HintClient;
import io.thermocline.hints.client.HintClientSettings;
import io.thermocline.hints.client.HintServer;
import io.thermocline.hints.client.ServiceClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that ends with hints that it had no time to send. */
class UnsentHintsTest {

  private static final int TIMEOUT_MILLIS = 10_000;

  /** In the process: clients that would wait for an hour for more hints, and are closed by nobody. */
  static final class Application {
    private Application() {}

    public static void main(String[] args) {
      HintClientSettings patient =
          HintClientSettings.DEFAULT.batches(200, Duration.ofHours(1).toMillis());
      for (String user : List.of("alice", "bob")) {
        HintClient client =
            new HintClient(
                ServiceClient.of(args[0], Connections.plain(user, TIMEOUT_MILLIS)),
                user,
                patient,
                () -> 0);
        if (args[1].equals("watched")) {
          UnsentHints.watch(client);
        }
        client.give(Hint.onFile(Operation.PREFETCH, "/of/" + user), Duration.ofHours(2));
        System.out.println(client.counts());
      }
    }
  }

  @Test
  void areSentWhenTheProcessEnds() throws Exception {
    try (HintServer server = new HintServer()) {
      run(server.address(), "watched");
      assertEquals(
          List.of("/of/alice", "/of/bob"),
          server.hints.stream().map(Hint::target).sorted().toList());
    }
  }

  @Test
  void wouldBeLostOtherwise() throws Exception {
    try (HintServer server = new HintServer()) {
      run(server.address(), "left");
      assertEquals(List.of(), server.hints);
    }
  }

  @Test
  void aServiceThatIsDownHoldsTheEndUpForAMomentOnly() throws Exception {
    // Of a port that nobody listens at: it ends by itself, and with its own status.
    run("http://localhost:1", "watched");
  }

  private static void run(String address, String how) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Application.class.getName(),
                address,
                how)
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(1, TimeUnit.MINUTES), said);
      assertEquals(0, process.exitValue(), said);
      assertEquals(2, said.split("given", -1).length - 1, said);
    } finally {
      process.destroyForcibly();
    }
  }
}
