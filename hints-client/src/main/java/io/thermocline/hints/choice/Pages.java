// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Where web pages come from. */
@FunctionalInterface
public interface Pages {
  /**
   * The page at an address.
   *
   * @throws IOException if there is none, or not in time
   */
  String get(String url) throws IOException;

  /**
   * Pages over HTTP.
   *
   * @param timeoutMillis for connecting, and for each wait for more
   */
  static Pages overHttp(int timeoutMillis) {
    return url -> {
      HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
      connection.setConnectTimeout(timeoutMillis);
      connection.setReadTimeout(timeoutMillis);
      connection.setInstanceFollowRedirects(false);
      try {
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
          throw new IOException(url + " answered " + connection.getResponseCode());
        }
        try (InputStream in = connection.getInputStream()) {
          ByteArrayOutputStream page = new ByteArrayOutputStream();
          byte[] part = new byte[8192];
          for (int read = in.read(part); read >= 0; read = in.read(part)) {
            page.write(part, 0, read);
          }
          return new String(page.toByteArray(), StandardCharsets.UTF_8);
        }
      } finally {
        connection.disconnect();
      }
    };
  }
}
