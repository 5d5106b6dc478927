// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Against a server that answers as OSV does. */
class VulnerabilitiesTest {

  private static final String BILL =
      """
      {"components": [
        {"group": "a", "name": "x", "purl": "pkg:maven/a/x@1?type=jar"},
        {"group": "io.thermocline", "name": "t", "purl": "pkg:maven/io.thermocline/t@1?type=jar"},
        {"group": "b", "name": "y", "purl": "pkg:maven/b/y@2?type=jar"}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private volatile String answer;
  private volatile String asked;
  private HttpServer server;

  @TempDir Path directory;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/querybatch",
        exchange -> {
          asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void namesWhatIsKnownOfEachComponent() throws IOException {
    answer = "{\"results\": [{}, {\"vulns\": [{\"id\": \"GHSA-1\"}, {\"id\": \"GHSA-2\"}]}]}";

    assertEquals(1, run());

    assertTrue(out.toString().contains("pkg:maven/b/y@2: https://osv.dev/GHSA-2"), out::toString);
    assertTrue(out.toString().contains("2 components, 2 known"), out::toString);
    assertTrue(asked.contains("{\"package\":{\"purl\":\"pkg:maven/a/x@1\"}}"), asked);
    assertFalse(asked.contains("thermocline"), asked);
  }

  @Test
  void isQuietWhereNothingIsKnown() throws IOException {
    answer = "{\"results\": [{}, {}]}";
    assertEquals(0, run());
  }

  /** Nothing found is not the same as nothing asked. */
  @Test
  void saysSoWhereTheDatabaseCannotBeAsked() throws IOException {
    answer = "{\"results\": []}";
    assertEquals(3, run());
    server.stop(0);
    assertEquals(3, run());
    assertTrue(err.toString().contains("nothing is known"), err::toString);
  }

  private int run() throws IOException {
    Path file = Files.writeString(directory.resolve("sbom.json"), BILL);
    return new CommandLine(new VulnerabilitiesMain())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            file.toString(), "--osv", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }
}
