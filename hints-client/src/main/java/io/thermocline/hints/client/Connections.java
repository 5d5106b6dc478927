// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

/**
 * Opens connections, not yet connected: where timeouts, TLS and the proof of who asks are added,
 * as by {@link Tickets} for Kerberos.
 */
@FunctionalInterface
public interface Connections {

  /**
   * The header with the user's name, where the service believes it: on one host, without
   * authentication.
   */
  String USER_HEADER = "X-Thermocline-User";

  HttpURLConnection open(URL url) throws IOException;

  /** The same, proving who asks by a token that the service knows. */
  default Connections bearing(String token) {
    return url -> {
      HttpURLConnection connection = open(url);
      connection.setRequestProperty("Authorization", "Bearer " + token);
      return connection;
    };
  }

  /**
   * Connections that name the user and prove nothing.
   *
   * @param timeoutMillis for connecting, and for each wait for more
   */
  static Connections plain(String user, int timeoutMillis) {
    return url -> {
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(timeoutMillis);
      connection.setReadTimeout(timeoutMillis);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty(USER_HEADER, user);
      return connection;
    };
  }
}
