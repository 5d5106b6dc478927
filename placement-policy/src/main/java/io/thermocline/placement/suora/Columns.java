// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct replicas of a key on the devices of a first assignment, by one hash for each. Immutable,
 * safe for any thread. Memory: 8 to 16 bytes a device.
 */
final class Columns {
  // The line of total length W is cut into r columns of equal length L = W/r, and replica j draws
  // a point of column j. So a device of length w <= L is drawn w/L = r*w/W times a key: exactly
  // its share, whatever the others are. Drawing without replacement from the whole line isn't
  // fair: a heavy device can't be drawn twice, and what it would have got goes to the light ones.
  //
  // One device may straddle the border of columns j and j+1, with a at the end of j and b at the
  // start of j+1, and must not be drawn by both. If replica j drew it, replica j+1 draws from [b,
  // L); otherwise it draws from [0, b) with probability b/(L-a). Since 1 - a/L of the keys are of
  // the second kind, that is b/L of all keys: each replica still draws its column evenly. a + b
  // <= L as no device is longer than a column; longer ones are cropped to have a column of their
  // own.
  //
  // Each column is an alias table (Walker 1977, Vose 1991), and the one behind a straddler two:
  // one for each case. Devices of one column never meet in a set, so small clusters have many
  // shuffled lines, of which a key takes one: that makes more pairs meet, so that what a lost
  // device held is copied from and to more others.

  /** Device of a replica that there is no device for. */
  static final int NONE = -1;

  /** Members that an entry of the alias tables has room for. */
  static final int MOST_MEMBERS = 1 << 21;

  private static final int ENTRIES = 2048;
  private static final int MOST_LINES = 32;
  private static final int MEMBER_BITS = 21;
  private static final long MEMBER_MASK = MOST_MEMBERS - 1;
  private static final int FRACTION_BITS = 22;
  private static final long FRACTION_MASK = (1 << FRACTION_BITS) - 1;
  private static final int INDEX_BITS = 64 - FRACTION_BITS;

  private final int replicas;

  /** Columns of a line; fewer than replicas where there are fewer devices. */
  private final int columns;

  private final int lineMask;

  /** By line and column: who straddles its start. */
  private final int[] straddler;

  /** By line and column, two each: as it is drawn from usually, and behind a drawn straddler. */
  private final int[] start;

  private final int[] size;

  /** 22 bits of threshold, 21 of the device below it, 21 of the one above. */
  private final long[] table;

  private Columns(Builder builder, int replicas, int columns, int lines) {
    this.replicas = replicas;
    this.columns = columns;
    this.lineMask = lines - 1;
    this.straddler = builder.straddler;
    this.start = builder.start;
    this.size = builder.size;
    this.table = Arrays.copyOf(builder.table, builder.used);
  }

  /**
   * Columns for the devices of these weights, numbered as they come.
   *
   * @param weights of {@link #MOST_MEMBERS} devices at most
   */
  static Columns of(double[] weights, int replicas) {
    Weights all = new Weights();
    for (int i = 0; i < weights.length; i++) {
      all.add(i, weights[i]);
    }
    Cropping cropping = Cropping.of(all, replicas);
    List<Integer> own = new ArrayList<>();
    List<Integer> shared = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      (cropping.inclusion(weights[i]) == 1 && own.size() < cropping.cropped() ? own : shared)
          .add(i);
    }
    int columns = Math.min(replicas, weights.length);
    int lines = 1;
    if (columns > 1 && shared.size() > 2) {
      lines = Integer.highestOneBit(Math.max(1, Math.min(MOST_LINES, ENTRIES / shared.size())));
    }
    Builder builder = new Builder(weights, lines * columns);
    for (int line = 0; line < lines; line++) {
      for (int device : own) {
        builder.column(NONE, new int[] {device}, new double[] {1}, 1);
      }
      int[] order = shared.stream().mapToInt(Integer::intValue).toArray();
      if (line > 0) {
        shuffle(order, line);
      }
      builder.cut(order, columns - own.size());
    }
    return new Columns(builder, replicas, columns, lines);
  }

  /** Sets the devices of a key, the state of whose generator is given. */
  void draw(long state, int[] devices) {
    int at = (int) (state & lineMask) * columns;
    int last = NONE;
    long weyl = state;
    for (int j = 0; j < columns; j++) {
      weyl += HashedNumbers.GOLDEN_GAMMA;
      long hash = HashedNumbers.mix(weyl);
      int column = 2 * at;
      if (last == straddler[at++] && j > 0) {
        column++;
      }
      int index = (int) ((hash >>> FRACTION_BITS) * size[column] >>> INDEX_BITS);
      long entry = table[start[column] + index];
      // The sign says which of the two; a branch would be mispredicted every other time.
      long below = (hash & FRACTION_MASK) - (entry >>> 2 * MEMBER_BITS) >>> Long.SIZE - 1;
      last = (int) (entry >>> below * MEMBER_BITS & MEMBER_MASK);
      devices[j] = last;
    }
    for (int j = columns; j < replicas; j++) {
      devices[j] = NONE;
    }
  }

  /** How many replicas of a key each device gets on average, by the tables themselves. */
  double[] inclusions(int devices) {
    double[] inclusions = new double[devices];
    double[] last = inclusions;
    for (int at = 0; at < straddler.length; at++) {
      double straddled = at % columns > 0 && straddler[at] != NONE ? last[straddler[at]] : 0;
      double[] drawn = new double[devices];
      addColumn(2 * at, 1 - straddled, drawn);
      if (straddled > 0) {
        addColumn(2 * at + 1, straddled, drawn);
      }
      for (int device = 0; device < devices; device++) {
        inclusions[device] += drawn[device] / (lineMask + 1);
      }
      last = drawn;
    }
    return inclusions;
  }

  private void addColumn(int column, double weight, double[] drawn) {
    for (int i = 0; i < size[column]; i++) {
      long entry = table[start[column] + i];
      double below = (double) (entry >>> 2 * MEMBER_BITS) / (FRACTION_MASK + 1);
      drawn[(int) (entry >>> MEMBER_BITS & MEMBER_MASK)] += weight * below / size[column];
      drawn[(int) (entry & MEMBER_MASK)] += weight * (1 - below) / size[column];
    }
  }

  /** Memory of the tables. */
  long bytes() {
    return 8L * table.length + 4L * (start.length + size.length + straddler.length);
  }

  private static void shuffle(int[] order, int line) {
    for (int i = order.length - 1; i > 0; i--) {
      long hash = HashedNumbers.mix((long) line << 32 | i);
      int other = (int) ((hash >>> 32) * (i + 1) >>> 32);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
  }

  /** Cuts lines into columns, and makes the columns' alias tables. */
  private static final class Builder {
    /** In columns; less is rounding. */
    private static final double SHORTEST = 1e-9;

    private final double[] weights;
    private final int[] straddler;
    private final int[] start;
    private final int[] size;
    private long[] table;
    private int used;
    private int filled;

    Builder(double[] weights, int columns) {
      this.weights = weights;
      this.straddler = new int[columns];
      this.start = new int[2 * columns];
      this.size = new int[2 * columns];
      this.table = new long[64];
    }

    void cut(int[] order, int columns) {
      if (columns == 0) {
        return;
      }
      double length = 0;
      for (int device : order) {
        length += weights[device];
      }
      length /= columns;
      int[] held = new int[order.length + 1];
      double[] parts = new double[order.length + 1];
      int count = 0;
      int done = 0;
      double full = 0;
      double before = 0;
      int over = NONE;
      for (int i = 0; i < order.length; i++) {
        double part = weights[order[i]] / length;
        held[count] = order[i];
        if (done == columns - 1 || full + part <= 1 - SHORTEST) {
          parts[count++] = part;
          full += part;
          continue;
        }
        double inside = Math.min(part, 1 - full);
        if (inside > SHORTEST) {
          parts[count++] = inside;
        }
        column(over, Arrays.copyOf(held, count), Arrays.copyOf(parts, count), before);
        done++;
        count = 0;
        full = part - inside;
        over = NONE;
        if (full > SHORTEST) {
          over = inside > SHORTEST ? order[i] : NONE;
          before = 1 - inside;
          held[0] = order[i];
          parts[0] = full;
          count = 1;
        }
      }
      column(over, Arrays.copyOf(held, count), Arrays.copyOf(parts, count), before);
    }

    /**
     * Adds a column.
     *
     * @param over who straddles its start, and is then the first of those held
     * @param elsewhere L - a: how often, in columns, the column before didn't draw the straddler
     */
    void column(int over, int[] held, double[] parts, double elsewhere) {
      straddler[filled] = over;
      double[] usual = parts;
      if (over != NONE && held.length > 1) {
        double behind = 0;
        for (int i = 1; i < parts.length; i++) {
          behind += parts[i];
        }
        usual = parts.clone();
        // b against L - b becomes b / (L - a) against the rest.
        usual[0] = parts[0] / elsewhere;
        for (int i = 1; i < parts.length; i++) {
          usual[i] = parts[i] / behind * (1 - usual[0]);
        }
        alias(
            2 * filled + 1,
            Arrays.copyOfRange(held, 1, held.length),
            Arrays.copyOfRange(parts, 1, parts.length));
      }
      alias(2 * filled, held, usual);
      filled++;
    }

    private void alias(int which, int[] held, double[] parts) {
      int n = held.length;
      start[which] = used;
      size[which] = n;
      double sum = 0;
      for (double part : parts) {
        sum += part;
      }
      double[] left = new double[n];
      int[] small = new int[n];
      int[] large = new int[n];
      int smalls = 0;
      int larges = 0;
      for (int i = 0; i < n; i++) {
        left[i] = parts[i] / sum * n;
        if (left[i] < 1) {
          small[smalls++] = i;
        } else {
          large[larges++] = i;
        }
      }
      if (used + n > table.length) {
        table = Arrays.copyOf(table, Math.max(used + n, 2 * table.length));
      }
      while (smalls > 0 && larges > 0) {
        int less = small[--smalls];
        int more = large[larges - 1];
        entry(less, held[less], held[more], left[less]);
        left[more] -= 1 - left[less];
        if (left[more] < 1) {
          larges--;
          small[smalls++] = more;
        }
      }
      // What is left over is whole, but for rounding.
      while (larges > 0) {
        int whole = large[--larges];
        entry(whole, held[whole], held[whole], 1);
      }
      while (smalls > 0) {
        int whole = small[--smalls];
        entry(whole, held[whole], held[whole], 1);
      }
      used += n;
    }

    private void entry(int at, int below, int above, double threshold) {
      long bits = Math.min(FRACTION_MASK, Math.round(threshold * (FRACTION_MASK + 1)));
      table[used + at] = bits << 2 * MEMBER_BITS | (long) below << MEMBER_BITS | above;
    }
  }
}
