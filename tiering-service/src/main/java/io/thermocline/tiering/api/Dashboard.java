// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.RedirectHandler;
import io.undertow.server.handlers.SetHeaderHandler;
import io.undertow.server.handlers.resource.ClassPathResourceManager;
import io.undertow.server.handlers.resource.Resource;
import io.undertow.server.handlers.resource.ResourceHandler;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pages for people: files of this jar and of its two libraries', open to all; what they show
 * comes from the REST interface, as whoever is signed in. A browser runs no script but these,
 * and loads nothing from elsewhere.
 */
public final class Dashboard {

  /** Where the pages are. */
  public static final String ROOT = "/ui";

  private static final String PAGES = "io/thermocline/tiering/api/dashboard";

  private static final String FIRST = "/index.html";

  private static final Map<String, String> LIBRARIES =
      Map.of(
          "/lib/preact.js", "preact/10.28.0/dist/preact.umd.js",
          "/lib/hooks.js", "preact/10.28.0/hooks/dist/hooks.umd.js",
          "/lib/echarts.js", "echarts/5.5.0/echarts.min.js");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private Dashboard() {}

  /** The pages, below {@link #ROOT}, and what leads there from the root. */
  public static List<Mount> mounts() {
    HttpHandler toPages = new RedirectHandler(ROOT + "/");
    HttpHandler pages = guarded(new ResourceHandler(new Files()));
    HttpHandler first =
        exchange -> {
          // A jar need have no entries of directories, by which it would be found.
          if (exchange.getRelativePath().equals("/")) {
            exchange.setRelativePath(FIRST);
          }
          pages.handleRequest(exchange);
        };
    return List.of(
        new Mount("/", Optional.empty(), toPages),
        new Mount(
            ROOT,
            Optional.empty(),
            exchange ->
                (exchange.getRelativePath().isEmpty() ? toPages : first).handleRequest(exchange)));
  }

  /** What the pages load of libraries, below META-INF/resources/webjars in their jars. */
  public static Collection<String> libraryFiles() {
    return LIBRARIES.values();
  }

  /** The pages' own, and the libraries' under names without a version. */
  private static final class Files extends ClassPathResourceManager {

    private final ClassPathResourceManager libraries =
        new ClassPathResourceManager(
            Dashboard.class.getClassLoader(), "META-INF/resources/webjars");

    Files() {
      super(Dashboard.class.getClassLoader(), PAGES);
    }

    @Override
    public Resource getResource(String path) throws IOException {
      String library = LIBRARIES.get(path);
      return library == null ? super.getResource(path) : libraries.getResource(library);
    }
  }

  private static HttpHandler guarded(HttpHandler pages) {
    return header(
        "Content-Security-Policy",
        POLICY,
        header(
            "X-Content-Type-Options",
            "nosniff",
            header("Referrer-Policy", "no-referrer", header("Cache-Control", "no-cache", pages))));
  }

  private static HttpHandler header(String name, String value, HttpHandler next) {
    return new SetHeaderHandler(next, name, value);
  }
}
