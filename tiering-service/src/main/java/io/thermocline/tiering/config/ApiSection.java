// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.api.Localhost;
import java.util.List;
import java.util.Optional;

/** Reads section api of thermocline.yaml; without it there is no REST interface. */
final class ApiSection {

  static final String DEFAULT = "127.0.0.1:8480";

  private static final int MOST_PORT = 65_535;

  private ApiSection() {}

  static ServiceConfig.Api read(YamlSection top) {
    Optional<YamlSection> section = top.optionalSection("api");
    if (section.isEmpty()) {
      return new ServiceConfig.Api(null, 0, ApiSecuritySection.NONE, List.of());
    }
    ServiceConfig.Api api = listen(section.get());
    section.get().rejectUnknown();
    return api;
  }

  private static ServiceConfig.Api listen(YamlSection section) {
    ServiceConfig.Security security = ApiSecuritySection.read(section);
    String text = section.text("listen", DEFAULT);
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|\\]$", "");
    int port = colon < 0 ? -1 : port(text.substring(colon + 1));
    if (host.isEmpty() || port < 0) {
      section.reject("listen", "expected host:port like " + DEFAULT + ", found '" + text + "'");
    } else if (!Localhost.isHere(host) && !security.isOn()) {
      section.reject(
          "listen",
          "expected 127.0.0.1, [::1] or localhost as the host, found '"
              + host
              + "': without authentication (api.tokens, api.kerberos) the service listens on its own host alone");
    } else if (!Localhost.isHere(host) && security.tls() == null) {
      section.reject(
          "listen",
          "expected api.tls beside it, found none: tokens and sessions could be read on the way");
    }
    return new ServiceConfig.Api(host, Math.max(0, port), security, List.of());
  }

  /** -1 where it is none. */
  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port >= 0 && port <= MOST_PORT ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
