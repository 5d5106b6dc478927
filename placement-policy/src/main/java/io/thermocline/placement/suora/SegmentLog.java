// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The segment table of one bucket as the history that led to it, and that history as text. Immutable.
 * Whoever has read the same lines has the same table: two NameNodes, a NameNode before and after its
 * restart, the tiering service.
 */
public final class SegmentLog {
  // A first line names format and bucket. Each further line is
  //
  //   CRC32 SEQUENCE OPERATION\n
  //
  // the checksum, in hexadecimal, being that of the rest of the line. Sequence numbers go up by
  // one; only before an assignment, which doesn't build on what was before, may some be missing.
  // What stands behind the last line feed was never completely written, and isn't part of the log.

  private static final String HEADER = "thermocline-segments 1 ";
  private static final int CHECKSUM_DIGITS = 8;

  /** Above so many devices passed over, a line without their holes is built: holes cost draws. */
  private static final int MOST_HOLES = 32;

  /** A log as far as it was read. */
  public static final class Reading {
    private final SegmentLog log;
    private final int bytes;

    private Reading(SegmentLog log, int bytes) {
      this.log = log;
      this.bytes = bytes;
    }

    public SegmentLog log() {
      return log;
    }

    /** Bytes of complete lines, from where the reading began. */
    public int bytes() {
      return bytes;
    }
  }

  private final String bucket;
  private final long sequence;

  /** Since the last assignment, with their line feeds; the last one has the sequence number above. */
  private final List<String> lines;

  private final SegmentTable table;
  private final double p;

  /** In the order of their first segments. */
  private final Map<String, TableMember> members;

  private SegmentLog(
      String bucket,
      long sequence,
      List<String> lines,
      SegmentTable table,
      double p,
      Map<String, TableMember> members) {
    this.bucket = bucket;
    this.sequence = sequence;
    this.lines = lines;
    this.table = table;
    this.p = p;
    this.members = members;
  }

  /** A log without any operation. */
  public static SegmentLog empty(String bucket) {
    return new SegmentLog(
        bucket,
        0,
        Collections.<String>emptyList(),
        SegmentTable.assign(Collections.<Device>emptyList(), 1),
        1,
        Collections.<String, TableMember>emptyMap());
  }

  /** Whether there was no assignment yet. */
  public boolean isEmpty() {
    return sequence == 0;
  }

  /** Number of the last operation. */
  public long sequence() {
    return sequence;
  }

  /** Bytes that are one unit long at home. */
  double p() {
    return p;
  }

  Collection<TableMember> members() {
    return members.values();
  }

  /** Ids of the devices in the table. */
  public Set<String> deviceIds() {
    return Collections.unmodifiableSet(members.keySet());
  }

  /** In bytes, as it was when the device joined. */
  public long capacity(String deviceId) {
    return members.get(deviceId).device().capacityBytes();
  }

  /** Where blocks have their homes. */
  public SegmentTable table() {
    return table;
  }

  /** 32 bits that two equal tables have in common, and two that differ hardly ever; 0 if empty. */
  public long fingerprint() {
    if (members.isEmpty()) {
      return 0;
    }
    StringBuilder text = new StringBuilder();
    for (Segment segment : table.segments()) {
      text.append(segment.deviceId())
          .append(' ')
          .append(segment.start())
          .append(' ')
          .append(segment.end())
          .append('\n');
    }
    return checksum(text.append(table.cells()).toString());
  }

  /**
   * The table that new blocks are spread by: the home table without the devices passed over (absent,
   * worn out), and with those that joined at the end at their length for new blocks.
   *
   * @param passedOver device ids; any not in the table are ignored
   */
  public SegmentTable writeTable(Set<String> passedOver) {
    List<TableMember> joined = new ArrayList<>();
    List<TableMember> left = new ArrayList<>();
    for (TableMember member : members.values()) {
      if (!passedOver.contains(member.id())) {
        (member.writeP() == p ? left : joined).add(member);
      }
    }
    SegmentTable writes;
    if (members.size() - left.size() <= MOST_HOLES) {
      writes = table;
      for (TableMember member : members.values()) {
        if (member.writeP() != p || passedOver.contains(member.id())) {
          writes = writes.remove(member.id());
        }
      }
    } else {
      List<Device> devices = new ArrayList<>(left.size());
      for (TableMember member : left) {
        devices.add(member.device());
      }
      writes = SegmentTable.assign(devices, p);
    }
    for (TableMember member : joined) {
      writes = writes.append(member.device(), member.writeP());
    }
    return writes;
  }

  /**
   * This log with one operation more.
   *
   * @throws IllegalArgumentException if it can't follow: a device joins that is there, one leaves that
   *     isn't, or nothing was assigned before
   */
  public SegmentLog with(SegmentOperation operation) {
    return with(operation, sequence + 1);
  }

  /** The text of the whole log. */
  public String text() {
    return header() + String.join("", lines);
  }

  /**
   * The lines behind a shorter log's last one.
   *
   * @return null if they can't follow it
   */
  public String textAfter(SegmentLog shorter) {
    long first = sequence - lines.size();
    if (shorter.sequence > sequence) {
      return null;
    }
    if (shorter.sequence <= first) {
      return String.join("", lines);
    }
    int common = (int) (shorter.sequence - first);
    String last = shorter.lines.get(shorter.lines.size() - 1);
    return lines.get(common - 1).equals(last)
        ? String.join("", lines.subList(common, lines.size()))
        : null;
  }

  /**
   * Reads a log from its beginning.
   *
   * @throws SegmentLogException if a complete line is not what was written
   */
  public static Reading read(String bucket, byte[] bytes) throws SegmentLogException {
    SegmentLog log = empty(bucket);
    int end = indexOfLineFeed(bytes, 0);
    if (end < 0) {
      return new Reading(log, 0);
    }
    String header = new String(bytes, 0, end + 1, StandardCharsets.UTF_8);
    if (!header.equals(log.header())) {
      throw new SegmentLogException(
          "the first line must be '" + log.header().trim() + "', not '" + header.trim() + "'", log);
    }
    return log.readFrom(bytes, end + 1);
  }

  /** Reads on: the bytes are those behind the lines that gave this log. */
  public Reading readOn(byte[] bytes) throws SegmentLogException {
    return readFrom(bytes, 0);
  }

  private Reading readFrom(byte[] bytes, int start) throws SegmentLogException {
    SegmentLog log = this;
    int from = start;
    for (int end = indexOfLineFeed(bytes, from); end >= 0; end = indexOfLineFeed(bytes, from)) {
      String line = new String(bytes, from, end - from, StandardCharsets.UTF_8);
      try {
        log = log.withLine(line);
      } catch (IllegalArgumentException e) {
        throw new SegmentLogException(
            "the line after operation " + log.sequence + " is damaged: " + e.getMessage(), log);
      }
      from = end + 1;
    }
    return new Reading(log, from);
  }

  private SegmentLog withLine(String line) {
    int space = line.indexOf(' ', CHECKSUM_DIGITS + 1);
    if (space < 0 || line.charAt(CHECKSUM_DIGITS) != ' ') {
      throw new IllegalArgumentException("it is not a checksum, a number and an operation");
    }
    String rest = line.substring(CHECKSUM_DIGITS + 1);
    if (!hex(checksum(rest)).equals(line.substring(0, CHECKSUM_DIGITS))) {
      throw new IllegalArgumentException(
          "its checksum is " + hex(checksum(rest)) + ", not as given");
    }
    long number = Long.parseLong(line.substring(CHECKSUM_DIGITS + 1, space));
    SegmentOperation operation = SegmentOperation.parse(line.substring(space + 1));
    boolean follows =
        operation.kind() == SegmentOperation.Kind.ASSIGN
            ? number > sequence
            : number == sequence + 1;
    if (!follows) {
      throw new IllegalArgumentException("its number is " + number);
    }
    return with(operation, number);
  }

  private SegmentLog with(SegmentOperation operation, long number) {
    boolean anew = operation.kind() == SegmentOperation.Kind.ASSIGN;
    if (!anew && isEmpty()) {
      throw new IllegalArgumentException("nothing has been assigned that could change");
    }
    Map<String, TableMember> left = anew ? new LinkedHashMap<>() : new LinkedHashMap<>(members);
    SegmentTable changed = table;
    switch (operation.kind()) {
      case ASSIGN:
        List<Device> devices = new ArrayList<>();
        operation.members().forEach(member -> devices.add(member.device()));
        changed = SegmentTable.assign(devices, operation.p());
        operation.members().forEach(member -> left.put(member.id(), member));
        break;
      case APPEND:
        for (TableMember member : operation.members()) {
          changed = changed.append(member.device(), operation.p());
          left.put(member.id(), member);
        }
        break;
      case REMOVE:
        for (String id : operation.deviceIds()) {
          changed = changed.remove(id);
          left.remove(id);
        }
        break;
      default:
        for (String id : operation.deviceIds()) {
          if (left.computeIfPresent(id, (same, old) -> new TableMember(old.device(), p)) == null) {
            throw new IllegalArgumentException("no device " + id + " in the table");
          }
        }
    }
    List<String> longer = new ArrayList<>(anew ? Collections.<String>emptyList() : lines);
    String rest = number + " " + operation;
    longer.add(hex(checksum(rest)) + " " + rest + "\n");
    return new SegmentLog(bucket, number, longer, changed, anew ? operation.p() : p, left);
  }

  private String header() {
    return HEADER + bucket + "\n";
  }

  private static int indexOfLineFeed(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private static long checksum(String text) {
    CRC32 crc = new CRC32();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    crc.update(bytes, 0, bytes.length);
    return crc.getValue();
  }

  private static String hex(long checksum) {
    return String.format("%08x", checksum);
  }
}
