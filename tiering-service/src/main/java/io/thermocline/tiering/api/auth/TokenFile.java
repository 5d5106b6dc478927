// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a file as it is now: who takes a line out ends that token at once. A file that has become wrong, or went
 * away, lets nobody in until it is mended. Thread-safe.
 */
public final class TokenFile {

  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

  private final Path file;
  private Seen seen;
  private Optional<Tokens> tokens;

  /** What tells one state of a file from the next. */
  private record Seen(FileTime modified, long length, Object key) {
    static Seen of(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Seen(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
  }

  /**
   * @throws IOException where the file is missing or wrong
   */
  public TokenFile(Path file) throws IOException {
    this.file = file;
    this.seen = Seen.of(file);
    this.tokens = Optional.of(Tokens.read(file));
  }

  /** Whose a token is. */
  public Optional<Caller> of(String token) {
    return asItIsNow().flatMap(now -> now.of(token));
  }

  /** Whose a token is whenever that is asked, without keeping the token. */
  Supplier<Optional<Caller>> holder(String token) {
    byte[] digest = Tokens.sha256(token);
    return () -> asItIsNow().flatMap(now -> now.of(digest));
  }

  private synchronized Optional<Tokens> asItIsNow() {
    try {
      Seen now = Seen.of(file);
      if (!now.equals(seen)) {
        tokens = Optional.of(Tokens.read(file));
        seen = now;
        LOG.info("{}: tokens read again", file);
      }
    } catch (IOException e) {
      // Read again with each request: other permissions mend it, and look like no change.
      seen = null;
      if (tokens.isPresent()) {
        LOG.error("no token is taken until this is mended: {}", e.toString());
        tokens = Optional.empty();
      }
    }
    return tokens;
  }
}
