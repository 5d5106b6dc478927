// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Opens;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the disk time that audit logs let estimate differs from the one that some DataNodes' clienttrace logs tell, by kind of
 * reader and directory, and estimates corrected by that. Where no DataNode logs its reads, estimates stay as they are.
 * Thread-safe.
 *
 * <p>Of the hottest files it is known how much of their replicas lies on DataNodes that log. That share of what was
 * estimated between two plans is what these should have read. What they did read, divided by it, is the ratio of a
 * directory. One with few reads leans on the directory above, and the uppermost on 1. HBase reads through streams that stay
 * open, and no line tells of that: there the disk time of each file is what was measured, and opens don't matter.
 */
public final class ReadCalibration {

  /** Kinds of readers, as far as opens tell them apart. */
  public enum Reader {
    /** Each reads whole files. */
    WHOLE,
    /** Several share a file. */
    SHARED,
    /** Columns of Parquet or ORC. */
    COLUMNS,
    /** The end of a file that grows. */
    TAIL,
    HBASE;

    private static Reader of(String path, Opens opens) {
      if (HotFile.isOfHbase(path)) {
        return HBASE;
      }
      if (opens.requests() < 0.75) {
        return TAIL;
      }
      if (opens.share() < 0.65) {
        return COLUMNS;
      }
      return opens.parts() > opens.whole() ? SHARED : WHOLE;
    }
  }

  /**
   * What was measured of one kind of reader.
   *
   * @param measuredSeconds of disk time on the DataNodes that log, cooled
   * @param ratio of that to what was estimated; NaN for HBase, which is measured alone
   */
  public record Measured(Reader reader, double measuredSeconds, double ratio) {}

  private record Key(Reader reader, String directory) {
    /** The directory above; null above the root. */
    Key parent() {
      return directory.isEmpty() ? null : new Key(reader, parentOf(directory));
    }
  }

  /** All cooled. */
  private static final class Sums {
    private double requests;
    private double measured;
    private double expected;

    void add(double moreRequests, double moreMeasured, double moreExpected) {
      requests += moreRequests;
      measured += moreMeasured;
      expected += moreExpected;
    }

    void add(Sums more) {
      add(more.requests, more.measured, more.expected);
    }

    void cool(double left) {
      requests *= left;
      measured *= left;
      expected *= left;
    }

    /** What was measured, divided by what was expected: leans on another ratio as on {@link #EVIDENCE} requests. */
    double ratio(double above) {
      double evidence = requests == 0 ? 1 : EVIDENCE * measured / requests;
      return (measured + evidence) / (Math.max(0, expected) + evidence / above);
    }
  }

  /** A file at a plan, with the disk time that was estimated since the plan before. */
  private record Seen(FileView file, Reader reader, double seconds) {}

  /** A directory with as many requests leans as much on itself as on the one above. */
  private static final double EVIDENCE = 300;

  /** An estimate is corrected by this factor at most. */
  private static final double MOST_RATIO = 8;

  /** Of kinds of reader and directories; of more, those with the least reads count as the one above. */
  private static final int MOST_DIRECTORIES = 1 << 14;

  /** A DataNode that logged no read for so long is taken for one that doesn't log. */
  private static final long SILENT_MILLIS = 3_600_000;

  private static final double[] NONE = new double[2];

  private final double halfLifeMillis;

  /** Of directories of files, and of HBase's files. */
  private final Map<Key, Sums> sums = new HashMap<>();

  /** When each DataNode logged its last read, by its UUID. */
  private final Map<String, Long> heard = new HashMap<>();

  /** By path, since the last plan, of the DataNodes that log: requests, and their disk time. */
  private final Map<String, double[]> measured = new HashMap<>();

  private Map<String, Double> estimates = Map.of();
  private List<Seen> seen = List.of();
  private long plannedMillis = Long.MIN_VALUE;
  private long seenMillis;
  private volatile Map<Key, Double> ratios = Map.of();

  /** Seconds of which {@link #sums} tell, cooled as these are. */
  private volatile double seconds;

  private volatile long merged;

  /** @param halfLife of the heat */
  public ReadCalibration(Duration halfLife) {
    this.halfLifeMillis = halfLife.toMillis();
  }

  // --- What DataNodes tell ---

  /** A transfer that a DataNode logged. */
  public synchronized void read(BlockAccess access, CandidateBlocks blocks) {
    if (access.kind() == BlockAccess.Kind.WRITE) {
      return;
    }
    heard.merge(access.dataNode(), access.timeMillis(), Math::max);
    CandidateBlocks.Block block = blocks.of(access);
    if (block != null) {
      // Who reads by a short circuit is taken to read all of the block.
      double bytes = access.bytes() < 0 ? block.length() : access.bytes();
      double[] of = measured.computeIfAbsent(block.path(), any -> new double[2]);
      of[0]++;
      of[1] += HotFile.seconds(1, bytes);
    }
  }

  /**
   * A plan was made. What DataNodes tell from now on is of the time between the plan before and this one.
   *
   * @param candidates the hottest files, whose reads DataNodes' logs tell
   * @param asOfMillis reads up to then are in the heat, milliseconds since 1970
   */
  public synchronized void planned(List<FileView> candidates, Heat heat, long asOfMillis) {
    learn();
    long since = asOfMillis - plannedMillis;
    boolean isFirst = plannedMillis == Long.MIN_VALUE || since < 0;
    double left = isFirst ? 0 : left(since);
    Map<String, Double> now = new HashMap<>();
    List<Seen> changed = new ArrayList<>();
    for (FileView file : candidates) {
      Opens opens = heat.opens(file.path());
      double estimate = HotFile.opened(file, opens).diskSeconds();
      now.put(file.path(), estimate);
      if (!isFirst) {
        Double before = estimates.get(file.path());
        double more =
            before == null
                ? estimate * heat.profile(file.path()).map(ReadCalibration::own).orElse(0.0)
                : estimate - left * before;
        changed.add(new Seen(file, Reader.of(file.path(), opens), more));
      }
    }
    estimates = now;
    seen = changed;
    seenMillis = isFirst ? 0 : since;
    plannedMillis = asOfMillis;
  }

  /** The share of the heat that was learned since the file has a profile. */
  private static double own(Profile profile) {
    return profile.heat() <= 0 ? 0 : 1 - Math.min(1, profile.inherited() / profile.heat());
  }

  /** What was measured since the last plan is of the files and the time of that plan. */
  private void learn() {
    heard.values().removeIf(last -> last < plannedMillis - SILENT_MILLIS);
    if (!heard.isEmpty() && !seen.isEmpty()) {
      double left = left(seenMillis);
      for (Sums each : sums.values()) {
        each.cool(left);
      }
      seconds = left * seconds + seenMillis / 1e3;
      for (Seen each : seen) {
        add(each);
      }
      bound();
      ratios = ratios();
    }
    measured.clear();
  }

  private double left(long millis) {
    return Math.pow(0.5, millis / halfLifeMillis);
  }

  private void add(Seen file) {
    double logged = logged(file.file());
    String path = file.file().path();
    double[] read = measured.getOrDefault(path, NONE);
    double expected = file.reader() == Reader.HBASE ? seenMillis / 1e3 : file.seconds();
    if (logged > 0 && (read[0] != 0 || expected != 0)) {
      sums.computeIfAbsent(keyOf(file.reader(), path), any -> new Sums())
          .add(read[0], read[1], logged * expected);
    }
  }

  /** Of a file's replicas, the share on DataNodes that log. */
  private double logged(FileView file) {
    long all = 0;
    long logged = 0;
    for (FileView.Block block : file.blocks()) {
      for (FileView.Replica replica : block.replicas()) {
        all++;
        logged += heard.containsKey(replica.node()) ? 1 : 0;
      }
    }
    return all == 0 ? 0 : (double) logged / all;
  }

  /** Where there are too many directories, those with the least reads become part of the one above. */
  private void bound() {
    while (sums.size() > MOST_DIRECTORIES) {
      List<Key> least =
          sums.keySet().stream()
              .filter(key -> !key.directory().isEmpty())
              .sorted(Comparator.comparingDouble(key -> sums.get(key).measured))
              .limit(sums.size() - MOST_DIRECTORIES + MOST_DIRECTORIES / 8)
              .toList();
      for (Key key : least) {
        Sums gone = sums.remove(key);
        sums.computeIfAbsent(key.parent(), any -> new Sums()).add(gone);
        merged++;
      }
    }
  }

  /** Of all directories that files lie in, and of all above them. */
  private Map<Key, Double> ratios() {
    Map<Key, Sums> all =
        new TreeMap<>(Comparator.comparing(Key::directory).thenComparing(Key::reader));
    sums.forEach(
        (key, of) -> {
          for (Key above = key; above != null; above = above.parent()) {
            all.computeIfAbsent(above, any -> new Sums()).add(of);
          }
        });
    Map<Key, Double> found = new HashMap<>();
    // What is above comes first.
    all.forEach(
        (key, of) -> {
          Key above = key.parent();
          if (above != null) {
            Double ratio = found.get(above);
            if (ratio != null) {
              put(found, key, of.ratio(ratio));
            }
          } else if (key.reader() != Reader.HBASE) {
            put(found, key, of.ratio(1));
          } else if (of.measured > 0 && of.expected > 0) {
            put(found, key, of.measured / of.expected);
          }
        });
    return found;
  }

  private static void put(Map<Key, Double> ratios, Key key, double ratio) {
    ratios.put(
        key,
        key.reader() == Reader.HBASE
            ? ratio
            : Math.max(1 / MOST_RATIO, Math.min(MOST_RATIO, ratio)));
  }

  // --- What follows from it ---

  /**
   * A file as hot as its opens make it, corrected by what was measured, and less what page caches spare disks: DataNodes log reads
   * of both.
   */
  public HotFile opened(FileView file, Opens opens) {
    return served(file, opens).ofDisks(opens);
  }

  /** A file as DataNodes serve it. */
  private HotFile served(FileView file, Opens opens) {
    HotFile estimated = HotFile.opened(file, opens);
    Map<Key, Double> known = ratios;
    if (known.isEmpty()) {
      return estimated;
    }
    Reader reader = Reader.of(file.path(), opens);
    Key key = keyOf(reader, file.path());
    while (key != null && !known.containsKey(key)) {
      key = key.parent();
    }
    if (key == null) {
      return estimated;
    }
    double ratio = known.get(key);
    return new HotFile(
        file,
        reader == Reader.HBASE
            ? ratio * seconds / new HotFile(file, 1).diskSeconds()
            : ratio * estimated.heat());
  }

  /** How far estimates are off, of each kind of reader of which anything was measured. */
  public synchronized List<Measured> measured() {
    Map<Reader, Sums> all = new TreeMap<>();
    sums.forEach((key, of) -> all.computeIfAbsent(key.reader(), any -> new Sums()).add(of));
    return all.entrySet().stream()
        .filter(each -> each.getValue().measured > 0)
        .map(
            each ->
                new Measured(
                    each.getKey(),
                    each.getValue().measured,
                    each.getKey() == Reader.HBASE || each.getValue().expected <= 0
                        ? Double.NaN
                        : each.getValue().measured / each.getValue().expected))
        .toList();
  }

  /** DataNodes that logged reads lately. */
  public synchronized int dataNodes() {
    return heard.size();
  }

  /** Directories that became part of the one above for want of room. */
  public long merged() {
    return merged;
  }

  /** Of HBase each file counts for itself: what gets of it leave no other trace. */
  private static Key keyOf(Reader reader, String path) {
    return new Key(reader, reader == Reader.HBASE ? path : parentOf(path));
  }

  private static String parentOf(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  // --- Saving ---

  /**
   * What is known of a directory, or of a file of HBase; all cooled.
   *
   * @param requests that DataNodes logged
   * @param measured seconds of disk time that they took
   * @param expected seconds of it by estimates; of HBase seconds that files were looked at
   */
  public record Known(
      Reader reader, String directory, double requests, double measured, double expected) {}

  /**
   * What was learned, but for what was measured since the last plan.
   *
   * @param seconds of which it tells, cooled
   */
  public record Saved(double seconds, List<Known> known) {
    public Saved {
      known = List.copyOf(known);
    }
  }

  public synchronized Saved saved() {
    return new Saved(
        seconds,
        sums.entrySet().stream()
            .map(
                each ->
                    new Known(
                        each.getKey().reader(),
                        each.getKey().directory(),
                        each.getValue().requests,
                        each.getValue().measured,
                        each.getValue().expected))
            .toList());
  }

  /** Goes on with what {@link #saved} gave. */
  public synchronized void restore(Saved saved) {
    seconds = saved.seconds();
    for (Known each : saved.known()) {
      sums.computeIfAbsent(new Key(each.reader(), each.directory()), any -> new Sums())
          .add(each.requests(), each.measured(), each.expected());
    }
    ratios = ratios();
  }
}
