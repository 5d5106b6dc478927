// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.testbed.workload.Fb2010Trace.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Fb2010TraceTest {

  private static final String HEADER = String.join("\t", Fb2010Trace.COLUMNS) + "\n";
  private static final String GOOD = "job0\t1\t2000\t0\t7\tfile00000\t1\n";

  @TempDir Path temp;

  @Test
  void aFileIsAsLargeAsItsLargestRead() throws IOException {
    Path trace =
        write(
            HEADER
                + "job0\t1\t2000\t0\t7\ta\t1\n"
                + "job1\t5\t1000\t0\t7\tb\t1\n"
                + "job2\t3700\t6000\t0\t7\ta\t0\n");
    Workload workload = Fb2010Trace.read(trace, new Settings(14_000, 1, 100_000, 10, 42));
    assertEquals(
        List.of("/warehouse/fb2010/hour-00/a", "/warehouse/fb2010/hour-00/b"),
        workload.files().stream().map(WorkloadFile::path).toList());
    assertEquals(
        List.of(12_000L, 2_000L), workload.files().stream().map(WorkloadFile::bytes).toList());
    assertEquals(
        List.of(new Access(1, 0), new Access(5, 1), new Access(3700, 0)), workload.accesses());
  }

  @Test
  void whatWasClampedIsSaid() throws IOException {
    Path trace =
        write(
            HEADER
                + "job0\t1\t0\t0\t7\ta\t1\n"
                + "job1\t1\t1000\t0\t7\tb\t1\n"
                + "job2\t1\t1000000\t0\t7\tc\t1\n");
    Workload workload = Fb2010Trace.read(trace, new Settings(1_600, 100, 1_000, 10, 42));
    assertEquals(
        List.of(100L, 500L, 1_000L), workload.files().stream().map(WorkloadFile::bytes).toList());
    assertTrue(
        workload.description().contains("1 files raised to 100 bytes, 1 cut to 1000 bytes"),
        workload.description());
  }

  @Test
  void onlyTheFirstRowsAreRead() throws IOException {
    Path trace = write(HEADER + GOOD + "not a row\n");
    Workload workload = Fb2010Trace.read(trace, Settings.defaults(1).withRows(1).withTotal(5_000));
    assertEquals(1, workload.accesses().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "job0,1,x,0,7,f,1    | 3 | column 3 (map_input_bytes): expected a whole number from 0 on, found 'x'",
        "job0,1,-5,0,7,f,1   | 3 | column 3 (map_input_bytes): expected a whole number from 0 on, found '-5'",
        "job0,1.5,5,0,7,f,1  | 3 | column 2 (submit_time_s): expected a whole number from 0 on, found '1.5'",
        "job0,0,5,0,7,f,1    | 3 | column 2 (submit_time_s): expected a time from 1 on, found '0'",
        "job0,1,5,,7,f,1     | 3 | column 4 (shuffle_bytes): expected a whole number from 0 on, found ''",
        "job0,1,5,0,1e3,f,1  | 3 | column 5 (reduce_output_bytes): expected a whole number from 0 on, found '1e3'",
        "job0,1,5,0,7,,1     | 3 | column 6 (input_file): expected a name without /, found ''",
        "job0,1,5,0,7,../f,1 | 3 | column 6 (input_file): expected a name without /, found '../f'",
        "job0,1,5,0,7,f,2    | 3 | column 7 (first_occurrence): expected 0 or 1, found '2'",
        "job0,1,5,0,7,f      | 3 | row: expected 7 columns, found 6 in",
        "job0,1,5,0,7,f,1,9  | 3 | row: expected 7 columns, found 8 in",
        ",1,5,0,7,f,1        | 3 | column 1 (job_id): expected a name without /, found ''",
      })
  void aBadRowSaysWhereAndWhat(String row, int line, String message) throws IOException {
    Path trace = write(HEADER + GOOD + row.strip().replace(',', '\t') + "\n");
    TraceFormatException e = refused(trace);
    assertEquals(line, e.line());
    assertTrue(
        e.getMessage().startsWith(trace + ", line " + line + ", " + message), e.getMessage());
  }

  @Test
  void anEmptyFileAndAMissingHeaderAreRefused() throws IOException {
    String expected = "line 1, header: expected the columns job_id, submit_time_s";
    TraceFormatException empty = refused(write(""));
    assertTrue(empty.getMessage().contains(expected), empty.getMessage());
    assertTrue(empty.getMessage().endsWith("found the end of the file"), empty.getMessage());
    TraceFormatException headless = refused(write(GOOD));
    assertTrue(headless.getMessage().contains(expected), headless.getMessage());
    TraceFormatException rowless = refused(write(HEADER));
    assertTrue(rowless.getMessage().contains("line 2, row: expected at least one job"));
  }

  @Test
  void tooManyFilesForTheTotalAreRefused() throws IOException {
    Path trace = write(HEADER + GOOD);
    Settings settings = new Settings(10, 100, 1_000, 10, 42);
    assertThrows(IllegalArgumentException.class, () -> Fb2010Trace.read(trace, settings));
  }

  /** As many jobs and files as the real one has, with sizes over nine powers of ten. */
  @Test
  void aGeneratedTraceFitsTheTestbed() throws IOException {
    long seed = Long.getLong("test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder(HEADER);
    Set<Integer> files = new HashSet<>();
    int jobs = 13_483;
    for (int i = 0; i < jobs; i++) {
      int file = i < 9_000 ? i : (int) Math.pow(9_000, random.nextDouble()) - 1;
      long bytes = (long) Math.pow(10, 4 + 9 * random.nextDouble());
      rows.append(
          "job%d\t%d\t%d\t0\t7\tf%d\t%d\n"
              .formatted(i, 1 + 3 * i, bytes, file, files.add(file) ? 1 : 0));
    }
    Settings settings = Settings.defaults(seed);
    Workload workload = Fb2010Trace.read(write(rows.toString()), settings);
    assertEquals(jobs, workload.accesses().size());
    assertEquals(files.size(), workload.files().size());
    assertEquals(
        settings.uniqueBytes(),
        workload.uniqueBytes(),
        workload.files().size(),
        () -> "seed " + seed);
  }

  @Test
  void theWholeTraceFitsTheTestbed() throws IOException {
    Path trace =
        Path.of(System.getProperty("project.root"), "../shared/traces/fb2010/fb2010-h00-h11.tsv");
    assumeTrue(Files.exists(trace), "the trace is not at " + trace.normalize());
    Settings settings = Settings.defaults(42);
    Workload workload = Fb2010Trace.read(trace, settings);
    assertEquals(13_483, workload.accesses().size());
    assertEquals(9_056, workload.files().size());
    assertEquals(settings.uniqueBytes(), workload.uniqueBytes(), workload.files().size());
  }

  private TraceFormatException refused(Path trace) {
    return assertThrows(
        TraceFormatException.class, () -> Fb2010Trace.read(trace, Settings.defaults(42)));
  }

  private Path write(String content) throws IOException {
    return Files.writeString(temp.resolve("trace.tsv"), content);
  }
}
