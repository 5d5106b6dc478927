// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.wire.HintError;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceClientTest {

  @Test
  void asksForResources() throws Exception {
    try (HintServer server = new HintServer()) {
      ServiceClient client = to(server.address() + "/");
      String files = "/files?path=" + ServiceClient.escaped("/a b/ä&c");
      assertEquals(
          Map.of("asked", "/api/v1/files?path=%2Fa%20b%2F%C3%A4%26c", "sent", ""),
          client.get(files));
      assertEquals(
          Map.of("asked", "/api/v1/control/pause", "sent", "{\"dryRun\":false}"),
          client.post("/control/pause", Map.of("dryRun", false)));
      server.trouble = Map.entry(204, "");
      assertNull(client.delete("/hints/1.pin"));
    }
  }

  @Test
  void errorsSayWhatTheServiceSaid() throws Exception {
    try (HintServer server = new HintServer()) {
      server.trouble = HintServer.error(HintError.NO_SUCH_HINT);
      ServiceException e =
          assertThrows(ServiceException.class, () -> to(server.address()).delete("/hints/7"));
      assertEquals(HintError.NO_SUCH_HINT, e.error());
      assertEquals("NO_SUCH_HINT: trouble; wait", e.getMessage());

      server.trouble = Map.entry(404, "<html>nginx</html>");
      e = assertThrows(ServiceException.class, () -> to(server.address()).get("/hints"));
      assertEquals(HintError.NO_SUCH_RESOURCE, e.error());
      assertEquals(
          server.address()
              + " answered 404: <html>nginx</html>; is it the address of the tiering service, and is"
              + " that as new as this client?",
          e.getMessage());
    }
  }

  @Test
  void whatAnInstanceSaidCountsMoreThanAnotherThatIsDown() throws Exception {
    HintServer down = new HintServer();
    down.close();
    try (HintServer server = new HintServer()) {
      server.trouble = HintServer.error(HintError.NOT_READY);
      for (String order :
          List.of(
              down.address() + "," + server.address(), server.address() + "," + down.address())) {
        ServiceException e =
            assertThrows(ServiceException.class, () -> to(order).get("/state"), order);
        assertEquals(HintError.NOT_READY, e.error());
      }
    }
    ServiceException e =
        assertThrows(ServiceException.class, () -> to(down.address()).get("/state"));
    assertEquals(HintError.SERVICE_DOWN, e.error());
  }

  @Test
  void tooMuchIsSaidBeforeItIsSent() throws Exception {
    try (HintServer server = new HintServer()) {
      Hint large =
          Hint.onFile(Operation.PIN, "/" + "p".repeat(7999))
              .owner("o")
              .leaseExpiryMillis(1)
              .build();
      ServiceException e =
          assertThrows(
              ServiceException.class,
              () -> to(server.address()).give(Collections.nCopies(1000, large), 0, false));
      assertEquals(HintError.BODY_TOO_LARGE, e.error());
      assertTrue(server.users.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " , ", "tiering:8480", "ftp://a:1", "http://", "http://a:1/x", "::"})
  void addressesAreChecked(String addresses) {
    String message = assertThrows(IllegalArgumentException.class, () -> to(addresses)).getMessage();
    assertTrue(message.contains("such as https://tiering1:8480"), message);
  }

  private static ServiceClient to(String addresses) {
    return ServiceClient.of(addresses, Connections.plain("alice", 20_000));
  }
}
