// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Formats of traces, told apart by the first line. */
public enum TraceFormat {
  FB2010,
  BLOCKS,
  AUDIT,
  CLIENTTRACE;

  /**
   * @throws TraceFormatException if the first line is of none
   * @throws IOException if it can't be read
   */
  public static TraceFormat of(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return FB2010;
    }
    if (!Files.isReadable(file)) {
      throw new IOException("the trace " + file + " isn't there, or may not be read");
    }
    try (BufferedReader lines = BlockTraceReader.open(file)) {
      String first = lines.readLine();
      if (Fb2010Reader.isHeader(first)) {
        return FB2010;
      }
      if (BlockTraceReader.HEADER.equals(first)) {
        return BLOCKS;
      }
      if (first != null && first.contains("cmd=")) {
        return AUDIT;
      }
      if (first != null && first.contains("op: ")) {
        return CLIENTTRACE;
      }
      throw new TraceFormatException(
          file,
          1,
          "the header of a job or block trace, or a line of an audit or clienttrace log",
          first == null ? "the end of the file" : "'" + first + "'");
    }
  }
}
