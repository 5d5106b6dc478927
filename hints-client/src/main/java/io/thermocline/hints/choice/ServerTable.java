// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import io.thermocline.placement.choice.Location;
import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.SegmentTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The servers of a cluster in the order in which they joined. Clients that share one table compute the
 * same candidates for a path. Immutable.
 *
 * <p>As text: a heading, p, and a line for each server. Publish it as a file on HDFS that all clients read.
 */
public final class ServerTable {
  // Why a table, and not whatever a client sees of the cluster when it asks: the order decides, and
  // one node that is down for a minute, or joins, would shift everybody's candidates. Here a new
  // server goes to the end of the line, one that is gone leaves a hole, and when it comes back it
  // finds its place again. A server keeps the length that it joined with.

  private static final String HEADING = "thermocline-servers 1";

  private final double p;
  private final List<Entry> entries;
  private final List<Server> present;
  private final DeviceSelector selector;

  private ServerTable(double p, List<Entry> entries) {
    this.p = p;
    this.entries = entries;
    List<Device> devices = new ArrayList<>();
    Map<String, Server> byId = new HashMap<>();
    for (Entry entry : entries) {
      devices.add(Device.of(entry.server.id(), entry.length));
      byId.put(entry.server.id(), entry.server);
    }
    SegmentTable segments = SegmentTable.assign(devices, p);
    for (Entry entry : entries) {
      if (!entry.present) {
        segments = segments.remove(entry.server.id());
      }
    }
    this.selector = segments.numberLine().selector(0);
    List<Server> numbered = new ArrayList<>();
    for (int number = 0; number < selector.devices(); number++) {
      numbered.add(byId.get(selector.deviceId(number)));
    }
    this.present = Collections.unmodifiableList(numbered);
  }

  /**
   * The first table of a cluster.
   *
   * @throws IllegalArgumentException if there are no servers, or one twice
   */
  public static ServerTable of(Collection<Server> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("a table needs a server");
    }
    double sum = 0;
    List<Entry> entries = new ArrayList<>();
    for (Server server : byId(servers)) {
      sum += server.capacityBytes();
      entries.add(new Entry(server, server.capacityBytes(), true));
    }
    return new ServerTable(sum / entries.size(), entries);
  }

  /**
   * This table for the servers that there are now. Known ones keep their places, new ones follow in the
   * order of their ids, those that aren't among them are gone until they are again.
   */
  public ServerTable with(Collection<Server> servers) {
    Map<String, Server> joining = new LinkedHashMap<>();
    byId(servers).forEach(server -> joining.put(server.id(), server));
    List<Entry> now = new ArrayList<>();
    for (Entry entry : entries) {
      Server still = joining.remove(entry.server.id());
      now.add(new Entry(still == null ? entry.server : still, entry.length, still != null));
    }
    joining.values().forEach(server -> now.add(new Entry(server, server.capacityBytes(), true)));
    return new ServerTable(p, now);
  }

  /** The servers that are there, by the numbers that candidates and metrics use. */
  public List<Server> servers() {
    return present;
  }

  /** Draws servers in proportion to their lengths. */
  DeviceSelector selector() {
    return selector;
  }

  /** This table as text. */
  public String text() {
    StringBuilder text =
        new StringBuilder(HEADING).append('\n').append("p ").append(p).append('\n');
    for (Entry entry : entries) {
      Server server = entry.server;
      text.append(server.id()).append(' ').append(server.address());
      text.append(' ').append(server.httpAddress());
      text.append(' ')
          .append(server.location().host())
          .append(' ')
          .append(server.location().path());
      text.append(' ').append(server.capacityBytes()).append(' ').append(entry.length);
      text.append(entry.present ? " present" : " gone").append('\n');
    }
    return text.toString();
  }

  /**
   * The table of a text.
   *
   * @throws IllegalArgumentException if it is no such text; the message says which line
   */
  public static ServerTable parse(String text) {
    String[] lines = text.split("\n");
    if (!lines[0].equals(HEADING)) {
      throw new IllegalArgumentException(
          "server table, line 1: expected '" + HEADING + "', got '" + lines[0] + "'");
    }
    double p = 0;
    List<Entry> entries = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 1; i < lines.length; i++) {
      try {
        String[] words = lines[i].split(" ");
        if (i == 1) {
          p = unit(words);
        } else {
          Entry entry = entry(words);
          if (!seen.add(entry.server.id())) {
            throw new IllegalArgumentException("server " + entry.server.id() + " appears twice");
          }
          entries.add(entry);
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "server table, line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("server table: no servers");
    }
    return new ServerTable(p, entries);
  }

  private static double unit(String[] words) {
    if (words.length != 2 || !words[0].equals("p")) {
      throw new IllegalArgumentException("expected 'p' and a number of bytes");
    }
    double unit = Double.parseDouble(words[1]);
    if (!(unit > 0) || Double.isInfinite(unit)) {
      throw new IllegalArgumentException("p must be a positive number of bytes, got " + words[1]);
    }
    return unit;
  }

  private static Entry entry(String[] words) {
    if (words.length != 8 || !(words[7].equals("present") || words[7].equals("gone"))) {
      throw new IllegalArgumentException(
          "expected id, address, web address, host, rack, capacity, length in bytes,"
              + " and present or gone");
    }
    Server server =
        Server.of(
            words[0],
            words[1],
            words[2],
            Location.of(words[3], words[4]),
            Long.parseLong(words[5]));
    long length = Long.parseLong(words[6]);
    if (length <= 0) {
      throw new IllegalArgumentException("a length must be positive, got " + length);
    }
    return new Entry(server, length, words[7].equals("present"));
  }

  private static List<Server> byId(Collection<Server> servers) {
    List<Server> sorted = new ArrayList<>(servers);
    sorted.sort(Comparator.comparing(Server::id));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).equals(sorted.get(i - 1))) {
        throw new IllegalArgumentException("server " + sorted.get(i) + " is given twice");
      }
    }
    return sorted;
  }

  private static final class Entry {
    private final Server server;
    private final long length;
    private final boolean present;

    Entry(Server server, long length, boolean present) {
      this.server = server;
      this.length = length;
      this.present = present;
    }
  }
}
