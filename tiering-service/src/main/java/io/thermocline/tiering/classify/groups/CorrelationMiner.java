// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads that come one by one, into groups of objects that belong together. The same reads in the same order give the
 * same groups, whether they come live or out of an archive. Memory is bounded by the settings. Not thread-safe.
 *
 * <p>Source: PRS, section 3.2.
 */
public final class CorrelationMiner {
  // Each read is compared with those before it of the same reader (ReaderWindow). Objects that are
  // read least, partners that stop coming and readers that rest longest are forgotten when there is
  // no room (ObjectTable, PartnerTable). A group is made of objects that are together in most of
  // their reads, and more often than chance would have it (Chance). What can be missed is a group
  // of which a pair came while there was no room.

  private final MiningSettings settings;
  private final ObjectTable objects;
  private final PartnerTable pairs;
  private final Map<Long, ReaderWindow> readers;
  private long firstMillis = Long.MAX_VALUE;
  private long millis = Long.MIN_VALUE / 2;
  private long reads;
  private int slot;

  public CorrelationMiner(MiningSettings settings) {
    this.settings = settings;
    objects = new ObjectTable(settings.mostObjects());
    pairs = new PartnerTable(objects, settings.partners());
    readers =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, ReaderWindow> eldest) {
            return size() > settings.readers();
          }
        };
  }

  /**
   * One read.
   *
   * @param reader hash of who reads
   * @param atMillis milliseconds since 1970; earlier than the one before counts as that one's
   * @param offset in the object, in bytes
   * @param bytes how many; 0 where nobody knows
   */
  public void read(long key, long reader, long atMillis, long offset, long bytes) {
    slot = objects.find(key);
    if (slot < 0) {
      if (objects.isFull()) {
        int[] moved = objects.purge();
        pairs.renumber(moved);
        readers.values().forEach(each -> each.renumber(moved));
      }
      slot = admit(key);
    }
    firstMillis = Math.min(firstMillis, atMillis);
    millis = Math.max(millis, atMillis);
    reads++;
    objects.read(slot, reader, millis, offset, bytes);
    readers
        .computeIfAbsent(reader, each -> new ReaderWindow(settings))
        .read(slot, millis, this::together);
  }

  private void together(long other) {
    objects.meets(slot);
    objects.meets((int) other);
    pairs.meet(slot, (int) other);
  }

  /** The bit that stands for a reader among those of an object. */
  public static long bitOf(long reader) {
    return ObjectTable.bitOf(reader);
  }

  /**
   * Counts made elsewhere, of an object that isn't known yet.
   */
  public void load(long key, ReadCounts counts) {
    objects.load(admit(key), counts);
    reads += counts.reads();
  }

  /** How often two known objects were together, counted elsewhere. */
  public void load(long first, long second, int together) {
    pairs.load(objects.find(first), objects.find(second), together);
  }

  /** When all that is loaded was read, and how often any two objects were together. */
  public void load(long fromMillis, long toMillis, long met) {
    firstMillis = fromMillis;
    millis = toMillis;
    pairs.load(met);
  }

  private int admit(long key) {
    int slot = objects.admit(key);
    pairs.admit(slot);
    return slot;
  }

  /** Groups by what was read so far: first the global ones, then the local ones of what is left. */
  public List<ObjectGroup> groups() {
    return groups(settings.hotShare());
  }

  /**
   * The same with so large a share of the objects as hot ones.
   *
   * @param hotShare 0 to 1
   */
  public List<ObjectGroup> groups(double hotShare) {
    return grouping(hotShare).groups();
  }

  /**
   * Groups of these objects, as far as they were read together, though too seldom for what chance is told from.
   */
  public List<ObjectGroup> among(Collection<Long> keys) {
    return grouping(0)
        .among(keys.stream().mapToInt(objects::find).filter(slot -> slot >= 0).toArray());
  }

  private Grouping grouping(double hotShare) {
    Chance chance =
        new Chance(
            settings.chance(),
            reads,
            millis - firstMillis,
            settings.window().toMillis(),
            pairs.met());
    return new Grouping(settings.withHot(hotShare, settings.period()), objects, pairs, chance);
  }

  /** How often the object was read, since it was admitted; 0 where it isn't known. */
  public int reads(long key) {
    int slot = objects.find(key);
    return slot < 0 ? 0 : objects.reads(slot);
  }

  /** How often the two were together, at least. */
  public int together(long first, long second) {
    int a = objects.find(first);
    int b = objects.find(second);
    return a < 0 || b < 0 || a == b ? 0 : pairs.together(a, b);
  }

  /** Objects that are kept. */
  public int objects() {
    return objects.size();
  }

  /** Pairs that are kept. */
  public int pairs() {
    return pairs.size();
  }

  /** Most reads of an object that can have been missed. */
  public int objectError() {
    return objects.floor();
  }

  /** Most times together that can have been missed of any pair that is kept. */
  public int pairError() {
    return pairs.missed();
  }

  /** The same of one pair of known objects. */
  public int pairError(long first, long second) {
    return pairs.missed(objects.find(first), objects.find(second));
  }

  /** All that was learned, for {@link #restore}. */
  public void writeTo(StateSink sink) {
    sink.number(reads);
    sink.number(firstMillis);
    sink.number(millis);
    // Others are together with nothing that comes.
    Map<Long, ReaderWindow> reading = new LinkedHashMap<>(readers);
    reading.values().removeIf(reader -> !reader.reaches(millis));
    sink.number(reading.size());
    reading.forEach(
        (reader, window) -> {
          sink.number(reader);
          window.writeTo(sink);
        });
    objects.writeTo(sink);
    pairs.writeTo(sink);
  }

  /**
   * One that goes on as the one that was saved would have.
   *
   * @param settings as that one had them
   * @throws IllegalStateException where that can't be
   */
  public static CorrelationMiner restore(MiningSettings settings, StateSource source) {
    CorrelationMiner miner = new CorrelationMiner(settings);
    miner.reads = source.number();
    miner.firstMillis = source.number();
    miner.millis = source.number();
    for (int left = source.size(settings.readers()); left > 0; left--) {
      long reader = source.number();
      ReaderWindow window = new ReaderWindow(settings);
      window.restore(source);
      miner.readers.put(reader, window);
    }
    miner.objects.restore(source);
    miner.pairs.restore(source);
    return miner;
  }

  /** Bytes of memory that the tables take. */
  public long memory() {
    return objects.memory()
        + pairs.memory()
        + (long) readers.size() * ReaderWindow.memory(settings);
  }
}
