// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import io.thermocline.placement.model.DeviceSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * One bucket's number line, compiled for look-ups in constant time. Immutable, safe for any thread.
 * Devices are numbered from 0 in the order of their first segments.
 *
 * <p>Memory: 12 bytes per integer cell. Source: SUORA, sections 3.1.2 and 3.2.
 */
public final class NumberLine {
  /** What {@link #deviceAt} and {@link #place} say where there is no device. */
  public static final int NONE = DeviceSelector.NONE;

  // Since no two segments share an integer cell, a cell has one device and one end, and a look-up
  // is a truncation and a comparison; no search.
  private final int[] deviceOfCell;
  private final double[] endOfCell;
  private final String[] ids;

  private NumberLine(int[] deviceOfCell, double[] endOfCell, String[] ids) {
    this.deviceOfCell = deviceOfCell;
    this.endOfCell = endOfCell;
    this.ids = ids;
  }

  static NumberLine compile(List<Segment> segments) {
    int cells = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).start() + 1;
    int[] deviceOfCell = new int[cells];
    double[] endOfCell = new double[cells];
    Map<String, Integer> indexOf = new HashMap<>();
    for (Segment segment : segments) {
      Integer known = indexOf.putIfAbsent(segment.deviceId(), indexOf.size());
      deviceOfCell[segment.start()] = known == null ? indexOf.size() - 1 : known;
      endOfCell[segment.start()] = segment.end();
    }
    String[] ids = new String[indexOf.size()];
    indexOf.forEach((id, index) -> ids[index] = id);
    return new NumberLine(deviceOfCell, endOfCell, ids);
  }

  /**
   * Index of the device whose segment holds r.
   *
   * @param r at least 0
   * @return {@link #NONE} in a gap and behind the end
   */
  public int deviceAt(double r) {
    int cell = (int) r;
    // A hole's end is 0, which no r is below.
    return cell < endOfCell.length && r < endOfCell[cell] ? deviceOfCell[cell] : NONE;
  }

  /**
   * The first device that the sequence reaches and that is accepted. A gap or a device that isn't
   * accepted (worn out, full, excluded) sends the key on to the next number.
   *
   * @param sequence continued from where it stands, so that the same call again goes on to another
   * @param accept takes a device index; may be asked for the same device again
   * @param maxDraws numbers to draw at most, gaps included
   * @return {@link #NONE} if none was reached in maxDraws numbers
   * @throws IllegalArgumentException if the sequence has no generator that covers this line
   */
  public int place(RandomSequence sequence, IntPredicate accept, int maxDraws) {
    if (endOfCell.length == 0) {
      return NONE;
    }
    int level = sequence.levelCovering(end());
    for (int draw = 0; draw < maxDraws; draw++) {
      int device = deviceAt(sequence.nextAt(level));
      if (device != NONE && accept.test(device)) {
        return device;
      }
    }
    return NONE;
  }

  /**
   * This line as a selector whose sequences have the given seed. It chooses as {@link #place} does from
   * the start of {@link RandomSequence#of}, and allocates nothing.
   */
  public DeviceSelector selector(long seed) {
    return new LineSelector(this, seed);
  }

  /**
   * Id of a device.
   *
   * @throws ArrayIndexOutOfBoundsException if the index isn't in 0 to {@link #devices()} - 1
   */
  public String deviceId(int index) {
    return ids[index];
  }

  /** By device, the length of its segments. */
  double[] lengths() {
    double[] lengths = new double[ids.length];
    for (int cell = 0; cell < endOfCell.length; cell++) {
      if (endOfCell[cell] > cell) {
        lengths[deviceOfCell[cell]] += endOfCell[cell] - cell;
      }
    }
    return lengths;
  }

  /** Number of devices. */
  public int devices() {
    return ids.length;
  }

  /** End of the last segment; 0 for an empty line. */
  public double end() {
    return endOfCell.length == 0 ? 0 : endOfCell[endOfCell.length - 1];
  }
}
