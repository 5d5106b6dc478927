// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The disk of one virtual machine, two hours, of CloudPhysics: {@code time_us,op,offset_bytes,size_bytes}. */
final class CloudPhysics {
  private static final String HEADER = "time_us,op,offset_bytes,size_bytes";

  private CloudPhysics() {}

  /**
   * Requests from time 0 on.
   *
   * @param file compressed by gzip
   * @throws IOException also where a line is other than the header says
   */
  static List<BlockRequest> read(Path file) throws IOException {
    List<BlockRequest> requests = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      String header = lines.readLine();
      if (!HEADER.equals(header)) {
        throw new IOException(file + ":1: expected " + HEADER + ", found " + header);
      }
      long start = -1;
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] fields = line.split(",");
        try {
          long micros = Long.parseLong(fields[0]);
          start = start < 0 ? micros : start;
          requests.add(
              new BlockRequest(
                  (micros - start) / 1e6,
                  fields[1].equals("W"),
                  Long.parseLong(fields[2]),
                  Long.parseLong(fields[3])));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
          throw new IOException(file + ":" + number + ": no request: " + line, e);
        }
      }
    }
    return List.copyOf(requests);
  }
}
