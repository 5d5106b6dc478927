// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The MD5 that a NameNode stores beside each image, in a file with .md5 after its name. */
public final class ImageDigest {

  private ImageDigest() {}

  /** What became of a check. */
  public enum Result {
    EQUAL,
    /** Nothing to compare with. */
    NO_DIGEST
  }

  /**
   * Reads the whole file.
   *
   * @throws ImageFormatException where it differs
   */
  public static Result check(Path image) throws IOException {
    Path beside = beside(image);
    if (!Files.exists(beside)) {
      return Result.NO_DIGEST;
    }
    String expected = RegularFiles.text(beside).split(" ")[0];
    MessageDigest digest = md5();
    byte[] buffer = new byte[1 << 18];
    try (InputStream in = RegularFiles.stream(image)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    expect(image.toString(), expected, digest);
    return Result.EQUAL;
  }

  static void expect(String what, String expected, MessageDigest digest)
      throws ImageFormatException {
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(expected.trim().toLowerCase(Locale.ROOT))) {
      throw new ImageFormatException(
          what + " is damaged: its MD5 is " + found + ", expected " + expected);
    }
  }

  static void store(Path image, String digest) throws IOException {
    Files.writeString(beside(image), digest + " *" + image.getFileName() + "\n");
  }

  private static Path beside(Path image) {
    return image.resolveSibling(image.getFileName() + ".md5");
  }

  static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has MD5", e);
    }
  }
}
