// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import io.thermocline.placement.choice.Location;
import java.util.Objects;

/** One DataNode as a client needs to know it. Immutable; equal where the id is. */
public final class Server {
  private final String id;
  private final String address;
  private final String httpAddress;
  private final Location location;
  private final long capacityBytes;

  private Server(
      String id, String address, String httpAddress, Location location, long capacityBytes) {
    this.id = id;
    this.address = address;
    this.httpAddress = httpAddress;
    this.location = location;
    this.capacityBytes = capacityBytes;
  }

  /**
   * A server.
   *
   * @param id the DataNode's UUID: stays when the address changes
   * @param address host and port of block transfers, as the NameNode knows them
   * @param httpAddress host and port of its web server, {@code https://} before them where it speaks
   *     TLS; {@code -} where it has none
   * @param capacityBytes of all its storages, at least 1: its share of the files follows from it
   * @throws IllegalArgumentException if a text is empty or has a space, or the capacity isn't positive
   */
  public static Server of(
      String id, String address, String httpAddress, Location location, long capacityBytes) {
    requireWord("id", id);
    requireWord("address", address);
    requireWord("httpAddress", httpAddress);
    requireWord("host", location.host());
    requireWord("rack", location.path());
    if (address.lastIndexOf(':') <= 0) {
      throw new IllegalArgumentException(
          "server " + id + " needs an address of host:port, got " + address);
    }
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "server " + id + " needs a positive capacity, got " + capacityBytes + " bytes");
    }
    return new Server(id, address, httpAddress, location, capacityBytes);
  }

  public String id() {
    return id;
  }

  /** Host and port of block transfers. */
  public String address() {
    return address;
  }

  public String host() {
    return address.substring(0, address.lastIndexOf(':'));
  }

  /** Of block transfers. */
  public int port() {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** Host and port of its web server, {@code https://} before them for TLS; {@code -} for none. */
  public String httpAddress() {
    return httpAddress;
  }

  public Location location() {
    return location;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  private static void requireWord(String what, String value) {
    if (Objects.requireNonNull(value, what).isEmpty() || !value.matches("[\\x21-\\x7e]+")) {
      throw new IllegalArgumentException(
          "a server's " + what + " must be printable ASCII without spaces, got '" + value + "'");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Server && ((Server) other).id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id + "@" + address;
  }
}
