// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * The protobuf wire format, read from a section as a stream: as much memory as its buffer, however long a message.
 * Positions are bytes of the section, decompressed. Not thread-safe.
 */
final class SectionInput implements Closeable {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private static final int LONGEST_VARINT = 10;

  private final InputStream in;
  private final Place place;
  private final byte[] buffer = new byte[1 << 18];
  private int at;
  private int end;
  private long base;

  /** Says, for people, where in the file a position of the section is. */
  @FunctionalInterface
  interface Place {
    String of(long position);
  }

  /** @param in decompressed, ends with the section */
  SectionInput(InputStream in, Place place) {
    this.in = in;
    this.place = place;
  }

  long position() {
    return base + at;
  }

  boolean atEnd() throws IOException {
    return at == end && !fill();
  }

  ImageFormatException damaged(String what) {
    return new ImageFormatException(place.of(position()) + ": " + what);
  }

  /** The tag of the next field of a message: its number above three bits of wire type. */
  int tag() throws IOException {
    long tag = varint();
    if (tag < 8 || tag > Integer.MAX_VALUE) {
      throw damaged("no field has the tag " + tag);
    }
    return (int) tag;
  }

  /** Begins what is written with its length before it; returns the position behind its end. */
  long begin(long stop) throws IOException {
    long length = varint();
    if (length < 0 || length > stop - position()) {
      throw damaged("a length of " + length + " where " + (stop - position()) + " are left");
    }
    return position() + length;
  }

  /** After the last field of a message. */
  void expectEnd(long stop) throws IOException {
    if (position() != stop) {
      throw damaged("a message ends inside one of its fields");
    }
  }

  long varint() throws IOException {
    if (end - at < LONGEST_VARINT) {
      return slowVarint();
    }
    byte first = buffer[at++];
    if (first >= 0) {
      return first;
    }
    long value = first & 0x7f;
    for (int shift = 7; shift < 70; shift += 7) {
      byte next = buffer[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number of more than ten bytes");
  }

  private long slowVarint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number of more than ten bytes");
  }

  int fixed32() throws IOException {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 8) {
      value |= (next() & 0xff) << shift;
    }
    return value;
  }

  void bytes(byte[] into, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (at == end && !fill()) {
        throw damaged("cut off");
      }
      int step = Math.min(length - done, end - at);
      System.arraycopy(buffer, at, into, done, step);
      at += step;
      done += step;
    }
  }

  /** Passes over the value of a field. */
  void skipField(int tag, long stop) throws IOException {
    switch (tag & 7) {
      case VARINT -> varint();
      case FIXED64 -> skipTo(Math.min(stop, position() + 8));
      case BYTES -> skipTo(begin(stop));
      case FIXED32 -> skipTo(Math.min(stop, position() + 4));
      default -> throw damaged("no wire type " + (tag & 7));
    }
  }

  void skipTo(long position) throws IOException {
    while (position - base > end) {
      base += end;
      at = 0;
      end = 0;
      long skipped = in.skip(position - base);
      base += skipped;
      if (skipped == 0 && !fill()) {
        throw damaged("cut off; " + (position - base) + " more bytes expected");
      }
    }
    if (position < position()) {
      throw damaged("a message ends inside one of its fields");
    }
    at = (int) (position - base);
  }

  private byte next() throws IOException {
    if (at == end && !fill()) {
      throw damaged("cut off");
    }
    return buffer[at++];
  }

  private boolean fill() throws IOException {
    base += end;
    at = 0;
    end = 0;
    int read = in.read(buffer, 0, buffer.length);
    if (read <= 0) {
      return false;
    }
    end = read;
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
