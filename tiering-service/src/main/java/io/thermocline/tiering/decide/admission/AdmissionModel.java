// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Learns from every read, wherever it was served from, which files are worth a place in the fast tier, and
 * which are worth being moved there. Memory is bounded by the number of followed files. Time is given, in
 * seconds from anywhere, and doesn't run backwards. Not thread-safe.
 */
public final class AdmissionModel {

  /*
   * Where to keep: the file with the highest index of reads by byte (Gittins), so what has the lowest leaves.
   * The index falls as a file isn't read, in the way that files of the same habit were seen to; that is what
   * the ageing of other policies guesses. LHD (Beckmann, Chen and Cidon, NSDI 2018) ranks by a like
   * quantity, learned from what its cache has seen; here files outside are seen too, so that the history is
   * complete.
   *
   * What to move: a file that is read again can be moved then as well, at the same cost; moving it now gains
   * one hit with the chance p, and costs its bytes in vain with 1 - p. So a file offers p / (1 - p) hits by
   * its bytes, and that must be the price (MovePrice). How many bytes that moves is what a tier would have
   * moved that is run in hindsight (HindsightTier). Where hot spots move on, all files may have been moved,
   * and that many bytes be used up: then the price would keep out what is read again for sure, so what is
   * probable enough enters at any price.
   *
   * Where a tier that is filled so would have had fewer hits than one that is filled by a threshold on the
   * number of reads, that one is in force. Both are played on the side (ShadowTier).
   */

  /** Rates and price are brought up to date after so many seconds. */
  private static final double REFRESH = 30;

  /** But not before so many reads for each followed file, so that it stays cheap with many. */
  private static final double LEAST_READS_BY_FILE = 1.0 / 512;

  /** Where reads come fast, sooner: after so many, and so many more for each followed file. */
  private static final double ENOUGH_READS = 50;

  private static final double ENOUGH_READS_BY_FILE = 1.0 / 8;

  /** A file with this chance of another read may be moved at any price. */
  private static final double PROBABLE = 0.8;

  /** What was learned counts half as much after a week, in seconds. */
  private static final double HALF_LIFE = 7 * 24 * 3600;

  /** Weight of the newest displaced file in the density that a file has to have to stay. */
  private static final double NEWEST = 0.1;

  /** From so many reads on the threshold rule lets a file in: read again, it may be hot. */
  private static final int THRESHOLD = 2;

  /** Fewer hits than this say nothing of a rule. */
  private static final double ENOUGH = 100;

  /** In the place of a figure that earlier versions saved. */
  private static final double UNUSED = 0;

  private long capacity;
  private final int mostFiles;
  private final double priceShare;
  private final ReadRates rates = new ReadRates();
  private final SizeFactors sizes = new SizeFactors();
  private final Sweeps sweeps = new Sweeps();
  private final HindsightTier hindsight;
  private final MovePrice price;
  private final Forecasts forecasts;
  private final ShadowTier learnedTier;
  private final ShadowTier thresholdTier;

  /** Least recently read first. */
  private final Map<Long, TrackedFile> files = new LinkedHashMap<>();

  private double refreshedAt = Double.NaN;
  private int readsSince;
  private double leastDensity;

  /**
   * @param capacity of the fast tier in bytes
   * @param mostFiles that are followed; of more, the one that wasn't read for longest is forgotten
   * @throws IllegalArgumentException if one of the two is below 1
   */
  public AdmissionModel(long capacity, int mostFiles) {
    this(capacity, mostFiles, 1);
  }

  /**
   * @param priceShare share of the price that a move has to bring
   */
  AdmissionModel(long capacity, int mostFiles, double priceShare) {
    if (capacity < 1 || mostFiles < 1) {
      throw new IllegalArgumentException(
          "a fast tier of %d bytes, %d followed files: both must be at least 1"
              .formatted(capacity, mostFiles));
    }
    this.capacity = capacity;
    this.mostFiles = mostFiles;
    this.priceShare = priceShare;
    hindsight = new HindsightTier(capacity);
    price = new MovePrice(capacity);
    forecasts = new Forecasts(mostFiles);
    learnedTier = new ShadowTier(capacity, mostFiles);
    thresholdTier = new ShadowTier(capacity, mostFiles);
  }

  /**
   * A file was read.
   *
   * @param key of the file; see PathKey
   * @param bytes its length
   * @param at the time in seconds
   */
  public void read(long key, long bytes, double at) {
    refreshIfDue(at);
    long number = hindsight.nextRead();
    TrackedFile file = files.remove(key);
    // With another length it is another file under this name, or has grown: nothing is known of it.
    if (file == null || file.bytes != bytes) {
      file = new TrackedFile(bytes);
      file.gap = sweeps.firstRead(bytes, at);
    } else {
      learnGap(file, at);
      lookBack(file, number);
    }
    file.reads++;
    file.readNumber = number;
    file.lastRead = at;
    file.countedTo = 0;
    file.habit = Habit.of(file.reads, file.gap);
    file.factor = sizes.factor(file.habit, bytes);
    file.forecast = rates.chanceWithin(file.habit, file.factor, Forecasts.HORIZON);
    forecasts.open(key, at, file.forecast, file.reads);
    files.put(key, file);
    if (files.size() > mostFiles) {
      files.remove(files.keySet().iterator().next());
    }
    if (bytes <= capacity) {
      offer(file);
      play(key, file, at);
    }
  }

  private void play(long key, TrackedFile file, double at) {
    if (!learnedTier.read(key) && isOffered(file)) {
      learnedTier.enter(key, file.bytes, other -> learnedDensity(files.get(other), at));
    }
    if (!thresholdTier.read(key) && file.reads >= THRESHOLD) {
      thresholdTier.enter(key, file.bytes, other -> readsByByte(files.get(other)));
    }
  }

  private boolean isOffered(TrackedFile file) {
    return offer(chance(file), file.bytes) >= asked(file.bytes);
  }

  /** What a move has to offer, by byte. */
  private double asked(long bytes) {
    return Math.min(price.price() * priceShare, offer(PROBABLE, bytes));
  }

  private boolean isLearnedInForce() {
    return learnedTier.hits() + thresholdTier.hits() < ENOUGH
        || learnedTier.hits() >= thresholdTier.hits();
  }

  private void refreshIfDue(double at) {
    if (Double.isNaN(refreshedAt)) {
      refreshedAt = at;
    }
    readsSince++;
    boolean isLong =
        at - refreshedAt >= REFRESH && readsSince >= files.size() * LEAST_READS_BY_FILE;
    if (isLong || readsSince >= ENOUGH_READS + files.size() * ENOUGH_READS_BY_FILE) {
      refresh(at);
    }
  }

  private void learnGap(TrackedFile file, double at) {
    countUnread(file, at);
    double gap = file.age(at);
    forecasts.came(gap, file.forecast, file.reads);
    rates.read(file.habit, gap);
    sizes.read(file.habit, file.bytes);
    file.gap = gap;
  }

  private void lookBack(TrackedFile file, long number) {
    if (file.bytes <= capacity) {
      boolean wasKept = file.isKeptInHindsight;
      file.isKeptInHindsight = hindsight.keeps(file.bytes, file.readNumber, number);
      if (file.isKeptInHindsight && !wasKept) {
        price.worthwhile(file.bytes);
      }
    }
  }

  private void countUnread(TrackedFile file, double now) {
    double age = file.age(now);
    sizes.expected(file.habit, file.bytes, rates.unread(file.habit, file.countedTo, age));
    file.countedTo = Math.max(file.countedTo, age);
  }

  private void offer(TrackedFile file) {
    double offer = offer(chance(file), file.bytes);
    if (offer > file.offer) {
      price.offered(file.bytes, file.offer, offer);
      file.offer = offer;
    }
  }

  private double chance(TrackedFile file) {
    return rates.chance(file.habit, file.factor, leastDensity / gain(file.bytes));
  }

  private static double offer(double chance, long bytes) {
    return chance / (1 - chance) * gain(bytes);
  }

  /** What a hit brings, by byte of the tier; an empty file takes a byte. */
  private static double gain(long bytes) {
    return 1.0 / Math.max(1, bytes);
  }

  private void refresh(double now) {
    double keep = Math.pow(0.5, (now - refreshedAt) / HALF_LIFE);
    rates.fade(keep);
    sizes.fade(keep);
    price.fade(keep);
    forecasts.fade(keep);
    learnedTier.fade(keep);
    thresholdTier.fade(keep);
    files.values().forEach(file -> countUnread(file, now));
    forecasts.expire(now, this::lastRead);
    rates.refresh();
    price.refresh(awaited(now));
    refreshedAt = now;
    readsSince = 0;
  }

  /** Bytes that will turn out to have been worth moving, of what was read lately. */
  private double awaited(double now) {
    double bytes = 0;
    for (TrackedFile file : files.values()) {
      double age = file.age(now);
      if (age < Forecasts.HORIZON && !file.isKeptInHindsight && file.bytes <= capacity) {
        bytes += file.bytes * rates.chanceFrom(file.habit, file.factor, age);
      }
    }
    return bytes;
  }

  private double lastRead(long key) {
    TrackedFile file = files.get(key);
    return file == null ? Double.NEGATIVE_INFINITY : file.lastRead;
  }

  /** A file is being moved to the fast tier. */
  public void moved(long key) {
    TrackedFile file = files.get(key);
    if (file != null) {
      if (file.wasMoved) {
        price.movedAgain(file.bytes);
      }
      file.wasMoved = true;
    }
  }

  /** A file of this density had to leave the fast tier for one that is worth more. */
  public void displaced(double density) {
    leastDensity = leastDensity == 0 ? density : NEWEST * density + (1 - NEWEST) * leastDensity;
  }

  /** What the file is worth now. */
  public AdmissionEstimate estimate(long key, double now) {
    TrackedFile file = files.get(key);
    if (file == null) {
      return AdmissionEstimate.NONE;
    }
    double asked = asked(file.bytes);
    if (isLearnedInForce()) {
      double chance = chance(file);
      return new AdmissionEstimate(
          AdmissionEstimate.Basis.LEARNED,
          file.reads,
          density(file, now),
          chance,
          offer(chance, file.bytes),
          asked);
    }
    boolean reached = file.reads >= THRESHOLD;
    return new AdmissionEstimate(
        AdmissionEstimate.Basis.THRESHOLD,
        file.reads,
        density(file, now),
        reached ? 1 : 0,
        reached ? Double.POSITIVE_INFINITY : 0,
        asked);
  }

  /** The density of {@link #estimate} alone. */
  public double density(long key, double now) {
    return density(files.get(key), now);
  }

  private double density(TrackedFile file, double now) {
    return isLearnedInForce() ? learnedDensity(file, now) : readsByByte(file);
  }

  /** 0 for a file that was forgotten. */
  private double learnedDensity(TrackedFile file, double now) {
    return file == null
        ? 0
        : rates.index(file.habit, file.age(now)) * file.factor * gain(file.bytes);
  }

  private static double readsByByte(TrackedFile file) {
    return file == null ? 0 : (double) file.reads / Math.max(1, file.bytes);
  }

  /** What learning has brought so far. */
  public ForecastScore score() {
    return new ForecastScore(
        forecasts.learnedF1(),
        forecasts.thresholdF1(),
        learnedTier.hits(),
        thresholdTier.hits(),
        isLearnedInForce());
  }

  /** How many files are followed. */
  public int followed() {
    return files.size();
  }

  // --- saving ---

  /** Bytes of the fast tier that this learns for. */
  public long capacity() {
    return capacity;
  }

  /**
   * The fast tier has another size from now on; what was learned of files stays.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public void resize(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a fast tier of %d bytes: at least 1".formatted(bytes));
    }
    capacity = bytes;
    hindsight.resize(bytes);
    price.resize(bytes);
    price.refresh(awaited(refreshedAt));
    learnedTier.resize(bytes);
    thresholdTier.resize(bytes);
  }

  /** Writes all of it, as it is between two reads. */
  public void writeTo(StateSink sink) {
    sink.number(capacity);
    sink.number(mostFiles);
    rates.writeTo(sink);
    sizes.writeTo(sink);
    sweeps.writeTo(sink);
    hindsight.writeTo(sink);
    price.writeTo(sink);
    forecasts.writeTo(sink);
    learnedTier.writeTo(sink);
    thresholdTier.writeTo(sink);
    sink.number(files.size());
    files.forEach(
        (key, file) -> {
          sink.number(key);
          file.writeTo(sink);
        });
    sink.real(refreshedAt);
    sink.real(UNUSED);
    sink.number(readsSince);
    sink.real(leastDensity);
    sink.real(UNUSED);
    sink.real(UNUSED);
  }

  /**
   * What {@link #writeTo} wrote: goes on as if it had not been away.
   *
   * @param mostFiles that may have been followed
   * @throws IllegalStateException if there are more, or if it can't be such a state
   */
  public static AdmissionModel restore(StateSource source, int mostFiles) {
    long capacity = source.number();
    AdmissionModel model = new AdmissionModel(capacity, source.size(mostFiles));
    model.rates.restore(source);
    model.sizes.restore(source);
    model.sweeps.restore(source);
    model.hindsight.restore(source);
    model.price.restore(source);
    model.forecasts.restore(source);
    model.learnedTier.restore(source);
    model.thresholdTier.restore(source);
    for (int left = source.size(mostFiles); left > 0; left--) {
      long key = source.number();
      model.files.put(key, TrackedFile.restore(source));
    }
    model.refreshedAt = source.real();
    source.real();
    model.readsSince = (int) source.number();
    model.leastDensity = source.real();
    source.real();
    source.real();
    return model;
  }
}
