// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * One step in the history of a bucket's segment table. Immutable; {@link #toString} is its text in a
 * segment log.
 *
 * <p>Source: SUORA, section 3.4.2.
 */
public final class SegmentOperation {
  /** What is done. */
  public enum Kind {
    /** All devices anew, in the order given. */
    ASSIGN,
    /** Devices at the end of the line. */
    APPEND,
    /** Devices leave holes. */
    REMOVE,
    /** Appended devices are as full as the others: for new blocks, too, they have their home length. */
    LEVEL
  }

  private static final String UTF_8 = "UTF-8";

  private final Kind kind;
  private final double p;
  private final List<TableMember> members;
  private final List<String> ids;

  private SegmentOperation(Kind kind, double p, List<TableMember> members, List<String> ids) {
    this.kind = kind;
    this.p = p;
    this.members = Collections.unmodifiableList(members);
    this.ids = Collections.unmodifiableList(ids);
  }

  /** The first assignment, or one that starts the line anew. */
  public static SegmentOperation assign(List<Device> devices, double p) {
    List<TableMember> members = new ArrayList<>(devices.size());
    for (Device device : devices) {
      members.add(new TableMember(device, p));
    }
    return new SegmentOperation(Kind.ASSIGN, p, members, idsOf(members));
  }

  static SegmentOperation append(List<TableMember> members, double p) {
    return new SegmentOperation(Kind.APPEND, p, new ArrayList<>(members), idsOf(members));
  }

  public static SegmentOperation remove(Collection<String> ids) {
    return new SegmentOperation(Kind.REMOVE, Double.NaN, new ArrayList<>(), new ArrayList<>(ids));
  }

  static SegmentOperation level(Collection<String> ids) {
    return new SegmentOperation(Kind.LEVEL, Double.NaN, new ArrayList<>(), new ArrayList<>(ids));
  }

  public Kind kind() {
    return kind;
  }

  /** Ids of the devices concerned; unmodifiable. */
  public List<String> deviceIds() {
    return ids;
  }

  /** Bytes that are one unit long at home; not a number where nothing joins. */
  double p() {
    return p;
  }

  List<TableMember> members() {
    return members;
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it isn't an operation
   */
  static SegmentOperation parse(String text) {
    List<String> words = Arrays.asList(text.split(" "));
    Kind kind = kindOf(words.get(0));
    if (kind == Kind.REMOVE || kind == Kind.LEVEL) {
      List<String> ids = new ArrayList<>();
      for (String word : words.subList(1, words.size())) {
        ids.add(decode(word));
      }
      return kind == Kind.REMOVE ? remove(ids) : level(ids);
    }
    if (words.size() < 2) {
      throw new IllegalArgumentException("no p in '" + text + "'");
    }
    double p = Double.parseDouble(words.get(1));
    List<TableMember> members = new ArrayList<>();
    for (String word : words.subList(2, words.size())) {
      String[] parts = word.split(":");
      boolean hasOwnP = kind == Kind.APPEND;
      if (parts.length != (hasOwnP ? 3 : 2)) {
        throw new IllegalArgumentException("'" + word + "' is not a device");
      }
      Device device = Device.of(decode(parts[parts.length - 1]), Long.parseLong(parts[0]));
      members.add(new TableMember(device, hasOwnP ? Double.parseDouble(parts[1]) : p));
    }
    return new SegmentOperation(kind, p, members, idsOf(members));
  }

  /** For example {@code append 4.0E12 4000000000000:8.9E11:DS-71c0}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(wordOf(kind));
    if (!Double.isNaN(p)) {
      text.append(' ').append(p);
    }
    for (TableMember member : members) {
      text.append(' ').append(member.device().capacityBytes()).append(':');
      if (kind == Kind.APPEND) {
        text.append(member.writeP()).append(':');
      }
      text.append(encode(member.id()));
    }
    if (members.isEmpty()) {
      for (String id : ids) {
        text.append(' ').append(encode(id));
      }
    }
    return text.toString();
  }

  private static Kind kindOf(String word) {
    for (Kind kind : Kind.values()) {
      if (wordOf(kind).equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("there is no operation '" + word + "'");
  }

  private static String wordOf(Kind kind) {
    switch (kind) {
      case ASSIGN:
        return "assign";
      case APPEND:
        return "append";
      case REMOVE:
        return "remove";
      default:
        return "level";
    }
  }

  private static List<String> idsOf(List<TableMember> members) {
    List<String> ids = new ArrayList<>(members.size());
    for (TableMember member : members) {
      ids.add(member.id());
    }
    return ids;
  }

  private static String encode(String id) {
    try {
      return URLEncoder.encode(id, UTF_8);
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("each Java has UTF-8", e);
    }
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("each Java has UTF-8", e);
    }
  }
}
