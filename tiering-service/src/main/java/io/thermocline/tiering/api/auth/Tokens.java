// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Bearer tokens, for programs and for people without Kerberos: a file with a line {@code name role digest} for each, the
 * SHA-256 of the token in hexadecimal, so that nobody who reads the file can use it. Tokens are drawn by
 * {@link #draw}, 256 bits each, which is why a plain digest is enough.
 */
public final class Tokens {

  private static final int TOKEN_BYTES = 32;
  private static final int DIGEST_CHARACTERS = 64;

  private final List<Entry> entries;

  private record Entry(Caller caller, byte[] digest) {}

  private Tokens(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * Reads the file. Empty lines and those that begin with # say nothing.
   *
   * @throws IOException where it can't be read, or with every line that is wrong
   */
  public static Tokens read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    List<String> lines = RegularFiles.text(file).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String[] words = line.split("\\s+");
        Optional<Role> role = words.length == 3 ? role(words[1]) : Optional.empty();
        Optional<byte[]> digest = words.length == 3 ? digest(words[2]) : Optional.empty();
        if (role.isPresent() && digest.isPresent()) {
          entries.add(new Entry(new Caller(words[0], role.get()), digest.get()));
        } else {
          // Without the line itself: it may be a token that somebody pasted.
          problems.add("line " + (i + 1) + " is not: name role digest");
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new IOException(
          file
              + ": "
              + String.join("; ", problems)
              + "; roles are "
              + Arrays.stream(Role.values()).map(Tokens::word).collect(Collectors.joining(", "))
              + ", and `thermocline token` makes such lines");
    }
    return new Tokens(List.copyOf(entries));
  }

  /** Whose a token is. Takes as long for a wrong one as for a right one. */
  public Optional<Caller> of(String token) {
    return of(sha256(token));
  }

  /**
   * @param digest of a token
   */
  Optional<Caller> of(byte[] digest) {
    Caller found = null;
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(entry.digest(), digest)) {
        found = entry.caller();
      }
    }
    return Optional.ofNullable(found);
  }

  /** A new token. */
  public static String draw(SecureRandom random) {
    byte[] token = new byte[TOKEN_BYTES];
    random.nextBytes(token);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** The line of the file for a token. */
  public static String line(String name, Role role, String token) {
    return name + " " + word(role) + " " + HexFormat.of().formatHex(sha256(token));
  }

  private static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private static Optional<Role> role(String word) {
    return Arrays.stream(Role.values()).filter(role -> word(role).equals(word)).findFirst();
  }

  private static Optional<byte[]> digest(String text) {
    try {
      return text.length() == DIGEST_CHARACTERS
          ? Optional.of(HexFormat.of().parseHex(text))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
