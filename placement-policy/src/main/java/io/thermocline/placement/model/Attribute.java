// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

/** What may be said of a storage or of a host in a node-attributes text, and how it is spelt. */
enum Attribute {
  CLASS("class", Of.STORAGE),
  BANDWIDTH("bandwidth", Of.STORAGE),
  ZONE("zone", Of.STORAGE),
  TBW("tbw", Of.STORAGE),
  WRITTEN("written", Of.STORAGE),
  FREE_MEMORY("free-memory", Of.HOST),
  CPU("cpu", Of.HOST),
  LATENCY("latency", Of.HOST),
  JOURNAL("journal", Of.HOST);

  private enum Of {
    STORAGE,
    HOST
  }

  private final String key;
  private final Of of;

  Attribute(String key, Of of) {
    this.key = key;
    this.of = of;
  }

  String key() {
    return key;
  }

  /** Whether it says something of a host as a whole, rather than of its storages. */
  boolean isOfHost() {
    return of == Of.HOST;
  }

  /** Null for a key that there isn't. */
  static Attribute ofKey(String key) {
    for (Attribute attribute : values()) {
      if (attribute.key.equals(key)) {
        return attribute;
      }
    }
    return null;
  }

  /**
   * Reads a value: a {@code String} or a {@code Long}.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what would be
   */
  Object read(String text) {
    switch (this) {
      case CLASS:
      case ZONE:
        return Quantity.name(text);
      case BANDWIDTH:
        return Quantity.bytesPerSecond(text);
      case CPU:
        return Quantity.millionthsOfPercentage(text);
      case LATENCY:
        return Quantity.nanoseconds(text);
      case TBW:
        return Quantity.positive(Quantity.bytes(text));
      default:
        return Quantity.bytes(text);
    }
  }
}
