// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileContentsTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 8, 9, 65_535, 65_536, 65_537, 1_000_003})
  void streamWriterAndChecksumAgree(long bytes) throws IOException {
    WorkloadFile file = new WorkloadFile("/f", bytes, 42);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    FileContents.writeTo(written, file);
    byte[] read;
    try (InputStream in = FileContents.stream(file)) {
      read = in.readAllBytes();
    }
    assertEquals(bytes, read.length);
    assertArrayEquals(read, written.toByteArray());
    CRC32C crc = new CRC32C();
    crc.update(read);
    assertEquals(crc.getValue(), FileContents.crc32c(file));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 13})
  void theContentDoesNotDependOnHowItIsRead(int piece) throws IOException {
    WorkloadFile file = new WorkloadFile("/f", 1_001, 42);
    byte[] whole = FileContents.stream(file).readAllBytes();
    InputStream in = FileContents.stream(file);
    byte[] read = new byte[1_001];
    int done = 0;
    while (done < read.length) {
      done += in.read(read, done, Math.min(piece, read.length - done));
    }
    assertArrayEquals(whole, read);
    assertEquals(-1, in.read());
  }

  @Test
  void contentsDiffer() throws IOException {
    WorkloadFile file = new WorkloadFile("/f", 1_000, 42);
    byte[] first = FileContents.stream(file).readAllBytes();
    byte[] other = FileContents.stream(new WorkloadFile("/f", 1_000, 43)).readAllBytes();
    assertFalse(Arrays.equals(first, other));
    assertNotEquals(
        FileContents.crc32c(file), FileContents.crc32c(new WorkloadFile("/f", 999, 42)));
  }
}
