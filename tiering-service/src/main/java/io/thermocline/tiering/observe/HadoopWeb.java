// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Opens pages of Hadoop's web servers as Hadoop's own tools do: over TLS by its ssl-client.xml,
 * and where Kerberos is on with the ticket of the current user (SPNEGO), which is renewed from
 * its keytab in time. Thread-safe.
 */
public final class HadoopWeb {

  private final URLConnectionFactory connections;

  /**
   * @param conf of TLS and of the login
   * @param patience for connecting, and for each wait for more
   */
  public HadoopWeb(Configuration conf, Duration patience) {
    int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(millis, millis, conf);
  }

  /**
   * A connection that is not yet used.
   *
   * @throws IOException where the server can't be asked, or doesn't take who we are
   */
  public HttpURLConnection open(URI page) throws IOException {
    try {
      // A login has its ticket where it acts only, whichever thread asks.
      return UserGroupInformation.getCurrentUser()
          .doAs((PrivilegedExceptionAction<HttpURLConnection>) () -> connect(page));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /**
   * What is there, as text; as JSON from a page that has several formats.
   *
   * @throws IOException also where it isn't answered with 200
   */
  public String text(URI page) throws IOException {
    HttpURLConnection connection = open(page);
    try {
      connection.setRequestProperty("Accept", "application/json");
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new IOException(page + " answered with status " + connection.getResponseCode());
      }
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection connect(URI page) throws IOException {
    try {
      return (HttpURLConnection)
          connections.openConnection(page.toURL(), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException(page.resolve("/") + " doesn't know who we are: " + e.getMessage(), e);
    }
  }
}
