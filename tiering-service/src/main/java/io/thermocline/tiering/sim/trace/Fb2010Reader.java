// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.sim.Trace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads job traces in the format of Facebook's of 2010 (SWIM): a job a line, which reads its input file as
 * a whole. A file's size is the largest that a job read of it.
 */
public final class Fb2010Reader {
  private static final String HEADER =
      String.join(
          "\t",
          List.of(
              "job_id",
              "submit_time_s",
              "map_input_bytes",
              "shuffle_bytes",
              "reduce_output_bytes",
              "input_file",
              "first_occurrence"));
  private static final int COLUMNS = 7;
  private static final int TIME = 1;
  private static final int INPUT_BYTES = 2;
  private static final int FILE = 5;
  private static final long MICROS = 1_000_000;

  private Fb2010Reader() {}

  /** Whether a file's first line is that of this format. */
  static boolean isHeader(String line) {
    return HEADER.equals(line);
  }

  /**
   * @throws TraceFormatException if it is empty, a line isn't as it should be, or times decrease
   * @throws IOException if it can't be read
   */
  public static Trace read(Path file) throws IOException {
    TraceBuilder trace = new TraceBuilder();
    read(file, trace, 0);
    return trace.build(file.getFileName().toString(), 0);
  }

  /**
   * The parts of a trace, one after the other: the files of a folder whose names end in .tsv, in the order
   * of their names.
   *
   * @throws TraceFormatException as {@link #read}, or if there is none
   * @throws IOException if one can't be read
   */
  public static Trace readFolder(Path folder) throws IOException {
    List<Path> parts;
    try (Stream<Path> entries = Files.list(folder)) {
      parts = entries.filter(path -> path.toString().endsWith(".tsv")).sorted().toList();
    }
    if (parts.isEmpty()) {
      throw new TraceFormatException(folder, 0, "files whose names end in .tsv", "none");
    }
    TraceBuilder trace = new TraceBuilder();
    long last = 0;
    for (Path part : parts) {
      last = read(part, trace, last);
    }
    return trace.build(folder.getFileName().toString(), 0);
  }

  private static long read(Path file, TraceBuilder trace, long from) throws IOException {
    try (BufferedReader lines = BlockTraceReader.open(file)) {
      String first = lines.readLine();
      if (!isHeader(first)) {
        throw new TraceFormatException(file, 1, "the columns " + HEADER, "'" + first + "'");
      }
      long number = 1;
      long last = from;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] values = line.split("\t", -1);
        if (values.length != COLUMNS || values[FILE].isBlank()) {
          throw new TraceFormatException(
              file,
              number,
              COLUMNS + " columns with the input file as the sixth",
              "'" + line + "'");
        }
        long time = whole(file, number, "submit_time_s", values[TIME], last);
        long bytes = whole(file, number, "map_input_bytes", values[INPUT_BYTES], 0);
        trace.wholeRead(time * MICROS, values[FILE]);
        trace.atLeast(values[FILE], bytes);
        last = time;
      }
      if (number == 1) {
        throw new TraceFormatException(file, 2, "at least one job", "the end of the file");
      }
      return last;
    }
  }

  private static long whole(Path file, long line, String column, String text, long least)
      throws TraceFormatException {
    try {
      long value = Long.parseLong(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number that is too small, below.
    }
    throw new TraceFormatException(
        file, line, column + ", a whole number from " + least + " on", "'" + text + "'");
  }
}
