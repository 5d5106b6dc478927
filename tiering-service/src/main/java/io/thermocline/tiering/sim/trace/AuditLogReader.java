// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.KeptAccess;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.observe.image.ImageCheckpoint;
import io.thermocline.tiering.observe.image.ImageFile;
import io.thermocline.tiering.observe.image.ImageReader;
import io.thermocline.tiering.observe.image.NamespaceImage;
import io.thermocline.tiering.sim.Happened;
import io.thermocline.tiering.sim.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads audit logs of NameNodes: each open is a read of the whole file, as the log doesn't say how much of it was
 * read. Sizes come from an image of the namespace, by the paths that files have after the log's end; so the
 * image is best one that was made then.
 *
 * <p>Scans count here, other than for the service's heat: their reads are load that a tier serves or doesn't.
 */
public final class AuditLogReader {
  private static final long MICROS = 1_000;
  private static final long BYTES_AT_ONCE = 1 << 20;
  private static final int INODES_AT_ONCE = 100_000;

  private AuditLogReader() {}

  /**
   * Where sizes come from.
   *
   * @param image of the namespace; null for none
   * @param otherwise bytes of a file that isn't in it
   */
  public record Sizes(Path image, long otherwise) {}

  /**
   * @param counts what counts as an access for the service
   * @param zone of the times in the logs
   * @param nanos monotonic clock
   * @throws IOException if a log or the image can't be read, or no log has an open or a create
   */
  public static Trace read(
      List<Path> logs, Sizes sizes, AccessSettings counts, ZoneId zone, LongSupplier nanos)
      throws IOException {
    for (Path log : logs) {
      if (!Files.isReadable(log)) {
        throw new IOException("the audit log " + log + " isn't there, or may not be read");
      }
    }
    TraceBuilder trace = new TraceBuilder();
    long[] count = new long[1];
    AccessSettings defaults = AccessSettings.defaults(AccessSettings.Ignored.nothing());
    AccessSettings settings =
        new AccessSettings(defaults.openWindow(), 0, Duration.ofMinutes(1), defaults.ignored());
    poll(logs, settings, zone, access -> count[0] += add(trace, access));
    if (count[0] == 0) {
      throw new IOException("no open or create of a file in " + logs);
    }
    if (sizes.image() != null) {
      readSizes(trace, sizes.image(), nanos);
    }
    String name = logs.get(0).getFileName().toString();
    long unknown = trace.unknownSizes();
    if (unknown > 0) {
      name +=
          ", with %,d files of unknown size taken for %,d bytes each"
              .formatted(unknown, sizes.otherwise());
    }
    List<Access> told = new ArrayList<>();
    poll(logs, counts, zone, access -> told.add(KeptAccess.of(access)));
    return trace.build(name, sizes.otherwise(), told);
  }

  private static void poll(List<Path> logs, AccessSettings settings, ZoneId zone, AccessSink sink)
      throws IOException {
    try (AuditSource source =
        new AuditSource(
            logs.stream().map(log -> new AuditLog(Happened.NAMESERVICE, log, zone, null)).toList(),
            LogStart.BEGINNING,
            settings,
            SourceCheckpoint.none(),
            // Lines before the first that says its time: they count as at its beginning.
            Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))) {
      boolean more = true;
      while (more) {
        more = source.poll(sink, BYTES_AT_ONCE);
      }
    }
  }

  private static int add(TraceBuilder trace, Access access) {
    long micros = access.timeMillis() * MICROS;
    switch (access.kind()) {
      case READ -> {
        if (access.isPart() && trace.isRead(access.path())) {
          // Those who share a file read it once together.
          return 0;
        }
        trace.wholeRead(micros, access.path());
      }
      case CREATE -> {
        String path = access.path();
        trace.forget(micros, path);
        trace.wholeWrite(micros, path);
      }
      case RENAME -> trace.rename(micros, access.path(), access.newPath());
      case DELETE -> trace.forget(micros, access.path());
      case SCANNED, WRITE, WITHDRAW, RESTORE, REPLICATION, POLICY, NO_POLICY, ATTRIBUTES -> {
        // How much was appended isn't logged; the others are no access.
        return 0;
      }
    }
    return access.kind() == Access.Kind.READ || access.kind() == Access.Kind.CREATE ? 1 : 0;
  }

  private static void readSizes(TraceBuilder trace, Path image, LongSupplier nanos)
      throws IOException {
    try (ImageReader reader =
        NamespaceImage.open(image, new Configuration())
            .reader(ImageCheckpoint.beginning(), nanos)) {
      boolean more = true;
      while (more) {
        more = reader.poll(file -> size(trace, file), INODES_AT_ONCE);
      }
    }
  }

  private static void size(TraceBuilder trace, ImageFile file) {
    if (file.state() == ImageFile.State.CLOSED) {
      trace.exists(file.path(), file.length());
    }
  }
}
