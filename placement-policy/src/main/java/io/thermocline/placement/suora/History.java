// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Arrays;
import java.util.List;

/**
 * The members of a table as a look-up needs them: whose a cell is, when it left, how the line was then.
 * Immutable, safe for any thread. Members are numbered from 0 in the order of their cells, devices, which
 * are the members still present, likewise.
 */
final class History {
  private static final int NONE = Columns.NONE;

  /** A device that is in nearly every set already would have all others wait for it. */
  private static final double MOST_RHO = 0.75;

  /** Where no device is in more of the sets than that, drawing by length is fair enough. */
  private static final double LEAST_RHO = 1e-4;

  private final int replicas;
  private final int cells;
  private final int[] memberOfCell;
  private final double[] end;
  private final double[] length;
  private final int[] removedAt;

  /** Of members that are gone: how the line was behind their removal. */
  private final Line[] left;

  /** As it is now. */
  private final Line now;

  /** Device number by member. */
  private final int[] number;

  private final String[] ids;
  private final double[] inclusion;
  private final double[] share;

  private History(SegmentTable table, int replicas, Line[] left, Weights weights) {
    List<Member> members = table.members();
    int count = members.size();
    this.replicas = replicas;
    this.cells = table.cells();
    this.memberOfCell = new int[cells];
    this.end = new double[count];
    this.length = new double[count];
    this.removedAt = new int[count];
    this.number = new int[count];
    this.left = left;
    this.now = new Line(cells, replicas, weights);
    int devices = weights.size();
    this.ids = new String[devices];
    this.inclusion = new double[devices];
    this.share = new double[devices];
    Cropping cropping = Cropping.of(weights, replicas);
    int device = 0;
    for (int m = 0; m < count; m++) {
      Member member = members.get(m);
      length[m] = member.length();
      end[m] = member.firstCell + length[m];
      removedAt[m] = member.removedAt;
      int behind = m + 1 < count ? members.get(m + 1).firstCell : cells;
      Arrays.fill(memberOfCell, member.firstCell, behind, m);
      number[m] = NONE;
      if (member.isPresent()) {
        ids[device] = member.device.id();
        inclusion[device] = cropping.inclusion(length[m]);
        share[device] = length[m] / weights.sum;
        number[m] = device++;
      }
    }
  }

  /** Goes through a table's operations once, and tells of the joins. */
  static History follow(SegmentTable table, int replicas, Joins.Builder joins) {
    List<Member> members = table.members();
    int[] joining = new int[table.time() + 1];
    int[] leaving = new int[table.time() + 1];
    Arrays.fill(joining, NONE);
    Arrays.fill(leaving, NONE);
    Weights weights = new Weights();
    for (int m = 0; m < members.size(); m++) {
      Member member = members.get(m);
      if (member.joinedAt == 0) {
        weights.add(m, member.length());
      } else {
        joining[member.joinedAt] = m;
      }
      if (!member.isPresent()) {
        leaving[member.removedAt] = m;
      }
    }
    Line[] left = new Line[members.size()];
    int joined = members.size();
    while (joined > 0 && members.get(joined - 1).joinedAt > 0) {
      joined--;
    }
    for (int time = 1; time <= table.time(); time++) {
      if (joining[time] != NONE) {
        joins.join(joining[time], members.get(joining[time]).length(), time, weights);
        joined++;
      } else {
        int gone = leaving[time];
        weights.remove(gone, members.get(gone).length());
        int cells = joined < members.size() ? members.get(joined).firstCell : table.cells();
        left[gone] = new Line(cells, replicas, weights);
      }
    }
    return new History(table, replicas, left, weights);
  }

  /** The member at a point of the line, at least 0 and before its end; NONE in a gap. */
  int memberAt(double point) {
    int member = memberOfCell[(int) point];
    return point < end[member] ? member : NONE;
  }

  int removedAt(int member) {
    return removedAt[member];
  }

  int cells() {
    return cells;
  }

  /** The line behind a member's removal, or as it would be if it were removed now. */
  Line without(int member) {
    Line line = left[member];
    return line == null ? now : line;
  }

  /**
   * The member that every set should hold once a member is lost, and this one doesn't; NONE mostly.
   *
   * @param devices the set, the lost one among them
   */
  int missing(int lost, int[] devices) {
    Line line = without(lost);
    double rest = line == now ? line.total - length[lost] : line.total;
    int present = line == now ? line.present - 1 : line.present;
    int certain = 0;
    for (int member : line.heaviest) {
      if (member != lost) {
        if (!Cropping.isCropped(length[member], present, certain, replicas, rest)) {
          return NONE;
        }
        if (!contains(devices, member)) {
          return member;
        }
        rest -= length[member];
        certain++;
      }
    }
    return NONE;
  }

  /**
   * Whether a member that was drawn in proportion to its length is taken for one that was lost: always
   * the heaviest, the lighter ones less often, by (1 - rho) / (1 - rho of the heaviest).
   */
  boolean passes(int member, int lost, long hash) {
    Line line = without(lost);
    double total = line == now ? line.total - length[lost] : line.total;
    double heaviest = length[line.heaviest[line.heaviest[0] == lost ? 1 : 0]];
    if ((replicas - 1) * heaviest < LEAST_RHO * total) {
      return true;
    }
    return (hash >>> 11) * 0x1.0p-53 * (1 - rho(length[member], total)) < 1 - rho(heaviest, total);
  }

  /** One that was present at that time and isn't among the devices, by a walk over all of them. */
  int anyOther(int[] devices, int time, int cellsThen, long hash) {
    double sum = 0;
    for (int pass = 0; ; pass++) {
      double left = (hash >>> 11) * 0x1.0p-53 * sum;
      int found = NONE;
      for (int m = 0; m < end.length && end[m] <= cellsThen; m++) {
        if (removedAt[m] > time && !contains(devices, m)) {
          found = m;
          if (pass == 0) {
            sum += length[m];
          } else if ((left -= length[m]) < 0) {
            return m;
          }
        }
      }
      if (pass == 1 || found == NONE) {
        return found;
      }
    }
  }

  int number(int member) {
    return number[member];
  }

  boolean anyGone() {
    return ids.length < number.length;
  }

  int devices() {
    return ids.length;
  }

  String deviceId(int device) {
    return ids[device];
  }

  double inclusion(int device) {
    return inclusion[device];
  }

  /** A device's part of the whole length. */
  double share(int device) {
    return share[device];
  }

  long bytes() {
    return 4L * memberOfCell.length + (8L + 8 + 4 + 4 + 4) * end.length + 20L * ids.length;
  }

  private double rho(double weight, double total) {
    return Math.min(MOST_RHO, (replicas - 1) * weight / total);
  }

  private boolean contains(int[] devices, int member) {
    for (int j = 0; j < replicas; j++) {
      if (devices[j] == member) {
        return true;
      }
    }
    return false;
  }

  /** What is to be known of a line at one time. */
  static final class Line {
    final int cells;
    final int present;
    final double total;

    /** One more than replicas. */
    final int[] heaviest;

    private Line(int cells, int replicas, Weights weights) {
      this.cells = cells;
      this.present = weights.size();
      this.total = weights.sum;
      this.heaviest =
          weights.heaviestFirst.stream()
              .limit(replicas + 1L)
              .mapToInt(entry -> entry.member)
              .toArray();
    }
  }
}
