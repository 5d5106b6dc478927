// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Times the patience that a text may take in all: a server that sends a byte now and then would hold a thread for ever. */
  private static final int WHOLE_TEXT = 4;

  /** Of a text: several times what a NameNode of ten thousand DataNodes says. */
  private static final int MOST_BYTES = 16 << 20;

  private static final int BUFFER_BYTES = 8192;

  private final URLConnectionFactory connections;
  private final long wholeMillis;

  /**
   * @param conf of TLS and of the login
   * @param patience for connecting, and for each wait for more
   */
  public HadoopWeb(Configuration conf, Duration patience) {
    int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    this.wholeMillis = (long) WHOLE_TEXT * millis;
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
   * @throws IOException also where it isn't answered with 200, not to its end within four times the
   *     patience, or is longer than 16 MB
   */
  public String text(URI page) throws IOException {
    HttpURLConnection connection = open(page);
    connection.setRequestProperty("Accept", "application/json");
    // Else what is left of a broken off answer is read in the background, for another connection.
    connection.setRequestProperty("Connection", "close");
    CompletableFuture<Void> late = new CompletableFuture<>();
    // Whose it is to end a wait: before there is a stream, a byte of a header now and then is a
    // wait without end too. A
    // stream that is being read must not be closed from outside, which waits for the read.
    AtomicBoolean isReading = new AtomicBoolean();
    late.orTimeout(wholeMillis, TimeUnit.MILLISECONDS)
        .whenComplete(
            (none, timeout) -> {
              if (timeout != null && isReading.compareAndSet(false, true)) {
                connection.disconnect();
              }
            });
    try {
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException(page + " answered with status " + status);
      }
      InputStream in = connection.getInputStream();
      if (!isReading.compareAndSet(false, true)) {
        throw new SocketTimeoutException();
      }
      return read(in, page, late);
    } catch (IOException e) {
      if (late.isDone()) {
        throw new IOException(page + " didn't answer to its end within " + wholeMillis + " ms", e);
      }
      throw e;
    } finally {
      late.complete(null);
      connection.disconnect();
    }
  }

  private String read(InputStream in, URI page, CompletableFuture<Void> late) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    int count;
    while ((count = in.read(buffer)) >= 0) {
      if (late.isDone()) {
        throw new SocketTimeoutException();
      }
      if (text.size() + count > MOST_BYTES) {
        throw new IOException(page + " answered with more than " + (MOST_BYTES >> 20) + " MB");
      }
      text.write(buffer, 0, count);
    }
    return text.toString(StandardCharsets.UTF_8);
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
