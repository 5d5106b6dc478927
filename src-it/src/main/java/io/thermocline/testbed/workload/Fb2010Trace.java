// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Reads Facebook's Hadoop trace of 2010 (SWIM) as a workload: each job reads its input file once, as a
 * whole. A file's size is the largest that a job read of it, as jobs may read a part of a directory.
 */
public final class Fb2010Trace {

  /** Columns, separated by tabs, which the first line names. */
  static final List<String> COLUMNS =
      List.of(
          "job_id",
          "submit_time_s",
          "map_input_bytes",
          "shuffle_bytes",
          "reduce_output_bytes",
          "input_file",
          "first_occurrence");

  private static final int JOB = 0;
  private static final int TIME = 1;
  private static final int INPUT_BYTES = 2;
  private static final int SHUFFLE_BYTES = 3;
  private static final int OUTPUT_BYTES = 4;
  private static final int FILE = 5;
  private static final int FIRST = 6;
  private static final int SECONDS_PER_HOUR = 3600;
  private static final int LONGEST_QUOTE = 40;

  private final Path trace;
  private final Settings settings;
  private final Map<String, Integer> indexes = new LinkedHashMap<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<Long> hours = new ArrayList<>();
  private final List<Access> accesses = new ArrayList<>();

  private Fb2010Trace(Path trace, Settings settings) {
    this.trace = trace;
    this.settings = settings;
  }

  /**
   * How the trace becomes testbed files.
   *
   * @param uniqueBytes of all files together: decides the one factor that all sizes are multiplied by
   * @param smallest a smaller file gets this many bytes
   * @param largest a larger file gets this many bytes
   * @param rows how many rows of the trace to read
   * @param seed of the files' content
   */
  public record Settings(long uniqueBytes, long smallest, long largest, int rows, long seed) {
    public Settings {
      if (smallest < 0 || largest < smallest || rows < 1) {
        throw new IllegalArgumentException(
            "smallest=%d (from 0), largest=%d (from smallest), rows=%d (from 1)"
                .formatted(smallest, largest, rows));
      }
    }

    /** 230 MB, files of 4 KiB to 2 MiB, all rows. */
    public static Settings defaults(long seed) {
      return new Settings(
          230_000_000L, Fb2010Sizes.SMALLEST, Fb2010Sizes.LARGEST, Integer.MAX_VALUE, seed);
    }

    /** Another sum of the files' sizes. */
    public Settings withTotal(long bytes) {
      return new Settings(bytes, smallest, largest, rows, seed);
    }

    /** Only the first rows. */
    public Settings withRows(int value) {
      return new Settings(uniqueBytes, smallest, largest, value, seed);
    }
  }

  /**
   * @throws TraceFormatException if the trace is empty, or a line isn't as it should be
   * @throws IOException if it can't be read
   * @throws IllegalArgumentException if its files can't have the total wanted within the limits
   */
  public static Workload read(Path trace, Settings settings) throws IOException {
    Fb2010Trace reader = new Fb2010Trace(trace, settings);
    reader.parse();
    return reader.workload();
  }

  private void parse() throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(trace)) {
      String header = String.join("\t", COLUMNS);
      String first = lines.readLine();
      if (!header.equals(first)) {
        throw bad(1, "header", "the columns " + String.join(", ", COLUMNS), quoted(first));
      }
      int line = 2;
      for (String row = lines.readLine();
          row != null && accesses.size() < settings.rows();
          row = lines.readLine()) {
        parse(row, line++);
      }
      if (accesses.isEmpty()) {
        throw bad(line, "row", "at least one job", quoted(null));
      }
    }
  }

  private void parse(String row, int line) throws TraceFormatException {
    String[] values = row.split("\t", -1);
    if (values.length != COLUMNS.size()) {
      throw bad(line, "row", COLUMNS.size() + " columns", values.length + " in " + quoted(row));
    }
    text(values, JOB, line);
    long time = number(values, TIME, line);
    long bytes = number(values, INPUT_BYTES, line);
    number(values, SHUFFLE_BYTES, line);
    number(values, OUTPUT_BYTES, line);
    String name = text(values, FILE, line);
    if (!values[FIRST].equals("0") && !values[FIRST].equals("1")) {
      throw bad(line, column(FIRST), "0 or 1", quoted(values[FIRST]));
    }
    double last = accesses.isEmpty() ? 0 : accesses.get(accesses.size() - 1).atSeconds();
    if (time < last) {
      throw bad(line, column(TIME), "a time from %.0f on".formatted(last), quoted(values[TIME]));
    }
    add(name, time, bytes);
  }

  private void add(String name, long time, long bytes) {
    Integer file = indexes.putIfAbsent(name, sizes.size());
    if (file == null) {
      file = sizes.size();
      sizes.add(bytes);
      hours.add(time / SECONDS_PER_HOUR);
    } else {
      sizes.set(file, Math.max(sizes.get(file), bytes));
    }
    accesses.add(new Access(time, file));
  }

  private Workload workload() {
    double[] real = sizes.stream().mapToDouble(Long::doubleValue).toArray();
    SizeFit fit = new SizeFit(settings.smallest(), settings.largest(), settings.uniqueBytes());
    double factor = fit.factor(real);
    SplittableRandom random = new SplittableRandom(settings.seed());
    List<WorkloadFile> files = new ArrayList<>();
    for (Map.Entry<String, Integer> entry : indexes.entrySet()) {
      int file = entry.getValue();
      files.add(
          new WorkloadFile(
              "/warehouse/fb2010/hour-%02d/%s".formatted(hours.get(file), entry.getKey()),
              fit.scaled(real[file], factor),
              random.nextLong()));
    }
    return new Workload("fb2010", settings.seed(), description(real, factor), files, accesses);
  }

  private String description(double[] real, double factor) {
    long raised = Arrays.stream(real).filter(size -> size * factor < settings.smallest()).count();
    long cut = Arrays.stream(real).filter(size -> size * factor > settings.largest()).count();
    return ("Facebook's Hadoop trace of 2010 (SWIM): %d jobs that read %d files. All sizes times %.3g; "
            + "%d files raised to %d bytes, %d cut to %d bytes.")
        .formatted(
            accesses.size(),
            real.length,
            factor,
            raised,
            settings.smallest(),
            cut,
            settings.largest());
  }

  private String text(String[] values, int column, int line) throws TraceFormatException {
    // It becomes a part of a path: a slash would put the file elsewhere.
    if (values[column].isBlank() || values[column].contains("/")) {
      throw bad(line, column(column), "a name without /", quoted(values[column]));
    }
    return values[column];
  }

  private long number(String[] values, int column, int line) throws TraceFormatException {
    try {
      long number = Long.parseLong(values[column]);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a negative number, below.
    }
    throw bad(line, column(column), "a whole number from 0 on", quoted(values[column]));
  }

  private TraceFormatException bad(int line, String where, String expected, String found) {
    return new TraceFormatException(trace, line, where, expected, found);
  }

  private static String column(int index) {
    return "column %d (%s)".formatted(index + 1, COLUMNS.get(index));
  }

  private static String quoted(String value) {
    if (value == null) {
      return "the end of the file";
    }
    return value.length() <= LONGEST_QUOTE
        ? "'" + value + "'"
        : "'" + value.substring(0, LONGEST_QUOTE) + "...'";
  }
}
