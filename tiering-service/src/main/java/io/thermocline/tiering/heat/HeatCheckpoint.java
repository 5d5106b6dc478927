// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Heat in a file, with the position in the logs that it was reached at: after a crash at any point, what
 * is loaded and the log lines behind its position give the state that there would have been without the
 * crash. One thread at a time for a file.
 */
public final class HeatCheckpoint {

  /*
   * Layout: magic, version, length of the position and its bytes, state, whether something else was saved beside (1)
   * and more (2), their states, CRC-32C of all before it; numbers big-endian, texts as length and UTF-8. Version 2 had
   * nothing beside, version 3 nothing more, version 4 not what readers read of each file, version 5 not what page caches
   * leave to disks.
   *
   * State and position are in one file, so that neither is ever without the other. It is written beside,
   * forced to disk, and takes the name by a rename; the one before it keeps the name with ".previous", which
   * serves where the newer one turns out to be damaged, or where the crash fell between the two renames: it is
   * older, and so is its position.
   */
  private static final long MAGIC = 0x5448_4552_4d48_4541L;
  private static final long VERSION = 6;
  private static final long WITHOUT_CACHED = 5;
  private static final long WITHOUT_EXTENTS = 4;
  private static final long ALONE = 2;
  private static final long BESIDE = 1;
  private static final long MORE = 2;
  private static final int BUFFER = 1 << 16;
  private static final int LONGEST_TEXT = 1 << 20;
  private static final int LONGEST_POSITION = 1 << 30;

  private HeatCheckpoint() {}

  /**
   * What was found.
   *
   * @param position as it was given to {@link #save}
   * @param damage what is wrong with the newest checkpoint, where an older one had to serve
   */
  public record Restored(Heat heat, byte[] position, Optional<String> damage) {}

  /**
   * Writes a checkpoint; any thread, while heat goes on.
   *
   * @param position in every log, as it was when the state was frozen; opaque here
   */
  public static void save(Path file, HeatState state, byte[] position) throws IOException {
    save(file, state, position, null);
  }

  /**
   * The same, with what else the log lines up to the position led to.
   *
   * @param beside null for nothing
   */
  public static void save(Path file, HeatState state, byte[] position, SavedState beside)
      throws IOException {
    save(file, state, position, beside, null);
  }

  /**
   * The same, with more of that kind.
   *
   * @param more null for nothing
   */
  public static void save(
      Path file, HeatState state, byte[] position, SavedState beside, SavedState more)
      throws IOException {
    Path unnamed = sibling(file, ".new");
    try (FileChannel channel =
        PrivateFiles.open(
            unnamed,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      Writer writer = new Writer(channel);
      writer.number(MAGIC);
      writer.number(VERSION);
      writer.bytes(position);
      state.writeTo(writer);
      writer.number((beside == null ? 0 : BESIDE) | (more == null ? 0 : MORE));
      if (beside != null) {
        beside.writeTo(writer);
      }
      if (more != null) {
        more.writeTo(writer);
      }
      writer.end();
      channel.force(true);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (Files.exists(file)) {
      Files.move(file, sibling(file, ".previous"), StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      directory.force(true);
    }
  }

  /**
   * Reads the newest checkpoint that is whole; a damaged one is kept with ".damaged" at its name, so that
   * the next {@link #save} doesn't put it in the place of the good one.
   *
   * @return empty where there never was one
   * @throws IOException where there are checkpoints but none that can be used
   */
  public static Optional<Restored> load(Path file, HeatSettings settings, String nameservice)
      throws IOException {
    return load(file, settings, nameservice, source -> {});
  }

  /**
   * The same, with what was saved beside.
   *
   * @param beside is given that, where there is some, and takes all of it or throws IllegalStateException; given that of
   *     an older checkpoint then
   */
  public static Optional<Restored> load(
      Path file, HeatSettings settings, String nameservice, Consumer<StateSource> beside)
      throws IOException {
    return load(file, settings, nameservice, beside, source -> {});
  }

  /** The same, with what was saved as more. */
  public static Optional<Restored> load(
      Path file,
      HeatSettings settings,
      String nameservice,
      Consumer<StateSource> beside,
      Consumer<StateSource> more)
      throws IOException {
    Reading as = new Reading(settings, nameservice, beside, more);
    String damage = null;
    try {
      return Optional.of(read(file, as, Optional.empty()));
    } catch (NoSuchFileException e) {
      // Never saved, or the crash fell between the two renames.
    } catch (IOException e) {
      damage = e.getMessage();
    }
    try {
      Path previous = sibling(file, ".previous");
      Restored restored = read(previous, as, Optional.ofNullable(damage));
      if (damage != null) {
        Files.move(file, sibling(file, ".damaged"), StandardCopyOption.REPLACE_EXISTING);
      }
      return Optional.of(restored);
    } catch (NoSuchFileException e) {
      // Saved once at most.
    } catch (IOException e) {
      damage = damage == null ? e.getMessage() : damage + "; " + e.getMessage();
    }
    if (damage == null) {
      return Optional.empty();
    }
    throw new IOException(damage);
  }

  /**
   * Keeps what was saved under other names, so that the next {@link #load} finds nothing.
   *
   * @param mark what is added to the names, for instance a time
   * @return the files as they are now called; none where nothing was saved
   */
  public static List<Path> setAside(Path file, String mark) throws IOException {
    List<Path> aside = new ArrayList<>();
    // The older one first: were it the only one left by a crash in between, it would serve.
    for (String suffix : List.of(".previous", "")) {
      Path saved = sibling(file, suffix);
      Path kept = sibling(saved, "." + mark);
      if (Files.exists(saved)) {
        Files.move(saved, kept, StandardCopyOption.ATOMIC_MOVE);
        aside.add(kept);
      }
    }
    return aside;
  }

  private record Reading(
      HeatSettings settings,
      String nameservice,
      Consumer<StateSource> beside,
      Consumer<StateSource> more) {}

  private static Restored read(Path file, Reading as, Optional<String> damage) throws IOException {
    try (FileChannel channel = RegularFiles.channel(file)) {
      // First, so that no damaged size is believed.
      checkSum(channel, file);
      channel.position(0);
      Reader reader = new Reader(channel);
      if (reader.number() != MAGIC) {
        throw new IOException(file + " is no heat checkpoint");
      }
      long version = reader.number();
      if (version < ALONE || version > VERSION) {
        throw new IOException(
            file + " is of version " + version + ", this program reads " + VERSION);
      }
      byte[] position = reader.bytes(LONGEST_POSITION);
      Heat heat =
          Heat.restore(
              as.settings(),
              as.nameservice(),
              reader,
              new Heat.Saved(version > WITHOUT_EXTENTS, version > WITHOUT_CACHED));
      long saved = version == ALONE ? 0 : reader.number();
      if ((saved & BESIDE) != 0) {
        as.beside().accept(reader);
      }
      if ((saved & MORE) != 0) {
        as.more().accept(reader);
      }
      return new Restored(heat, position, damage);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (IllegalStateException e) {
      throw new IOException(file + " can't be used: " + e.getMessage(), e);
    }
  }

  private static void checkSum(FileChannel channel, Path file) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    long left = channel.size() - Long.BYTES;
    if (left < 0) {
      throw new IOException(file + " is cut off");
    }
    while (left > 0) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), left));
      int count = channel.read(buffer);
      if (count < 0) {
        throw new EOFException(file + " became shorter");
      }
      left -= count;
      sum.update(buffer.flip());
    }
    Reader reader = new Reader(channel);
    if (reader.number() != sum.getValue()) {
      throw new IOException(file + " is damaged or cut off: its checksum is wrong");
    }
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static final class Writer implements StateSink {
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final CRC32C sum = new CRC32C();

    Writer(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void number(long value) {
      if (buffer.remaining() < Long.BYTES) {
        flush();
      }
      buffer.putLong(value);
    }

    @Override
    public void text(String value) {
      bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] bytes) {
      number(bytes.length);
      for (int at = 0; at < bytes.length; ) {
        if (!buffer.hasRemaining()) {
          flush();
        }
        int count = Math.min(buffer.remaining(), bytes.length - at);
        buffer.put(bytes, at, count);
        at += count;
      }
    }

    @Override
    public void words(long[] words) {
      for (int at = 0; at < words.length; ) {
        if (buffer.remaining() < Long.BYTES) {
          flush();
        }
        int count = Math.min(buffer.remaining() / Long.BYTES, words.length - at);
        buffer.asLongBuffer().put(words, at, count);
        buffer.position(buffer.position() + count * Long.BYTES);
        at += count;
      }
    }

    void end() {
      flush();
      buffer.putLong(sum.getValue());
      flush();
    }

    private void flush() {
      buffer.flip();
      sum.update(buffer.duplicate());
      try {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      buffer.clear();
    }
  }

  private static final class Reader implements StateSource {
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).flip();

    Reader(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long number() {
      need(Long.BYTES);
      return buffer.getLong();
    }

    @Override
    public String text() {
      return new String(bytes(LONGEST_TEXT), StandardCharsets.UTF_8);
    }

    byte[] bytes(int most) {
      byte[] bytes = new byte[size(most)];
      for (int at = 0; at < bytes.length; ) {
        need(1);
        int count = Math.min(buffer.remaining(), bytes.length - at);
        buffer.get(bytes, at, count);
        at += count;
      }
      return bytes;
    }

    @Override
    public void words(long[] into) {
      for (int at = 0; at < into.length; ) {
        need(Long.BYTES);
        int count = Math.min(buffer.remaining() / Long.BYTES, into.length - at);
        buffer.asLongBuffer().get(into, at, count);
        buffer.position(buffer.position() + count * Long.BYTES);
        at += count;
      }
    }

    private void need(int bytes) {
      if (buffer.remaining() >= bytes) {
        return;
      }
      buffer.compact();
      try {
        while (buffer.position() < bytes) {
          if (channel.read(buffer) < 0) {
            throw new EOFException("a heat checkpoint ends before its state does");
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      buffer.flip();
    }
  }
}
