// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Users that a service knows by tokens, each of which lies in a file as a user keeps it. */
final class Callers {

  private static final int TIMEOUT_MILLIS = 30_000;

  private final Path directory;

  /**
   * Draws a token for each.
   *
   * @param directory of the files
   */
  Callers(Path directory, Map<String, Role> roles) throws IOException {
    this.directory = directory;
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Role> user : roles.entrySet()) {
      String token = Tokens.draw(new SecureRandom());
      Files.writeString(file(user.getKey()), token);
      lines.add(Tokens.line(user.getKey(), user.getValue(), token));
    }
    Files.write(tokens(), lines);
  }

  /** The service takes hints, and knows these users. */
  ServiceSetup known(ServiceSetup setup) {
    return setup
        .replace("enabled: off", "enabled: on")
        .replace("# tokens: /etc/thermocline/tokens", "tokens: " + tokens());
  }

  private Path tokens() {
    return directory.resolve("tokens");
  }

  /** Of a user's token. */
  Path file(String user) {
    return directory.resolve(user + ".token");
  }

  String token(String user) throws IOException {
    return Files.readString(file(user));
  }

  /**
   * A user's client.
   *
   * @param addresses of services, by commas
   */
  ServiceClient client(String addresses, String user) throws IOException {
    return ServiceClient.of(
        addresses, Connections.plain(user, TIMEOUT_MILLIS).bearing(token(user)));
  }
}
