// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.app.groups.GroupMining;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.heat.StateSource;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heat that a service saved, and what to do where it can't be used any more. Stateless. */
public final class SavedHeat {

  private static final Logger LOG = LoggerFactory.getLogger(SavedHeat.class);

  /** In the name of what is set aside. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("'aside-'yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Among the windows of a checkpoint. */
  static final String CALIBRATION = "calibration";

  private SavedHeat() {}

  public static Path file(ServiceConfig config) {
    return config.checkpoint().resolve("heat.checkpoint");
  }

  /** What is learned of worth, nothing so far; null where it isn't to be learned. */
  public static LearnedAdmission admission(ServiceConfig config, String nameservice) {
    return !config.decide().admission()
        ? null
        : new LearnedAdmission(nameservice, LearnedAdmission.MOST_FILES);
  }

  /** Hands what was saved of worth to it, if it is learned. */
  public static Consumer<StateSource> restoring(LearnedAdmission admission) {
    return admission == null ? saved -> {} : admission::restore;
  }

  /**
   * @param admission goes on from what was saved of it; may be null
   * @param mining the same
   * @return empty where nothing was saved yet
   * @throws IOException where there are checkpoints but none that can be used, with what to do
   */
  static Optional<HeatCheckpoint.Restored> load(
      ServiceConfig config, String nameservice, LearnedAdmission admission, GroupMining mining)
      throws IOException {
    // What comes behind can be read only where this was.
    LearnedAdmission read =
        admission == null && mining != null
            ? new LearnedAdmission(nameservice, LearnedAdmission.MOST_FILES)
            : admission;
    try {
      Optional<HeatCheckpoint.Restored> restored =
          HeatCheckpoint.load(
              file(config),
              config.heat().settings(),
              nameservice,
              restoring(read),
              mining == null ? saved -> {} : mining::restore);
      restored
          .flatMap(HeatCheckpoint.Restored::damage)
          .ifPresent(
              damage ->
                  LOG.warn("{}: going on from the checkpoint before it, and reading on", damage));
      return restored;
    } catch (IOException e) {
      throw new IOException(
          "the heat that was saved can't be used: "
              + e.getMessage()
              + ". Put back what was changed, or start once with --relearn: that keeps the file"
              + " under another name and begins without heat",
          e);
    }
  }

  /** What was measured of reads, as it was saved; nothing without DataNodes' logs. */
  public static ReadCalibration calibration(ServiceConfig config, SourceCheckpoint saved) {
    ReadCalibration calibration = new ReadCalibration(config.heat().settings().halfLife());
    byte[] windows = saved.windows().get(CALIBRATION);
    if (windows != null && !config.observe().clientTraceLogs().isEmpty()) {
      calibration.restore(calibration(windows));
    }
    return calibration;
  }

  private static ReadCalibration.Saved calibration(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      double seconds = in.readDouble();
      List<ReadCalibration.Known> known = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        known.add(
            new ReadCalibration.Known(
                ReadCalibration.Reader.valueOf(in.readUTF()),
                in.readUTF(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble()));
      }
      return new ReadCalibration.Saved(seconds, known);
    } catch (IOException e) {
      throw new UncheckedIOException("what was measured of reads can't be read", e);
    }
  }

  /** What {@link #calibration(ServiceConfig, SourceCheckpoint)} takes. */
  static byte[] bytes(ReadCalibration.Saved saved) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeDouble(saved.seconds());
      out.writeInt(saved.known().size());
      for (ReadCalibration.Known each : saved.known()) {
        out.writeUTF(each.reader().name());
        out.writeUTF(each.directory());
        out.writeDouble(each.requests());
        out.writeDouble(each.measured());
        out.writeDouble(each.expected());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  /** Keeps what was saved under names with the time; the next service in its place begins without heat. */
  public static void setAside(ServiceConfig config, Clock clock) throws IOException {
    List<Path> kept = HeatCheckpoint.setAside(file(config), TIME.format(clock.instant()));
    if (kept.isEmpty()) {
      LOG.info("--relearn: no heat was saved in {}", config.checkpoint());
    } else {
      LOG.warn(
          "--relearn: beginning without heat, and in the logs at observe.start: {}; what was saved"
              + " before is kept as {}",
          config.observe().start(),
          kept);
    }
  }
}
