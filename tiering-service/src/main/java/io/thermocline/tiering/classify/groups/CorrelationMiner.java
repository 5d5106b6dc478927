// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;
import java.util.List;

/**
 * Reads that come one by one, into groups of objects that belong together. The same reads in the same order give the
 * same groups, whether they come live or out of an archive. Memory is bounded by the settings. Not thread-safe.
 *
 * <p>Source: PRS, section 3.2.
 */
public final class CorrelationMiner {
  // Two objects are together when one is read at most max_window after the other (section 3.2.2).
  // Each read is compared with those before it in the window, the latest of each object, at most
  // `neighbours`: with no such limit a burst of n reads would cost n * n. Each pair of reads counts
  // once (PartnerTable), so that the ratios of equation 1 stay in 0 to 1.
  //
  // The error. Objects and pairs that are read least are forgotten when there is no room
  // (ObjectTable, PartnerTable); of each, the most that was missed is known. A distance is
  // calculated
  // from the fewest times together and the most reads that there can have been, so it is never too
  // small: a group is never made of objects that the whole truth would keep apart. What can be
  // missed is a group of objects that were together at most leastTogether + pairError() times, or
  // that came when there was no room.

  private final MiningSettings settings;
  private final ObjectTable objects;
  private final PartnerTable pairs;
  private final int[] recent;
  private int number;
  private long millis = Long.MIN_VALUE / 2;

  public CorrelationMiner(MiningSettings settings) {
    this.settings = settings;
    objects = new ObjectTable(settings.mostObjects());
    pairs = new PartnerTable(objects, settings.partners());
    recent = new int[Integer.highestOneBit(settings.neighbours() * 2 - 1)];
    Arrays.fill(recent, -1);
  }

  /**
   * One read.
   *
   * @param atMillis milliseconds since 1970; earlier than the one before counts as that one's
   * @param offset in the object, in bytes
   * @param bytes how many; 0 where nobody knows
   */
  public void read(long key, long atMillis, long offset, long bytes) {
    int slot = objects.find(key);
    if (slot < 0) {
      if (objects.isFull()) {
        forget();
      }
      slot = admit(key);
    }
    millis = Math.max(millis, atMillis);
    number++;
    int mask = recent.length - 1;
    long since = millis - settings.window().toMillis();
    int oldest = number - settings.neighbours();
    for (int before = number - 1; before - oldest >= 0; before--) {
      int other = recent[before & mask];
      if (other < 0) {
        continue;
      }
      if (objects.lastMillis(other) < since) {
        break;
      }
      // A read that isn't the other's last one: that one was met already.
      if (other != slot && objects.lastNumber(other) == before) {
        pairs.together(slot, other, before, number);
      }
    }
    objects.read(slot, number, millis, offset, bytes);
    recent[number & mask] = slot;
  }

  /**
   * Counts made elsewhere, of an object that isn't known yet.
   *
   * @param lastMillis of its last read
   * @param largestBytes of one read
   * @param bytes how long it is
   */
  public void load(long key, int reads, long lastMillis, long largestBytes, long bytes) {
    objects.load(admit(key), reads, lastMillis, largestBytes, bytes);
  }

  /** How often two known objects were together, counted elsewhere. */
  public void load(long first, long second, int together) {
    pairs.load(objects.find(first), objects.find(second), together);
  }

  private int admit(long key) {
    int slot = objects.admit(key);
    pairs.admit(slot);
    return slot;
  }

  private void forget() {
    int[] moved = objects.purge();
    pairs.renumber(moved);
    for (int i = 0; i < recent.length; i++) {
      recent[i] = recent[i] < 0 ? -1 : moved[recent[i]];
    }
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
    return new Grouping(settings.withHot(hotShare, settings.period()), objects, pairs).groups();
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

  /** Most times together that can have been missed of any pair whose objects were kept. */
  public int pairError() {
    return pairs.floor();
  }

  /** The same of one pair of known objects. */
  public int pairError(long first, long second) {
    return pairs.floor(objects.find(first), objects.find(second));
  }

  /** All that was learned, for {@link #restore}. */
  public void writeTo(StateSink sink) {
    sink.number(number);
    sink.number(millis);
    for (int slot : recent) {
      sink.number(slot);
    }
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
    miner.number = (int) source.number();
    miner.millis = source.number();
    for (int i = 0; i < miner.recent.length; i++) {
      miner.recent[i] = (int) source.number();
    }
    miner.objects.restore(source);
    miner.pairs.restore(source);
    return miner;
  }

  /** Bytes of memory that the tables take. */
  public long memory() {
    return objects.memory() + pairs.memory() + 4L * recent.length;
  }
}
