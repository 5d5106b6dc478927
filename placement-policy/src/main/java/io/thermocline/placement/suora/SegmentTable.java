// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which ranges of one bucket's number line belong to which device. Immutable: {@link #append} and
 * {@link #remove} give a new table. Lengths are in units of the capacity parameter p (equation 1).
 *
 * <p>Source: SUORA, sections 3.2 and 3.4.2.
 */
public final class SegmentTable {
  // A table is never re-sorted and a hole is never filled. A key belongs to the device whose
  // segment its sequence reaches first, so a key moves exactly when the range before its own
  // segment changes. Appending at the end of the line takes from each device its share and moves
  // nothing between old devices (figure 9a); removing leaves a hole that sends only the removed
  // device's keys on (figure 9b). Sorting by device id instead would shift every segment behind
  // the new one: one node joining would move some nine tenths of all keys. So the table is a
  // history, and two parties agree on placements only if they share it.

  /** Cells a table may have; an int array of that size is 64 MiB. */
  static final int MAX_CELLS = 1 << 24;

  /** Shorter remainders are rounding: 3 TB / 1 TB must be three cells, whatever the division says. */
  private static final double SHORTEST = 1e-9;

  private final List<Member> members;
  private final int nextCell;
  private final int time;

  private SegmentTable(List<Member> members, int nextCell, int time) {
    this.members = members;
    this.nextCell = nextCell;
    this.time = time;
  }

  /**
   * The first assignment: devices in the order given, each from the next integer on.
   *
   * @param p capacity in bytes that is one unit long, usually {@link #meanCapacity}
   * @throws IllegalArgumentException if p isn't positive and finite, an id appears twice, or the line
   *     would be unreasonably long
   */
  public static SegmentTable assign(List<Device> devices, double p) {
    List<TableOperation> operations = new ArrayList<>(devices.size());
    for (Device device : devices) {
      operations.add(TableOperation.assign(device, p));
    }
    return replay(operations);
  }

  /**
   * The table with that history. Takes linear time, where as many calls of {@link #append} and {@link
   * #remove} would take quadratic.
   *
   * @throws IllegalArgumentException where an operation would be refused by itself, or assigns behind
   *     others
   */
  public static SegmentTable replay(List<TableOperation> operations) {
    List<Member> members = new ArrayList<>(operations.size());
    Map<String, Integer> present = new HashMap<>();
    int cell = 0;
    int time = 0;
    for (TableOperation operation : operations) {
      String id = operation.deviceId();
      if (operation.kind() == TableOperation.Kind.REMOVE) {
        Integer gone = present.remove(id);
        if (gone == null) {
          throw new IllegalArgumentException("no device " + id + " in the table");
        }
        members.set(gone, members.get(gone).removedAt(++time));
        continue;
      }
      boolean first = operation.kind() == TableOperation.Kind.ASSIGN;
      if (first && time > 0) {
        throw new IllegalArgumentException(
            "device " + id + " is assigned after devices joined or left");
      }
      if (present.putIfAbsent(id, members.size()) != null) {
        throw new IllegalArgumentException(
            "device " + id + (first ? " is given twice" : " is in the table already"));
      }
      Device device = Device.of(id, operation.capacityBytes());
      int next = endOf(cell, device, operation.p());
      members.add(new Member(device, operation.p(), cell, first ? 0 : ++time, Member.STAYS));
      cell = next;
    }
    return new SegmentTable(members, cell, time);
  }

  /** The history that {@link #replay} makes this table of; unmodifiable. */
  public List<TableOperation> operations() {
    TableOperation[] later = new TableOperation[time];
    List<TableOperation> operations = new ArrayList<>(members.size() + time);
    for (Member member : members) {
      if (member.joinedAt == 0) {
        operations.add(TableOperation.assign(member.device, member.p));
      } else {
        later[member.joinedAt - 1] = TableOperation.append(member.device, member.p);
      }
      if (!member.isPresent()) {
        later[member.removedAt - 1] = TableOperation.remove(member.device.id());
      }
    }
    operations.addAll(Arrays.asList(later));
    return Collections.unmodifiableList(operations);
  }

  /**
   * This table with one device more, at the end of the line. Old segments keep their ranges.
   *
   * @param p capacity in bytes that is one unit long; may differ from that of earlier devices
   * @throws IllegalArgumentException if the device is in the table already, or as {@link #assign}
   */
  public SegmentTable append(Device device, double p) {
    if (contains(device.id())) {
      throw new IllegalArgumentException("device " + device.id() + " is in the table already");
    }
    int end = endOf(nextCell, device, p);
    List<Member> grown = new ArrayList<>(members.size() + 1);
    grown.addAll(members);
    grown.add(new Member(device, p, nextCell, time + 1, Member.STAYS));
    return new SegmentTable(grown, end, time + 1);
  }

  /**
   * This table without one device. Its range stays empty, and isn't given to a later device.
   *
   * @throws IllegalArgumentException if there is no such device
   */
  public SegmentTable remove(String deviceId) {
    int gone = present(deviceId);
    if (gone < 0) {
      throw new IllegalArgumentException("no device " + deviceId + " in the table");
    }
    List<Member> left = new ArrayList<>(members);
    left.set(gone, members.get(gone).removedAt(time + 1));
    return new SegmentTable(left, nextCell, time + 1);
  }

  public boolean contains(String deviceId) {
    return present(Objects.requireNonNull(deviceId, "deviceId")) >= 0;
  }

  /** In ascending order of their starts; unmodifiable. */
  public List<Segment> segments() {
    List<Segment> segments = new ArrayList<>(members.size() * 2);
    for (Member member : members) {
      if (member.isPresent()) {
        int cell = member.firstCell;
        for (double left = member.length(); left > SHORTEST; left -= 1) {
          segments.add(new Segment(member.device.id(), cell, cell + Math.min(left, 1)));
          cell++;
        }
      }
    }
    return Collections.unmodifiableList(segments);
  }

  /** Integer cells ever used, holes included: where the next device would start. */
  public int cells() {
    return nextCell;
  }

  /** This table compiled for look-ups. Costs one pass over the line: keep the result. */
  public NumberLine numberLine() {
    return NumberLine.compile(segments());
  }

  private int present(String deviceId) {
    for (int i = members.size() - 1; i >= 0; i--) {
      if (members.get(i).isPresent() && members.get(i).device.id().equals(deviceId)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Mean capacity in bytes, the usual p.
   *
   * @throws IllegalArgumentException if there are no devices
   */
  public static double meanCapacity(List<Device> devices) {
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("no devices to take the mean capacity of");
    }
    double sum = 0;
    for (Device device : devices) {
      sum += device.capacityBytes();
    }
    return sum / devices.size();
  }

  @Override
  public String toString() {
    return segments().toString();
  }

  /** The first cell behind the segments of a device that starts at {@code cell}. */
  private static int endOf(int cell, Device device, double p) {
    if (!(p > 0) || Double.isInfinite(p)) {
      throw new IllegalArgumentException("p must be a positive number of bytes, got " + p);
    }
    double length = device.capacityBytes() / p;
    if (length < SHORTEST) {
      throw new IllegalArgumentException(
          device + " is too small to show on a line with p = " + p + " bytes");
    }
    if (cell + length > MAX_CELLS) {
      throw new IllegalArgumentException(
          device
              + " would end at "
              + (cell + length)
              + " with p = "
              + p
              + " bytes: a line ends at "
              + MAX_CELLS);
    }
    int cells = (int) length;
    return cell + (length - cells > SHORTEST ? cells + 1 : cells);
  }
}
