// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A text file that others write, and what it says. {@link #poll} is for one thread, the rest for any.
 *
 * @param <T> what the text becomes; immutable
 */
final class WatchedFile<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private final Path path;
  private final Kind<T> kind;
  private final PlacementCounters counters;

  private volatile T content;

  /** Whether the file was missing at the last poll: one that is replaced may be for a moment. */
  private boolean isMissing;

  /** What is wrong with the file now; null if nothing is. */
  private volatile String complaint;

  /** Of the content that was dealt with; null where the file has to be looked into. */
  private String stamp;

  /** What kind of file it is, and what to do with it. Immutable. */
  static final class Kind<T> {
    private final String name;
    private final long mostBytes;
    private final T nothing;
    private final Parser<T> parser;
    private final boolean keepsTheLast;
    private final PlacementCounters.Event loaded;
    private final PlacementCounters.Event rejected;

    /**
     * @param nothing before the first, where the file was removed, and, unless the last good one is kept, where it is bad
     */
    Kind(
        String name,
        long mostBytes,
        T nothing,
        Parser<T> parser,
        boolean keepsTheLast,
        PlacementCounters.Event loaded,
        PlacementCounters.Event rejected) {
      this.name = name;
      this.mostBytes = mostBytes;
      this.nothing = nothing;
      this.parser = parser;
      this.keepsTheLast = keepsTheLast;
      this.loaded = loaded;
      this.rejected = rejected;
    }
  }

  /** Understands a text. */
  interface Parser<T> {
    /**
     * Never gives null.
     *
     * @throws BadText with what is wrong with it
     */
    T parse(String text) throws BadText;
  }

  /** The text can't be used. */
  static final class BadText extends Exception {
    private static final long serialVersionUID = 1L;

    BadText(String why) {
      super(why);
    }
  }

  /**
   * @param path null where none is configured
   */
  WatchedFile(Path path, Kind<T> kind, PlacementCounters counters) {
    this.path = path;
    this.kind = kind;
    this.counters = counters;
    this.content = kind.nothing;
  }

  T content() {
    return content;
  }

  boolean isConfigured() {
    return path != null;
  }

  /** Whether the file can't be used as it is now. */
  boolean isBad() {
    return complaint != null;
  }

  /** Reads the file if it changed since the last call. */
  void poll() {
    if (path == null) {
      return;
    }
    try {
      String now = stampNow();
      isMissing = false;
      if (now.equals(stamp)) {
        return;
      }
      String text = read();
      if (!now.equals(stampNow())) {
        // Written meanwhile: the next call finds it as it then is.
        return;
      }
      stamp = now;
      content = kind.parser.parse(text);
      boolean isNews = complaint != null;
      complaint = null;
      counters.count(kind.loaded);
      if (isNews || kind.keepsTheLast) {
        LOG.info("{} read from {}", kind.name, path);
      }
    } catch (BadText e) {
      reject(e.getMessage());
    } catch (RuntimeException e) {
      // Whatever it is that the parser didn't foresee, the text can't be used.
      reject(e.toString());
    } catch (NoSuchFileException e) {
      stamp = null;
      if (isMissing) {
        content = kind.nothing;
      }
      isMissing = true;
      reject("there is no such file");
    } catch (CharacterCodingException e) {
      stamp = null;
      reject("it is not UTF-8 text");
    } catch (IOException e) {
      stamp = null;
      reject(e.toString());
    }
  }

  private void reject(String why) {
    boolean keeps = kind.keepsTheLast && !isMissing;
    if (!kind.keepsTheLast) {
      content = kind.nothing;
    }
    if (why.equals(complaint)) {
      return;
    }
    complaint = why;
    counters.count(kind.rejected);
    LOG.error(
        "the {} file {} can't be used, {}: {}",
        kind.name,
        path,
        keeps ? "what it said before stays in force" : "so it counts as empty",
        why);
  }

  private String read() throws IOException {
    byte[] bytes = new byte[(int) Math.min(Files.size(path), kind.mostBytes) + 1];
    int length = 0;
    try (InputStream in = Files.newInputStream(path)) {
      // No more than fits, however the file grows meanwhile: this is the NameNode's memory.
      for (int read = 0; read >= 0 && length < bytes.length; length += Math.max(0, read)) {
        read = in.read(bytes, length, bytes.length - length);
      }
    }
    if (length > kind.mostBytes) {
      throw new IOException("it has more than " + kind.mostBytes + " bytes");
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
  }

  private String stampNow() throws IOException {
    BasicFileAttributes now = RegularFiles.attributes(path);
    return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
  }
}
