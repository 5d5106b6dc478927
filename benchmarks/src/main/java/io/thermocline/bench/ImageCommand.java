// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.testbed.image.GeneratedImage;
import io.thermocline.testbed.image.GeneratedImage.Totals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A generated image, read whole, beside Hadoop's own viewer on the same image.
 *
 * <p>{@code bin/thermocline bench image}
 */
@Command(
    name = "image",
    description = {
      "A generated image of a NameNode, each file read out of it, against Hadoop's OfflineImageViewer"
          + " (Delimited, in memory and with its LevelDB). docs/evidence/image.md describes both.",
      "Needs 3 GB in the temporary directory; removes them."
    },
    mixinStandardHelpOptions = true)
final class ImageCommand implements Callable<Integer> {
  private static final int VIEWER_HEAP_MB = 3072;

  @Option(
      names = "--quick",
      description = "300,000 files instead of 5 million, for a first impression.")
  private boolean quick;

  @Option(names = "--files", paramLabel = "N", description = "How many (default: 5000000).")
  private int files;

  @Option(names = "--seed", paramLabel = "N", description = "Of the image (default: 1).")
  private long seed = 1;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "Given to our reader; the viewer has 3072 (default: ${DEFAULT-VALUE}).")
  private int heap = 256;

  @Option(
      names = "--viewer",
      paramLabel = "WHICH",
      description = "none, memory, leveldb, both (default: ${DEFAULT-VALUE}).")
  private Viewer viewer = Viewer.BOTH;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where to put the image (default: the temporary directory).")
  private Path directory;

  /** Where Hadoop's viewer keeps its table of directories. */
  enum Viewer {
    NONE,
    MEMORY,
    LEVELDB,
    BOTH
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int count = files > 0 ? files : quick ? 300_000 : 5_000_000;
    Path place =
        directory == null
            ? Files.createTempDirectory("thermocline-image")
            : Files.createTempDirectory(directory, "thermocline-image");
    // Also where we are stopped.
    Thread removal = new Thread(() -> remove(place));
    Runtime.getRuntime().addShutdownHook(removal);
    try {
      Path image = place.resolve("fsimage_0000000000000000001");
      System.out.println("generating " + count + " files ...");
      Totals written = GeneratedImage.write(image, count, seed, null);
      long size = Files.size(image);
      System.out.printf("%.2f GB, %d directories%n", size / 1e9, written.directories());
      JsonNode ours = run(heap, "thermocline", image.toString());
      check(written, ours);
      Map<String, Object> report = new TreeMap<>();
      double seconds = ours.path("seconds").asDouble();
      report.put("benchmark", "image");
      report.put("quick", quick);
      report.put("seed", seed);
      report.put("files", written.files());
      report.put("directories", written.directories());
      report.put("image_bytes", size);
      report.put("seconds", round(seconds));
      report.put("tree_seconds", round(ours.path("tree_seconds").asDouble()));
      report.put("files_per_second", Math.round(written.files() / seconds));
      report.put("projected_50m_seconds", round(seconds / written.files() * 50e6));
      report.put("heap_given_mb", heap);
      report.put("peak_heap_mb", ours.path("peak_heap_mb").asLong());
      report.put("live_heap_mb", ours.path("live_heap_mb").asLong());
      if (viewer == Viewer.MEMORY || viewer == Viewer.BOTH) {
        view("viewer_memory", seconds, written, report, image, place.resolve("memory"), null);
      }
      if (viewer == Viewer.LEVELDB || viewer == Viewer.BOTH) {
        view(
            "viewer_leveldb",
            seconds,
            written,
            report,
            image,
            place.resolve("disk"),
            place.resolve("leveldb"));
      }
      report.put("java_version", Runtime.version().toString());
      System.out.println(FlatJson.of(report));
      return 0;
    } finally {
      remove(place);
      Runtime.getRuntime().removeShutdownHook(removal);
    }
  }

  /** @param temporary null for in memory */
  private static void view(
      String name,
      double ours,
      Totals written,
      Map<String, Object> report,
      Path image,
      Path output,
      Path temporary)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("viewer", image.toString(), output.toString()));
    if (temporary != null) {
      arguments.add(temporary.toString());
    }
    JsonNode theirs = run(VIEWER_HEAP_MB, arguments.toArray(String[]::new));
    // A line each, and a header.
    long lines = written.files() + written.directories() + 1;
    if (theirs.path("status").asInt() != 0 || theirs.path("lines").asLong() != lines) {
      throw new IllegalStateException(
          "the viewer printed other than " + lines + " lines: " + theirs);
    }
    Files.delete(output);
    double seconds = theirs.path("seconds").asDouble();
    report.put(name + "_seconds", round(seconds));
    report.put(name + "_peak_heap_mb", theirs.path("peak_heap_mb").asLong());
    report.put(name + "_ratio", round(seconds / ours));
  }

  /** A reader that left something out would be fast. */
  private static void check(Totals written, JsonNode read) {
    Totals found =
        new Totals(
            read.path("files").asLong(),
            read.path("directories").asLong(),
            read.path("bytes").asLong(),
            read.path("paths").asLong(),
            read.path("policies").asLong(),
            read.path("times").asLong());
    if (!written.equals(found)) {
      throw new IllegalStateException("written " + written + ", read " + found);
    }
  }

  private static JsonNode run(int heapMb, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMb + "m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ImageRun.class.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String last = "";
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line;
        System.out.println(line);
      }
    }
    int status = process.waitFor();
    if (status != 0 || !last.startsWith("{")) {
      throw new IOException(String.join(" ", arguments) + " ended with status " + status);
    }
    return new ObjectMapper().readTree(last);
  }

  private static double round(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  private static void remove(Path place) {
    try (Stream<Path> all = Files.walk(place)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("could not remove " + place + ": " + e);
    }
  }
}
