// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was so with each of the last plans, for curves, kept in a file over restarts. Bounded: when it is full, every second
 * sample goes, and from then on only every second plan adds one, so that it always reaches back
 * to the first start. Thread-safe.
 */
public final class History {

  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  private static final int MOST = 512;

  private final Path file;
  private final List<Sample> samples = new ArrayList<>();
  private long every = 1;
  private long offered;
  private boolean hasFailed;

  /**
   * What the file has.
   *
   * @param every so many plans add one sample
   * @param offered plans so far
   */
  private record Saved(long every, long offered, List<Sample> samples) {}

  /** Goes on with what is in the file; with nothing where there is none. One that can't be read is said, and replaced. */
  public History(Path file) {
    this.file = file;
    try {
      Saved saved = Json.MAPPER.readValue(RegularFiles.bytes(file), Saved.class);
      samples.addAll(saved.samples());
      every = Math.max(1, saved.every());
      offered = saved.offered();
    } catch (NoSuchFileException e) {
      LOG.debug("no charts were saved yet", e);
    } catch (IOException e) {
      LOG.warn("charts begin anew: {} can't be read: {}", file, e.getMessage());
    }
  }

  /** At one moment. */
  public record Sample(
      Instant at,
      @JsonPropertyDescription(
              "of the disk time of the reads, by the type that serves them; estimated from the NameNodes' read order")
          Map<StorageType, Double> readShares,
      @JsonPropertyDescription("of the capacity that is used") Map<StorageType, Double> usedShares,
      @JsonPropertyDescription("cooled block reads, of the hottest directories")
          Map<String, Double> directories,
      @JsonPropertyDescription("how far owners of hints are believed, 0 to 1")
          Map<String, Double> owners) {}

  public synchronized void add(Sample sample) {
    if (offered++ % every != 0) {
      return;
    }
    if (samples.size() == MOST) {
      for (int i = MOST - 1; i > 0; i -= 2) {
        samples.remove(i);
      }
      every *= 2;
    }
    samples.add(sample);
    save();
  }

  private void save() {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      PrivateFiles.write(next, Json.MAPPER.writeValueAsBytes(new Saved(every, offered, samples)));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      hasFailed = false;
    } catch (IOException e) {
      if (!hasFailed) {
        LOG.warn("charts won't survive a restart: {} can't be written: {}", file, e.getMessage());
      }
      hasFailed = true;
    }
  }

  /** Oldest first. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }
}
