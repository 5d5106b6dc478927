// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;

/**
 * The process that is killed: reads an image, and prints what it is told of its progress and, at the end, a sum of all
 * files. Arguments: the image, the directory that outlives it, and after how many words it stands still.
 */
final class FirstViewReader {

  private FirstViewReader() {}

  public static void main(String[] args) throws IOException {
    AtomicLong nanos = new AtomicLong();
    AtomicLong words = new AtomicLong(Long.parseLong(args[2]));
    List<FileView> files = new ArrayList<>();
    FirstView.of(
            Path.of(args[0]),
            Path.of(args[1]),
            new Configuration(),
            () -> nanos.addAndGet(6_000_000_000L),
            said -> {
              System.out.println(said);
              if (words.decrementAndGet() == 0) {
                standStill();
              }
            })
        .read(List.of("/"), path -> false, files::add);
    System.out.println(sum(files));
  }

  /** Until whoever started it ends it, or itself. */
  private static void standStill() {
    try {
      System.in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.exit(1);
  }

  /** Of all that is known of each of them, in their order. */
  static String sum(Collection<FileView> files) {
    long sum = 0;
    for (FileView file : files) {
      sum = 31 * sum + file.toString().hashCode();
    }
    return files.size() + " files, " + sum;
  }
}
