// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.ClientTraceSource;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.sim.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/**
 * Reads clienttrace logs of DataNodes: each block is a file of its own, as large as the furthest byte that was
 * read or written of it. Short-circuit reads are left out, as nobody logs how much they read.
 */
public final class ClientTraceReader {
  private static final long MICROS = 1_000;
  private static final long BYTES_AT_ONCE = 1 << 20;

  private ClientTraceReader() {}

  /**
   * @param zone of the times in the logs
   * @throws IOException if one can't be read, or none has an access
   */
  public static Trace read(List<Path> logs, ZoneId zone) throws IOException {
    TraceBuilder trace = new TraceBuilder();
    long[] count = new long[1];
    for (Path log : logs) {
      try (ClientTraceSource source =
          new ClientTraceSource(log, LogStart.BEGINNING, LogPositions.none(), zone)) {
        boolean more = true;
        while (more) {
          more =
              source.poll(
                  access -> {
                    count[0] += add(trace, access) ? 1 : 0;
                  },
                  BYTES_AT_ONCE,
                  Long.MAX_VALUE);
        }
      }
    }
    if (count[0] == 0) {
      throw new IOException("no reads or writes of blocks in " + logs);
    }
    return trace.build(logs.get(0).getFileName().toString(), 0);
  }

  private static boolean add(TraceBuilder trace, BlockAccess access) {
    if (access.kind() == BlockAccess.Kind.SHORT_CIRCUIT) {
      return false;
    }
    String name = access.poolId() + "/blk_" + access.blockId();
    trace.part(
        access.timeMillis() * MICROS,
        name,
        access.bytes(),
        access.kind() == BlockAccess.Kind.WRITE);
    trace.atLeast(name, access.offset() + access.bytes());
    return true;
  }
}
