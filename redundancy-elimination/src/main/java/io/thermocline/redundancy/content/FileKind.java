// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.content;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a file holds, told from its first bytes; names aren't looked at. */
public enum FileKind {
  /** Logs, JSON, CSV, HTML, mail, dumps. */
  TEXT,
  /** Parquet and ORC: compressed inside, column by column. */
  COLUMNAR,
  /** Tar, and sequence files that aren't compressed. */
  ARCHIVE,
  /** Disks of virtual machines. */
  DISK_IMAGE,
  /** Pictures, sound, video: compressed by their codec. */
  MEDIA,
  /** Compressed or encrypted: nothing but an identical copy shrinks. */
  PACKED,
  BINARY;

  /** Bytes of a file's start that are enough to tell. */
  public static final int SAMPLE = 64 << 10;

  /** Fewer bytes say too little of their distribution. */
  private static final int MIN_FOR_ENTROPY = 1024;

  private static final Map<FileKind, List<String>> STARTS =
      Map.of(
          COLUMNAR, List.of("PAR1", "ORC"),
          PACKED,
              List.of(
                  "\u001f\u008b",
                  "BZh",
                  "\u00fd7zXZ\0",
                  "\u0028\u00b5\u002f\u00fd",
                  "PK\u0003\u0004",
                  "7z\u00bc\u00af\u0027\u001c",
                  "\u0004\"M\u0018",
                  "Salted__"),
          MEDIA,
              List.of(
                  "\u00ff\u00d8\u00ff",
                  "\u0089PNG",
                  "GIF8",
                  "OggS",
                  "ID3",
                  "fLaC",
                  "\u001a\u0045\u00df\u00a3"),
          DISK_IMAGE, List.of("QFI\u00fb", "KDMV", "conectix"));

  /**
   * @param data the file's first bytes, at best {@link #SAMPLE} of them or all
   */
  public static FileKind of(byte[] data, int length) {
    for (Map.Entry<FileKind, List<String>> kind : STARTS.entrySet()) {
      if (kind.getValue().stream().anyMatch(start -> has(data, length, 0, start))) {
        return kind.getKey();
      }
    }
    if (has(data, length, 4, "ftyp")
        || has(data, length, 0, "RIFF") && !has(data, length, 8, "CDR")) {
      return MEDIA;
    }
    if (has(data, length, 257, "ustar")) {
      return ARCHIVE;
    }
    if (has(data, length, 510, "\u0055\u00aa")
        || has(data, length, 1080, "\u0053\u00ef")
        || has(data, length, 32769, "CD001")) {
      return DISK_IMAGE;
    }
    if (looksPacked(data, length)) {
      return PACKED;
    }
    return looksLikeText(data, length) ? TEXT : BINARY;
  }

  private static boolean has(byte[] data, int length, int at, String bytes) {
    byte[] expected = bytes.getBytes(StandardCharsets.ISO_8859_1);
    int end = at + expected.length;
    return length >= end && Arrays.equals(data, at, end, expected, 0, expected.length);
  }

  /** Whether bytes are distributed as evenly as random ones, with three times their usual deviation. */
  private static boolean looksPacked(byte[] data, int length) {
    if (length < MIN_FOR_ENTROPY) {
      return false;
    }
    int[] counts = new int[256];
    for (int i = 0; i < length; i++) {
      counts[data[i] & 0xff]++;
    }
    double bits = 0;
    for (int count : counts) {
      if (count > 0) {
        double share = (double) count / length;
        bits -= share * Math.log(share) / Math.log(2);
      }
    }
    // Entropy of random bytes that is expected of a sample of this length.
    double missing = 255 / (2 * length * Math.log(2));
    return bits > 8 - Math.max(0.02, 1.5 * missing);
  }

  /** Few control characters; any other byte may be of a character set. */
  private static boolean looksLikeText(byte[] data, int length) {
    int control = 0;
    for (int i = 0; i < length; i++) {
      int value = data[i] & 0xff;
      if (value == 0) {
        return false;
      }
      if (value < 0x20 && value != '\n' && value != '\r' && value != '\t' && value != '\f') {
        control++;
      }
    }
    return length > 0 && control <= length / 100;
  }
}
