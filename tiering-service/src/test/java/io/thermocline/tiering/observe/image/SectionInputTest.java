// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class SectionInputTest {

  private static SectionInput of(byte[] bytes, int most) {
    // A source that gives little at a time, so that each value is cut somewhere.
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            return super.read(into, from, Math.min(length, most));
          }
        };
    return new SectionInput(in, position -> "here, byte " + position);
  }

  @Test
  void valuesAreReadHoweverTheyAreCut() throws IOException {
    long[] values = {0, 1, 127, 128, 300, 1L << 35, Long.MAX_VALUE, -1, Long.MIN_VALUE};
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (long value : values) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        bytes.write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }
    bytes.writeBytes(new byte[] {9, 8, 7, 6, 5});
    for (int most : new int[] {1, 2, 3, 7, 1000}) {
      SectionInput in = of(bytes.toByteArray(), most);
      for (long value : values) {
        assertEquals(value, in.varint());
      }
      byte[] rest = new byte[4];
      in.skipTo(in.position() + 1);
      in.bytes(rest, 4);
      assertArrayEquals(new byte[] {8, 7, 6, 5}, rest);
      assertEquals(bytes.size(), in.position());
      assertTrue(in.atEnd());
    }
  }

  @Test
  void whatIsDamagedIsSaidWithItsPlace() throws IOException {
    byte[] endless = new byte[20];
    java.util.Arrays.fill(endless, (byte) 0x80);
    for (int most : new int[] {1, 100}) {
      SectionInput in = of(endless, most);
      assertFalse(in.atEnd());
      ImageFormatException e = assertThrows(ImageFormatException.class, in::varint);
      assertTrue(e.getMessage().startsWith("here, byte 10: "), e.getMessage());
    }
    SectionInput cut = of(new byte[] {5, 1, 2}, 10);
    long stop = cut.begin(Long.MAX_VALUE);
    assertThrows(ImageFormatException.class, () -> cut.skipTo(stop));
    SectionInput within = of(new byte[] {5, 1, 2}, 10);
    assertThrows(ImageFormatException.class, () -> within.begin(3));
    SectionInput noField = of(new byte[] {3, 1}, 10);
    assertThrows(ImageFormatException.class, noField::tag);
    SectionInput group = of(new byte[] {1 << 3 | 3, 1}, 10);
    int tag = group.tag();
    assertThrows(ImageFormatException.class, () -> group.skipField(tag, 2));
  }
}
