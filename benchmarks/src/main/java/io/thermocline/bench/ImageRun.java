// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.image.GeneratedImage;
import io.thermocline.tiering.observe.image.ImageCheckpoint;
import io.thermocline.tiering.observe.image.ImageDigest;
import io.thermocline.tiering.observe.image.ImageFile;
import io.thermocline.tiering.observe.image.ImageReader;
import io.thermocline.tiering.observe.image.NamespaceImage;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;

/**
 * A whole image by one reader, in a process of its own with a heap of its own: {@code thermocline IMAGE}, or {@code
 * viewer IMAGE OUTPUT [TEMPORARY]} for Hadoop's OfflineImageViewer. Its last line is one flat JSON object.
 */
public final class ImageRun {
  private static final LongSupplier NANOS = ServiceRuntime.system().nanos();

  private ImageRun() {}

  public static void main(String[] args) throws Exception {
    Map<String, Object> report =
        args[0].equals("thermocline") ? thermocline(Path.of(args[1])) : viewer(List.of(args));
    report.put("peak_heap_mb", peakHeap() >> 20);
    System.out.println(FlatJson.of(report));
  }

  /** What a first plan needs is looked at, so that nothing of it is left out. */
  private static final class Sums implements Consumer<ImageFile> {
    private long bytes;
    private long paths;
    private long policies;
    private long times;

    @Override
    public void accept(ImageFile file) {
      bytes += file.length();
      paths += GeneratedImage.hash(file.path());
      policies += file.policy().effective();
      times += 31 * file.modified() + file.accessed();
    }
  }

  private static Map<String, Object> thermocline(Path image) throws IOException {
    long digestStart = NANOS.getAsLong();
    ImageDigest.check(image);
    long start = NANOS.getAsLong();
    Sums sums = new Sums();
    long tree = 0;
    NamespaceImage opened = NamespaceImage.open(image, new Configuration());
    try (ImageReader reader = opened.reader(ImageCheckpoint.beginning(), NANOS)) {
      reader.poll(sums, 1);
      tree = NANOS.getAsLong();
      long said = tree;
      while (reader.poll(sums, 100_000)) {
        long now = NANOS.getAsLong();
        if (now - said > 1_000_000_000L) {
          said = now;
          System.out.printf(
              "reading: %.0f %%, %.0f s left%n",
              100 * reader.progress().share(), Math.ceil(reader.progress().secondsLeft()));
        }
      }
      Map<String, Object> report = new TreeMap<>();
      report.put("seconds", (NANOS.getAsLong() - start) / 1e9);
      report.put("digest_seconds", (start - digestStart) / 1e9);
      report.put("tree_seconds", (tree - start) / 1e9);
      report.put("files", reader.checkpoint().counts().files());
      report.put("directories", reader.checkpoint().counts().directories());
      report.put("bytes", sums.bytes);
      report.put("paths", sums.paths);
      report.put("policies", sums.policies);
      report.put("times", sums.times);
      report.put("live_heap_mb", live() >> 20);
      return report;
    }
  }

  private static Map<String, Object> viewer(List<String> args) throws Exception {
    Path output = Path.of(args.get(2));
    List<String> options =
        Stream.concat(
                Stream.of("-p", "Delimited", "-i", args.get(1), "-o", args.get(2)),
                args.size() > 3 ? Stream.of("-t", args.get(3)) : Stream.of())
            .toList();
    long start = NANOS.getAsLong();
    int status = OfflineImageViewerPB.run(options.toArray(String[]::new));
    double seconds = (NANOS.getAsLong() - start) / 1e9;
    Map<String, Object> report = new TreeMap<>();
    report.put("seconds", seconds);
    report.put("status", status);
    try (Stream<String> lines = Files.lines(output)) {
      report.put("lines", lines.count());
    }
    return report;
  }

  /** The tree is still held by the reader. */
  private static long live() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(usage -> usage.getUsed())
        .sum();
  }
}
