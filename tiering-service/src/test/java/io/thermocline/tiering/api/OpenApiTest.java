// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The document in docs/ is what the code answers. */
class OpenApiTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("project.root"), "docs/openapi.json");

  /** All that a service has; nothing of them is asked here. */
  private static List<Resource> resources() {
    return List.of(new HealthResource(Optional::empty), new HintResource(null));
  }

  @Test
  void documentIsOfTheseRoutes() throws Exception {
    String made =
        Json.MAPPER
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(OpenApi.of(ApiServer.routes(resources())))
            + "\n";
    if (Boolean.getBoolean("openapi.write")) {
      Files.writeString(DOCUMENT, made);
    }
    assertEquals(
        made,
        Files.readString(DOCUMENT),
        "docs/openapi.json isn't of these routes: if the change is meant, write it anew with"
            + " mvn -pl tiering-service -am test -Dtest=OpenApiTest -Dopenapi.write=true");
  }

  private record Odd(Thread thread) {}

  @Test
  void refusesWhatHasNoSchema() {
    Resource odd = () -> List.of(Route.get("/odd", "Odd.").answers(Odd.class, request -> null));
    assertThrows(IllegalArgumentException.class, () -> ApiServer.routes(List.of(odd)));
  }
}
