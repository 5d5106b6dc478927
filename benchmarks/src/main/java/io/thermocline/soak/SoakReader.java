// SPDX-License-Identifier: Apache-2.0
package io.thermocline.soak;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The process that is killed: reads an audit log, counts the reads of each file, and stores counts and positions in one
 * file, replaced as a whole. Paths end in the number of the file. Ends by itself when a file named "end" is
 * there and the log has nothing more.
 */
public final class SoakReader {

  private static final long BYTES_AT_ONCE = 8L << 20;
  private static final long MILLIS_BETWEEN_CHECKPOINTS = 1000;

  private final int[] counts;
  private long checksum;
  private long gaps;
  private SourceCheckpoint saved = SourceCheckpoint.none();

  private SoakReader(int files) {
    counts = new int[files];
  }

  /** Of what the reader stored last. */
  record State(int[] counts, long checksum, long lines, long malformed, long gaps) {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[0]);
    new SoakReader(Integer.parseInt(args[1])).run(directory);
  }

  @SystemRuntime
  private void run(Path directory) throws IOException, InterruptedException {
    Path state = directory.resolve("state");
    if (Files.exists(state)) {
      read(state);
    }
    // Each open counts: what is lost or counted twice must show.
    AccessSettings settings =
        new AccessSettings(
            Duration.ZERO, 0, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());
    Clock clock = Clock.systemUTC();
    try (AuditSource source =
        new AuditSource(
            List.of(
                new AuditLog("soak", directory.resolve("hdfs-audit.log"), ZoneOffset.UTC, null)),
            LogStart.BEGINNING,
            settings,
            saved,
            clock)) {
      long stored = clock.millis();
      while (true) {
        boolean ends = Files.exists(directory.resolve("end"));
        boolean more = source.poll(this::count, BYTES_AT_ONCE);
        boolean done = ends && !more;
        if (done || clock.millis() - stored >= MILLIS_BETWEEN_CHECKPOINTS) {
          write(state, source);
          stored = clock.millis();
        }
        if (done) {
          return;
        }
        if (!more) {
          Thread.sleep(50);
        }
      }
    }
  }

  private void count(Access access) {
    if (access.kind() == Access.Kind.READ) {
      String path = access.path();
      int file = Integer.parseInt(path.substring(path.lastIndexOf('-') + 1));
      counts[file]++;
      checksum += access.key();
    }
  }

  private void write(Path state, AuditSource source) throws IOException {
    Path fresh = state.resolveSibling("state.new");
    try (DataOutputStream out =
        new DataOutputStream(
            new java.io.BufferedOutputStream(Files.newOutputStream(fresh), 1 << 16))) {
      byte[] positions = source.checkpoint().toBytes();
      out.writeInt(positions.length);
      out.write(positions);
      out.writeLong(checksum);
      out.writeLong(source.counts().lines());
      out.writeLong(source.counts().malformed());
      out.writeLong(gaps + source.counts().gaps());
      for (int count : counts) {
        out.writeInt(count);
      }
    }
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(fresh, state, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void read(Path state) throws IOException {
    try (DataInputStream in = in(state)) {
      saved = SourceCheckpoint.parse(in.readNBytes(in.readInt()));
      checksum = in.readLong();
      in.readLong();
      in.readLong();
      gaps = in.readLong();
      for (int i = 0; i < counts.length; i++) {
        counts[i] = in.readInt();
      }
    }
  }

  static State stored(Path state, int files) throws IOException {
    try (DataInputStream in = in(state)) {
      in.skipNBytes(in.readInt());
      long checksum = in.readLong();
      long lines = in.readLong();
      long malformed = in.readLong();
      long gaps = in.readLong();
      int[] counts = new int[files];
      for (int i = 0; i < files; i++) {
        counts[i] = in.readInt();
      }
      return new State(counts, checksum, lines, malformed, gaps);
    }
  }

  private static DataInputStream in(Path state) throws IOException {
    return new DataInputStream(
        new java.io.BufferedInputStream(Files.newInputStream(state), 1 << 16));
  }
}
