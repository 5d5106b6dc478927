// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * From which addresses files are opened, and how often; older opens count less. Bounded: of too
 * many addresses those with the fewest opens are counted as others. Thread-safe.
 */
public final class ReaderTally {

  static final int MOST = 10_000;

  private final long halfLifeMillis;
  private final Map<Long, double[]> opens = new HashMap<>();
  private double total;
  private long halvedMillis = Long.MIN_VALUE;

  /**
   * @param halfLifeMillis after which an open counts half
   */
  public ReaderTally(long halfLifeMillis) {
    this.halfLifeMillis = Math.max(1, halfLifeMillis);
  }

  /** Opens at one moment. Immutable. */
  public record Counts(double total, Map<Long, Double> byAddress) {
    public Counts {
      byAddress = Map.copyOf(byAddress);
    }

    /** Of the clients at an IP address. */
    public double of(String address) {
      return byAddress.getOrDefault(AuditLine.hash(address), 0.0);
    }
  }

  /** Counts it where it is a read. */
  public void accept(Access access) {
    if (access.kind() == Access.Kind.READ && access.address() != 0) {
      add(access.address(), access.timeMillis());
    }
  }

  /** Counts an open by a client at an IP address. */
  public void add(String address, long timeMillis) {
    add(AuditLine.hash(address), timeMillis);
  }

  private synchronized void add(long address, long timeMillis) {
    halve(timeMillis);
    total++;
    double[] known = opens.get(address);
    if (known != null) {
      known[0]++;
      return;
    }
    if (opens.size() >= MOST) {
      // Half of them at once, so that it is rare.
      double[] counts = opens.values().stream().mapToDouble(count -> count[0]).sorted().toArray();
      double median = counts[MOST / 2];
      opens.values().removeIf(count -> count[0] <= median);
    }
    opens.put(address, new double[] {1});
  }

  private void halve(long now) {
    if (halvedMillis == Long.MIN_VALUE) {
      halvedMillis = now;
    }
    long halvings = Math.min(64, (now - halvedMillis) / halfLifeMillis);
    if (halvings > 0) {
      double factor = Math.pow(0.5, halvings);
      opens.values().forEach(count -> count[0] *= factor);
      opens.values().removeIf(count -> count[0] < 1e-6);
      total *= factor;
      halvedMillis = now;
    }
  }

  /** All of it, for {@link #restore}. */
  public synchronized byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate((2 + 2 * opens.size()) * Long.BYTES);
    bytes.putLong(halvedMillis).putDouble(total);
    opens.forEach((address, count) -> bytes.putLong(address).putDouble(count[0]));
    return bytes.array();
  }

  /**
   * Goes on from what {@link #toBytes} gave.
   *
   * @throws IllegalArgumentException where it can't be that
   */
  public synchronized void restore(byte[] saved) {
    int records = saved.length / (2 * Long.BYTES);
    if (records < 1 || records > MOST + 1 || saved.length % (2 * Long.BYTES) != 0) {
      throw new IllegalArgumentException(saved.length + " bytes are no tally of readers");
    }
    ByteBuffer bytes = ByteBuffer.wrap(saved);
    opens.clear();
    halvedMillis = bytes.getLong();
    total = bytes.getDouble();
    while (bytes.hasRemaining()) {
      opens.put(bytes.getLong(), new double[] {bytes.getDouble()});
    }
  }

  /** As they are now. */
  public synchronized Counts counts() {
    Map<Long, Double> counts = new HashMap<>();
    opens.forEach((address, count) -> counts.put(address, count[0]));
    return new Counts(total, counts);
  }
}
