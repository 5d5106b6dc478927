// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.placement.model.RegularFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/**
 * Where the sections of an image are, from the summary at its end, and how to open them. Immutable.
 *
 * @param layoutVersion negative, as HDFS counts
 * @param codec class of the compression of each section, empty for none
 * @param identity differs between any two images
 */
record ImageLayout(
    Path file, int layoutVersion, String codec, Map<String, Range> sections, String identity) {

  /** In bytes of the file. */
  record Range(long offset, long length) {}

  private static final byte[] MAGIC = "HDFSIMG1".getBytes(StandardCharsets.US_ASCII);
  private static final int LARGEST_SUMMARY = 16 << 20;
  private static final int LONGEST_NAME = 1024;

  static ImageLayout of(Path file) throws IOException {
    try (FileChannel channel = RegularFiles.channel(file)) {
      long size = channel.size();
      if (size < MAGIC.length + 4 || !Arrays.equals(bytes(channel, 0, MAGIC.length), MAGIC)) {
        throw new ImageFormatException(
            file + " is no protobuf image of a NameNode: it doesn't begin with HDFSIMG1");
      }
      int length = ByteBuffer.wrap(bytes(channel, size - 4, 4)).getInt();
      if (length <= 0 || length > LARGEST_SUMMARY || length > size - 4 - MAGIC.length) {
        throw new ImageFormatException(
            file + " ends with a summary of " + length + " bytes of " + size + ": is it cut off?");
      }
      long start = size - 4 - length;
      byte[] summary = bytes(channel, start, length);
      ImageLayout layout = parse(file, start, summary, "");
      Range state = layout.section("NS_INFO");
      byte[] transaction = bytes(channel, state.offset(), (int) Math.min(4096, state.length()));
      return new ImageLayout(
          file,
          layout.layoutVersion,
          layout.codec,
          layout.sections,
          identity(size, summary, transaction));
    }
  }

  private static ImageLayout parse(Path file, long start, byte[] summary, String identity)
      throws IOException {
    SectionInput in =
        new SectionInput(
            new ByteArrayInputStream(summary),
            position -> file + ", byte " + (start + position) + " (summary)");
    long stop = in.begin(summary.length);
    int layoutVersion = 0;
    String codec = "";
    Map<String, Range> sections = new LinkedHashMap<>();
    while (in.position() < stop) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 -> {
          long version = in.varint();
          if (version != 1) {
            throw in.damaged("version " + version + " of the file format, known is 1");
          }
        }
        case 2 << 3 -> layoutVersion = (int) in.varint();
        case 3 << 3 | SectionInput.BYTES -> codec = text(in, stop);
        case 4 << 3 | SectionInput.BYTES -> section(in, stop, start, sections);
        default -> in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    return new ImageLayout(file, layoutVersion, codec, Map.copyOf(sections), identity);
  }

  private static void section(SectionInput in, long end, long most, Map<String, Range> into)
      throws IOException {
    long stop = in.begin(end);
    String name = "";
    long offset = -1;
    long length = -1;
    while (in.position() < stop) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | SectionInput.BYTES -> name = text(in, stop);
        case 2 << 3 -> length = in.varint();
        case 3 << 3 -> offset = in.varint();
        default -> in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    if (offset < MAGIC.length || length < 0 || offset > most || length > most - offset) {
      throw in.damaged("section " + name + " from " + offset + ", " + length + " bytes");
    }
    // Parts of sections, INODE_SUB for one, are many; the sections they are parts of stand there
    // too.
    into.putIfAbsent(name, new Range(offset, length));
  }

  private static String text(SectionInput in, long end) throws IOException {
    int length = (int) Math.min(Integer.MAX_VALUE, in.begin(end) - in.position());
    if (length > LONGEST_NAME) {
      throw in.damaged("a name of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.bytes(bytes, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** NS_INFO has the transaction that the image was made after. */
  private static String identity(long size, byte[] summary, byte[] transaction) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(size).array());
      digest.update(summary);
      return HexFormat.of().formatHex(digest.digest(transaction), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  private static byte[] bytes(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Until all is there.
    }
    return bytes.array();
  }

  Range section(String name) throws ImageFormatException {
    Range range = sections.get(name);
    if (range == null) {
      throw new ImageFormatException(file + " has no section " + name);
    }
    return range;
  }

  /** What decompresses the sections; empty where nothing is to be done. */
  Optional<CompressionCodec> codec(Configuration conf) throws ImageFormatException {
    if (codec.isEmpty()) {
      return Optional.empty();
    }
    CompressionCodec found = new CompressionCodecFactory(conf).getCodecByClassName(codec);
    if (found == null) {
      throw new ImageFormatException(
          file + " is compressed with " + codec + ", which isn't on the class path");
    }
    return Optional.of(found);
  }

  OpenSection open(String name, Configuration conf) throws IOException {
    Range range = section(name);
    Optional<CompressionCodec> codec = codec(conf);
    FileRange bytes = new FileRange(file, range.offset(), range.length());
    try {
      InputStream in =
          codec.isPresent() ? new Decompressed(file + ", " + name, codec.get(), bytes) : bytes;
      return new OpenSection(
          new SectionInput(
              in,
              position ->
                  codec.isPresent()
                      ? file + ", " + name + ", decompressed byte " + position
                      : file + ", byte " + (range.offset() + position) + " (" + name + ")"),
          bytes);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * A section that is being read.
   *
   * @param bytes where it takes them from
   */
  record OpenSection(SectionInput in, FileRange bytes) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      in.close();
      bytes.close();
    }
  }
}
