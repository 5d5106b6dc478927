// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class FileKindTest {

  private static final String TEXT =
      "2026-11-20 12:00:01,234 INFO namenode: block 1234\n".repeat(900);

  @Test
  void tellsKindsByContent() throws Exception {
    assertKind(FileKind.TEXT, TEXT.getBytes(StandardCharsets.UTF_8));
    assertKind(FileKind.TEXT, "Übergröße, ゆき\n".repeat(50).getBytes(StandardCharsets.UTF_8));
    assertKind(FileKind.COLUMNAR, start("PAR1", 5000));
    assertKind(FileKind.DISK_IMAGE, start("QFI\u00fb", 5000));
    assertKind(FileKind.MEDIA, start("\u00ff\u00d8\u00ff", 5000));
    assertKind(FileKind.MEDIA, start("RIFF1234AVI ", 5000));
    assertKind(FileKind.MEDIA, start("\0\0\0\u0020ftypisom", 5000));
    byte[] tar = new byte[2000];
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
    assertKind(FileKind.ARCHIVE, tar);
    byte[] boot = new byte[4096];
    boot[510] = 0x55;
    boot[511] = (byte) 0xaa;
    assertKind(FileKind.DISK_IMAGE, boot);
    assertKind(FileKind.BINARY, new byte[3000]);
    assertKind(FileKind.BINARY, new byte[0]);
  }

  @Test
  void recognizesCompressedAndEncryptedDataWithAndWithoutAName() throws Exception {
    StringBuilder varied = new StringBuilder();
    Random random = new Random(3);
    for (int i = 0; i < 60_000; i++) {
      varied.append(random.nextInt(1_000_000)).append(' ');
    }
    byte[] text = varied.toString().getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
      out.write(text);
    }
    ByteArrayOutputStream nameless = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(nameless)) {
      out.write(text);
    }
    assertKind(FileKind.TEXT, text);
    assertKind(FileKind.PACKED, gzip.toByteArray());
    assertKind(FileKind.PACKED, nameless.toByteArray());
    for (int length : new int[] {1024, 2000, 4096, 20_000, FileKind.SAMPLE}) {
      byte[] encrypted = new byte[length];
      for (int seed = 0; seed < 20; seed++) {
        new Random(seed).nextBytes(encrypted);
        encrypted[0] = 0;
        assertKind(FileKind.PACKED, encrypted);
      }
    }
  }

  /** Machine code and numbers in binary are dense, but not random. */
  @Test
  void denseBinaryDataIsNotTakenForRandom() {
    byte[] numbers = new byte[64 << 10];
    Random random = new Random(1);
    for (int i = 0; i < numbers.length; i += 4) {
      int value = (int) Math.abs(random.nextGaussian() * 100_000);
      for (int b = 0; b < 4; b++) {
        numbers[i + b] = (byte) (value >>> (8 * b));
      }
    }
    assertKind(FileKind.BINARY, numbers);
  }

  private static void assertKind(FileKind kind, byte[] data) {
    int length = Math.min(data.length, FileKind.SAMPLE);
    assertEquals(kind, FileKind.of(Arrays.copyOf(data, length), length));
  }

  private static byte[] start(String magic, int length) {
    byte[] data = new byte[length];
    byte[] bytes = magic.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, data, 0, bytes.length);
    return data;
  }
}
