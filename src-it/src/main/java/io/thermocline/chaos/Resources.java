// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a process takes of its host, as Linux tells it.
 *
 * @param memory bytes of it that are in memory
 * @param descriptors open files and connections
 */
record Resources(long memory, long threads, long descriptors) {

  private static final int KIB = 1024;

  static Resources of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Map<String, String> status =
        Files.readAllLines(process.resolve("status")).stream()
            .map(line -> line.split(":\\s*", 2))
            .collect(Collectors.toMap(line -> line[0], line -> line[1]));
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
      return new Resources(
          number(status.get("VmRSS")) * KIB, number(status.get("Threads")), descriptors.count());
    }
  }

  private static long number(String value) {
    return Long.parseLong(value.split(" ")[0]);
  }

  /** The medians of some. */
  static Resources median(List<Resources> some) {
    return new Resources(
        median(some, Resources::memory),
        median(some, Resources::threads),
        median(some, Resources::descriptors));
  }

  private static long median(List<Resources> some, ToLongFunction<Resources> number) {
    return some.stream().mapToLong(number).sorted().skip(some.size() / 2).findFirst().orElse(0);
  }
}
