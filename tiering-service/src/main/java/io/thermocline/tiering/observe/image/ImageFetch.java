// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.HadoopWeb;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Fetches the latest image from the web server of a NameNode, as {@code hdfs dfsadmin -fetchImage} does: with
 * Kerberos it takes an administrator's login. The servlet can't serve a part, so a broken transfer begins again.
 */
public final class ImageFetch {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern NAME = Pattern.compile("fsimage_[0-9]+");

  private final URI web;
  private final Configuration conf;
  private final LongSupplier nanos;

  /**
   * @param web for instance http://namenode:9870
   * @param conf of TLS and of the login
   * @param nanos monotonic, for the time left
   */
  public ImageFetch(URI web, Configuration conf, LongSupplier nanos) {
    this.web = web;
    this.conf = conf;
    this.nanos = nanos;
  }

  /** Is told now and then, on the thread that fetches. */
  @FunctionalInterface
  public interface Listener {
    /** @param secondsLeft NaN while it can't be told */
    void received(long bytes, long of, double secondsLeft);
  }

  /**
   * Leaves the image under the NameNode's own name for it, with its digest beside; nothing is fetched where it is
   * there.
   *
   * @param directory there must be one
   * @throws IOException where the NameNode refuses, or what came isn't what it has; then nothing is left
   */
  public Path fetch(Path directory, Listener listener) throws IOException {
    HttpURLConnection connection = connect();
    try {
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException(
            connection.getURL()
                + " answered with status "
                + status
                + ", "
                + connection.getResponseMessage());
      }
      String name = connection.getHeaderField("X-Image-Edits-Name");
      long length = connection.getHeaderFieldLong("Content-Length", -1);
      String digest = connection.getHeaderField("X-MD5-Digest");
      // It becomes the name of a file.
      if (name == null || !NAME.matcher(name).matches() || length < 0) {
        throw new IOException(
            connection.getURL()
                + " answered with no image, but "
                + name
                + ", "
                + length
                + " bytes");
      }
      Path image = directory.resolve(name);
      if (isThere(image, length, digest)) {
        return image;
      }
      // One name for all, so that one that was left by a crash is written over.
      Path part = directory.resolve("fsimage.part");
      try {
        receive(connection, part, length, digest, listener);
        Files.move(
            part, image, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (digest != null) {
          ImageDigest.store(image, digest);
        }
      } finally {
        Files.deleteIfExists(part);
      }
      return image;
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection connect() throws IOException {
    return new HadoopWeb(conf, PATIENCE).open(web.resolve("/imagetransfer?getimage=1&txid=latest"));
  }

  private static boolean isThere(Path image, long length, String digest) throws IOException {
    if (digest == null || !Files.exists(image) || Files.size(image) != length) {
      return false;
    }
    try {
      ImageDigest.store(image, digest);
      return ImageDigest.check(image) == ImageDigest.Result.EQUAL;
    } catch (ImageFormatException e) {
      return false;
    }
  }

  private void receive(
      HttpURLConnection connection, Path part, long length, String expected, Listener listener)
      throws IOException {
    MessageDigest digest = ImageDigest.md5();
    byte[] buffer = new byte[1 << 18];
    long start = nanos.getAsLong();
    long received = 0;
    long said = 0;
    try (InputStream in = connection.getInputStream();
        OutputStream out = Files.newOutputStream(part)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        digest.update(buffer, 0, read);
        received += read;
        if (received - said >= 16 << 20 || received == length) {
          said = received;
          double seconds = (nanos.getAsLong() - start) / 1e9;
          listener.received(received, length, seconds * (length - received) / received);
        }
      }
    }
    if (received != length) {
      throw new ImageFormatException(
          connection.getURL() + " ended after " + received + " of " + length + " bytes: try again");
    }
    if (expected != null) {
      ImageDigest.expect(connection.getURL().toString(), expected, digest);
    }
  }
}
