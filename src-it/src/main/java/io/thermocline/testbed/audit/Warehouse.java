// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import io.thermocline.testbed.workload.Zipf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Tables in partitions of a day, read by Zipf's law, and small tables that jobs join them with. */
final class Warehouse {
  private static final int SMALL_TABLES = 10;
  private static final int FEWEST_FILES = 150;
  private static final int MORE_FILES = 450;
  private static final int FEWEST_DAYS = 10;
  private static final int MORE_DAYS = 30;
  private static final long MB = 1 << 20;

  private static final int[] LAST_DAYS = {1, 2, 3, 7, 14};

  private final SplittableRandom random;
  private final double wholeTables;
  private final int octaves;
  private final Zipf popularity;
  private final List<List<Partition>> tables = new ArrayList<>();
  private final List<DataFile> small = new ArrayList<>();

  /** A directory and its files. */
  record Partition(String path, List<DataFile> files) {}

  /**
   * @param wholeTables share of jobs that read a whole table
   * @param octaves how far tables differ in the lengths of their files: from 8 MB on, doubled so often
   */
  Warehouse(String root, int tableCount, double wholeTables, int octaves, SplittableRandom random) {
    this.random = random;
    this.wholeTables = wholeTables;
    this.octaves = octaves;
    this.popularity = new Zipf(tableCount, 1);
    for (int table = 0; table < tableCount; table++) {
      tables.add(table(root + "/db%d.db/table%02d".formatted(table % 5, table)));
    }
    for (int table = 0; table < SMALL_TABLES; table++) {
      small.add(
          new DataFile(
              root + "/dim.db/dim%d/part-00000.parquet".formatted(table),
              MB + random.nextLong(30 * MB)));
    }
  }

  /** Newest partition first. */
  private List<Partition> table(String path) {
    int days = FEWEST_DAYS + random.nextInt(MORE_DAYS);
    int filesPerDay = Math.max(1, (FEWEST_FILES + random.nextInt(MORE_FILES)) / days);
    double typical = 8 * MB * Math.pow(2, octaves * random.nextDouble());
    List<Partition> partitions = new ArrayList<>();
    for (int day = 0; day < days; day++) {
      String directory = path + "/dt=2026-%02d-%02d".formatted(11 - day / 20, 20 - day % 20);
      List<DataFile> files = new ArrayList<>();
      for (int file = 0; file < filesPerDay; file++) {
        long length = (long) (typical * Math.pow(2, 2 * random.nextDouble() - 1));
        files.add(new DataFile(directory + "/part-%05d.parquet".formatted(file), length));
      }
      partitions.add(new Partition(directory, files));
    }
    return partitions;
  }

  List<DataFile> files() {
    List<DataFile> files = new ArrayList<>(small);
    allPartitions().forEach(partition -> files.addAll(partition.files()));
    return files;
  }

  List<Partition> allPartitions() {
    return tables.stream().flatMap(List::stream).toList();
  }

  /** What the next job reads: the last days of a table, or all of it. */
  List<Partition> nextScan() {
    List<Partition> table = tables.get(popularity.draw(random));
    int days =
        random.nextDouble() < wholeTables
            ? table.size()
            : LAST_DAYS[random.nextInt(LAST_DAYS.length)];
    return table.subList(0, Math.min(days, table.size()));
  }

  /** The small tables that the next job joins with. */
  List<DataFile> nextJoin() {
    int first = random.nextInt(random.nextInt(1, SMALL_TABLES));
    return small.subList(first, Math.min(first + 2, SMALL_TABLES));
  }
}
