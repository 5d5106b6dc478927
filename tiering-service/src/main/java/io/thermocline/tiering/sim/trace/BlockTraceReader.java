// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.sim.Trace;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Reads traces of a block device as CSV, plain or as .gz: {@code time_us,op,offset_bytes,size_bytes}, op R or W.
 * The device is cut into chunks of equal size, each of which is a file; a request belongs to the chunk in which it
 * begins.
 */
public final class BlockTraceReader {
  static final String HEADER = "time_us,op,offset_bytes,size_bytes";
  private static final int COLUMNS = 4;

  private BlockTraceReader() {}

  /**
   * @param chunkBytes size of a chunk, from 1
   * @throws TraceFormatException if it is empty or a line isn't as it should be
   * @throws IOException if it can't be read
   */
  public static Trace read(Path file, long chunkBytes) throws IOException {
    TraceBuilder trace = new TraceBuilder();
    try (BufferedReader lines = open(file)) {
      String first = lines.readLine();
      if (!HEADER.equals(first)) {
        throw new TraceFormatException(file, 1, "the columns " + HEADER, "'" + first + "'");
      }
      long number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        add(trace, line, file, number, chunkBytes);
      }
      if (number == 1) {
        throw new TraceFormatException(file, 2, "at least one request", "the end of the file");
      }
    }
    return trace.build(file.getFileName().toString(), chunkBytes);
  }

  private static void add(TraceBuilder trace, String line, Path file, long number, long chunkBytes)
      throws TraceFormatException {
    String[] values = line.split(",", -1);
    boolean write = values.length == COLUMNS && values[1].equals("W");
    if (values.length == COLUMNS && (write || values[1].equals("R"))) {
      try {
        long micros = Long.parseLong(values[0]);
        long offset = Long.parseLong(values[2]);
        long bytes = Long.parseLong(values[3]);
        if (micros >= 0 && offset >= 0 && bytes >= 0) {
          trace.part(micros, "chunk" + offset / chunkBytes, bytes, write);
          return;
        }
      } catch (NumberFormatException e) {
        // The same answer as for a number below zero, below.
      }
    }
    throw new TraceFormatException(
        file, number, "time,R or W,offset,size as whole numbers from 0 on", "'" + line + "'");
  }

  /** Lines of a text file, unpacked where its name ends in .gz. */
  static BufferedReader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(RegularFiles.stream(file));
    if (file.toString().endsWith(".gz")) {
      try {
        in = new GZIPInputStream(in);
      } catch (IOException e) {
        in.close();
        throw new IOException(file + " ends in .gz and can't be unpacked: " + e.getMessage(), e);
      }
    }
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }
}
