// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.OpenApi;
import io.thermocline.tiering.api.Resource;
import io.thermocline.tiering.api.Route;
import io.thermocline.tiering.config.ServiceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/reference says of the interface is what the code answers. */
class OpenApiTest {

  private static final Path DOCS = Path.of(System.getProperty("project.root"), "docs", "reference");

  @TempDir private Path temp;

  @Test
  void documentIsOfTheRoutes() throws Exception {
    Path document = DOCS.resolve("openapi.json");
    String made =
        Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(OpenApi.of(routes()))
            + "\n";
    if (Boolean.getBoolean("openapi.write")) {
      Files.writeString(document, made);
    }
    assertEquals(
        made,
        Files.readString(document),
        "docs/reference/openapi.json isn't of these routes: if the change is meant, write it anew with"
            + " mvn -pl tiering-service -am test -Dtest=OpenApiTest -Dopenapi.write=true");
  }

  @Test
  void pageNamesEveryRouteAndCode() throws Exception {
    String page = Files.readString(DOCS.resolve("rest.md"));
    for (Route route : routes()) {
      String name = "`" + route.method() + " " + route.path() + "`";
      assertTrue(page.contains(name), () -> "docs/reference/rest.md lacks " + name);
    }
    for (ErrorCode code : ErrorCode.values()) {
      String row = "| " + code + " | " + code.status() + " |";
      assertTrue(page.contains(row), () -> "docs/reference/rest.md lacks " + row);
    }
  }

  private List<Route> routes() throws Exception {
    try (ApiParts parts =
        new ApiParts(
            temp, ServiceConfig.Mode.APPLY, ServiceConfig.Approval.ONE, Clock.systemUTC())) {
      List<Resource> resources = new ArrayList<>(parts.resources());
      // There with hints.enabled: on; nothing of it is asked here.
      resources.add(new HintResource(null));
      return ApiServer.routes(resources);
    }
  }

  private record Odd(Thread thread) {}

  @Test
  void refusesWhatHasNoSchema() {
    Resource odd = () -> List.of(Route.get("/odd", "Odd.").answers(Odd.class, request -> null));
    assertThrows(IllegalArgumentException.class, () -> ApiServer.routes(List.of(odd)));
  }
}
