// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.placement.suora.SegmentLogException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment tables that the NameNode's placement policy keeps in files: with them, service and NameNode
 * find the same home for a block, also after restarts. Read only. One thread.
 */
public final class SegmentTables {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentTables.class);

  private final Path directory;
  private final Map<StorageType, SegmentLog> last = new EnumMap<>(StorageType.class);
  private String problem = "";

  /**
   * @param directory what the NameNode has as thermocline.placement.table.dir, or a copy; null: no tables
   */
  public SegmentTables(Path directory) {
    this.directory = directory;
  }

  /**
   * The tables as they are now, of the storage types that have one. Where a file can't be read, what it
   * said before.
   *
   * @throws IOException if a read doesn't end
   */
  public Map<StorageType, SegmentLog> read() throws IOException {
    if (directory == null) {
      return Map.of();
    }
    StringBuilder problems = new StringBuilder();
    for (StorageType type : StorageType.values()) {
      Path file = directory.resolve(type.name() + ".segments");
      try {
        SegmentLog log = SegmentLog.read(type.name(), LocalFiles.bytes(file)).log();
        if (!log.isEmpty()) {
          last.put(type, log);
        }
      } catch (LocalFiles.HangingException e) {
        throw e;
      } catch (NoSuchFileException e) {
        // No storage of the type, or none yet.
      } catch (IOException | SegmentLogException e) {
        problems.append("\n  ").append(file).append(": ").append(e.getMessage());
      }
    }
    String now = problems.toString();
    if (!now.isEmpty() && !now.equals(problem)) {
      LOG.warn("segment tables can't be read, what they said before counts:{}", now);
    }
    problem = now;
    return Map.copyOf(last);
  }
}
