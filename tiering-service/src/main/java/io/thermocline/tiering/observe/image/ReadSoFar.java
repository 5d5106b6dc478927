// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.io.WritableUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that were read of an image, on local disk with the checkpoint behind them, so that a process that comes after
 * one that was killed takes them from here and reads the image on. Not thread-safe.
 *
 * <p>An aid: where it can't be written, or isn't sound, the image is read from its beginning, and the log says so.
 */
final class ReadSoFar implements Closeable {

  /*
   * Files are appended, each path as far as it differs from the one before. The checkpoint is a small file beside, replaced
   * by a rename once they are on disk. It says behind how many bytes of them it stands, and their checksum: what a crash
   * left after these is cut off.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ReadSoFar.class);

  private static final int BUFFER = 1 << 16;

  private final Path files;
  private final Path checkpoint;
  private CRC32C checksum = new CRC32C();
  private byte[] path = {};
  private long handedOn;

  /** Null before it was resumed, and where it was given up. */
  private FileChannel channel;

  private DataOutputStream out;

  /** @param bytes of files before it */
  private record Stored(ImageCheckpoint at, long bytes, long checksum) {
    static final Stored NOTHING = new Stored(ImageCheckpoint.beginning(), 0, 0);

    String toText() {
      return bytes + " " + checksum + " " + at.toText();
    }

    static Stored parse(String text) throws IOException {
      String[] words = text.strip().split(" ", 3);
      try {
        return new Stored(
            ImageCheckpoint.parse(words[2]), Long.parseLong(words[0]), Long.parseLong(words[1]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new IOException("not what was stored: " + text, e);
      }
    }
  }

  /** @param directory made where it isn't there */
  ReadSoFar(Path directory) {
    files = directory.resolve("reading.files");
    checkpoint = directory.resolve("reading.checkpoint");
  }

  /**
   * Hands on the files that were read of an image, each once, however often this is tried.
   *
   * @param image its identity
   * @return behind them; the beginning where there are none of this image
   * @throws IOException where they can't be read any more, though they could a moment ago
   */
  ImageCheckpoint resume(String image, Consumer<ImageFile> sink) throws IOException {
    Stored stored;
    try {
      stored = sound(image);
    } catch (IOException e) {
      giveUp(e);
      return ImageCheckpoint.beginning();
    }
    path = new byte[0];
    try (DataInputStream in = new DataInputStream(in())) {
      for (long i = 0; i < stored.at.counts().files(); i++) {
        ImageFile file = read(in);
        if (i >= handedOn) {
          sink.accept(file);
          handedOn++;
        }
      }
    }
    channel.truncate(stored.bytes).position(stored.bytes);
    out =
        new DataOutputStream(
            new BufferedOutputStream(
                new CheckedOutputStream(Channels.newOutputStream(channel), checksum), BUFFER));
    return stored.at;
  }

  /** What is stored of an image, once all of it was read and is what was written. */
  private Stored sound(String image) throws IOException {
    close();
    checksum = new CRC32C();
    PrivateFiles.createDirectories(files.getParent());
    channel =
        PrivateFiles.open(
            files, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    if (!Files.exists(checkpoint)) {
      return Stored.NOTHING;
    }
    try {
      Stored stored = Stored.parse(RegularFiles.text(checkpoint));
      if (!stored.at.image().equals(image)) {
        return Stored.NOTHING;
      }
      try (InputStream in = new CheckedInputStream(in(), checksum)) {
        in.skipNBytes(stored.bytes);
      }
      if (checksum.getValue() == stored.checksum) {
        return stored;
      }
      LOG.warn("{} isn't what was written there: the image is read from its beginning", files);
    } catch (IOException e) {
      LOG.warn("{} is no use: {}: the image is read from its beginning", checkpoint, e.toString());
    }
    checksum = new CRC32C();
    return Stored.NOTHING;
  }

  private InputStream in() throws IOException {
    return new BufferedInputStream(RegularFiles.stream(files), BUFFER);
  }

  private ImageFile read(DataInputStream in) throws IOException {
    long id = WritableUtils.readVLong(in);
    int same = WritableUtils.readVInt(in);
    int more = WritableUtils.readVInt(in);
    path = Arrays.copyOf(path, same + more);
    in.readFully(path, same, more);
    return new ImageFile(
        id,
        new String(path, StandardCharsets.UTF_8),
        WritableUtils.readVLong(in),
        WritableUtils.readVInt(in),
        WritableUtils.readVInt(in),
        new ImageFile.StoragePolicyOf(WritableUtils.readVInt(in), WritableUtils.readVInt(in)),
        WritableUtils.readVLong(in),
        WritableUtils.readVLong(in),
        WritableUtils.readVInt(in),
        ImageFile.State.values()[in.readByte()]);
  }

  /** Behind those that are there; kept with the next {@link #store}. */
  void add(Iterable<ImageFile> read) {
    if (out != null) {
      try {
        for (ImageFile file : read) {
          write(file);
        }
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }

  private void write(ImageFile file) throws IOException {
    byte[] now = file.path().getBytes(StandardCharsets.UTF_8);
    int differs = Arrays.mismatch(path, now);
    int same = differs < 0 ? now.length : differs;
    WritableUtils.writeVLong(out, file.id());
    WritableUtils.writeVInt(out, same);
    WritableUtils.writeVInt(out, now.length - same);
    out.write(now, same, now.length - same);
    WritableUtils.writeVLong(out, file.length());
    WritableUtils.writeVInt(out, file.blocks());
    WritableUtils.writeVInt(out, file.replication());
    WritableUtils.writeVInt(out, file.policy().own());
    WritableUtils.writeVInt(out, file.policy().effective());
    WritableUtils.writeVLong(out, file.modified());
    WritableUtils.writeVLong(out, file.accessed());
    WritableUtils.writeVInt(out, file.erasureCoding());
    out.writeByte(file.state().ordinal());
    path = now;
  }

  /** From here on a later process goes on. */
  void store(ImageCheckpoint at) {
    if (out != null) {
      try {
        out.flush();
        channel.force(true);
        String text = new Stored(at, channel.position(), checksum.getValue()).toText();
        Path fresh = checkpoint.resolveSibling(checkpoint.getFileName() + ".new");
        Files.writeString(fresh, text + "\n");
        try (FileChannel written = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
          written.force(true);
        }
        Files.move(
            fresh, checkpoint, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }

  private void giveUp(IOException why) {
    LOG.warn(
        "{} can't be kept, so that the image is read again if the service ends before all of it was: {}",
        files,
        why.toString());
    delete();
  }

  /** When all was read. */
  void delete() {
    try {
      close();
      // In this order: files without a checkpoint are of no use, and are written over.
      Files.deleteIfExists(checkpoint);
      Files.deleteIfExists(files);
    } catch (IOException e) {
      LOG.warn("it couldn't be removed: {}", e.toString());
    }
  }

  @Override
  public void close() throws IOException {
    out = null;
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
