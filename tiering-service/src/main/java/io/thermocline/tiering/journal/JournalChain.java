// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The checksums of a journal's lines. Each line ends with {@code "crc":"before-own"}: the checksum of the line before it,
 * and the CRC-32C of that and of the line itself. So a line that was changed is found, and so is one that was removed,
 * replaced or moved. Lines of older versions have none, and count as 0; they come before all that have one. Not
 * thread-safe.
 */
final class JournalChain {

  private static final byte[] OPENING = ",\"crc\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENDING = "\"}".getBytes(StandardCharsets.US_ASCII);
  private static final HexFormat HEX = HexFormat.of();
  private static final int DIGITS = 8;
  private static final int SEAL = OPENING.length + 2 * DIGITS + 1 + ENDING.length;

  private int last;
  private boolean isSealed;

  /** What the first line of the next segment may follow: lines behind it were never known to be written. */
  private Set<Integer> before = Set.of();

  private Set<Integer> current = new HashSet<>();
  private boolean isFirst = true;
  private boolean isKnown;

  /** Checksum of the last line; 0 before the first that has one. */
  int last() {
    return last;
  }

  /**
   * A line with its checksum, without the newline.
   *
   * @param line a JSON object
   * @param before checksum of the line before
   */
  static byte[] seal(byte[] line, int before) {
    byte[] sealed = Arrays.copyOf(line, line.length - 1 + SEAL);
    ByteBuffer at = ByteBuffer.wrap(sealed).position(line.length - 1);
    at.put(OPENING).put(hex(before)).put((byte) '-').put(hex(crc(before, line, line.length)));
    at.put(ENDING);
    return sealed;
  }

  private static byte[] hex(int crc) {
    return HEX.toHexDigits(crc).getBytes(StandardCharsets.US_ASCII);
  }

  /** Of a line without its own checksum. */
  static int crc(int before, byte[] line, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, before));
    crc.update(line, 0, length);
    return (int) crc.getValue();
  }

  /** The next lines are those of the segment that follows. */
  void beginSegment() {
    if (!current.isEmpty()) {
      before = current;
      current = new HashSet<>();
      isKnown = true;
    }
    isFirst = true;
  }

  /**
   * Takes the next line.
   *
   * @return the line as it was before it got its checksum
   * @throws DamagedException where it isn't the one that was written there
   */
  byte[] open(byte[] sealed) throws DamagedException {
    int at = sealed.length - SEAL;
    if (!isSealed(sealed, at)) {
      if (isSealed) {
        throw new DamagedException(
            "it has no checksum, though lines before it have: it was changed, or added by something else");
      }
      step(0, 0);
      return sealed;
    }
    byte[] line = Arrays.copyOf(sealed, at + 1);
    line[at] = '}';
    int follows = number(sealed, at + OPENING.length);
    if (!Arrays.equals(seal(line, follows), sealed)) {
      throw new DamagedException("its checksum is wrong: the line was changed, or the disk failed");
    }
    boolean fits = isFirst ? !isKnown || before.contains(follows) : follows == last;
    if (!fits) {
      throw new DamagedException(
          isFirst
              ? "it doesn't follow the file before it: a file, or the end of one, is missing or was replaced"
              : "it doesn't follow the line before it: lines were removed, replaced or moved");
    }
    isSealed = true;
    step(follows, crc(follows, line, line.length));
    return line;
  }

  private void step(int follows, int own) {
    if (isFirst) {
      current.add(follows);
      isFirst = false;
    }
    current.add(own);
    last = own;
  }

  private static boolean isSealed(byte[] line, int at) {
    return at >= 1 && Arrays.equals(line, at, at + OPENING.length, OPENING, 0, OPENING.length);
  }

  /** 0 where there is none: the line then differs from what it should be. */
  private static int number(byte[] bytes, int from) {
    try {
      return HexFormat.fromHexDigits(new String(bytes, from, DIGITS, StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /** What is wrong with a line. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1;

    DamagedException(String message) {
      super(message);
    }
  }
}
