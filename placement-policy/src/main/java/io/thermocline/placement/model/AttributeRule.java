// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** One line of a node-attributes text: which storages or hosts, and what is said of them. Immutable. */
final class AttributeRule {
  private static final int WHOLE_HOST = 0;
  private static final int TYPE = 1;
  private static final int STORAGE = 2;

  private final String host;

  private final boolean isForOneHost;

  private final StorageType type;
  private final String storageId;
  private final int line;
  private final Map<Attribute, Object> values;

  /**
   * A rule.
   *
   * @param host in lower case; '*' stands for any characters, '?' for one
   * @param type null if not given
   * @param storageId null if not given
   */
  AttributeRule(
      String host, StorageType type, String storageId, int line, Map<Attribute, Object> values) {
    this.host = host;
    this.isForOneHost = host.indexOf('*') < 0 && host.indexOf('?') < 0;
    this.type = type;
    this.storageId = storageId;
    this.line = line;
    this.values = new EnumMap<>(Attribute.class);
    this.values.putAll(values);
  }

  String host() {
    return host;
  }

  boolean isForOneHost() {
    return isForOneHost;
  }

  boolean matches(String name) {
    return isForOneHost ? host.equals(name) : matches(host, name);
  }

  boolean isFor(StorageType itsType, String itsId) {
    return storageId != null ? storageId.equals(itsId) : type == null || type == itsType;
  }

  Set<Attribute> attributes() {
    return values.keySet();
  }

  Object value(Attribute attribute) {
    return values.get(attribute);
  }

  /** The one of two rules whose word counts. */
  static AttributeRule prior(AttributeRule one, AttributeRule other) {
    int bySelection = Integer.compare(one.selection(), other.selection());
    if (bySelection != 0) {
      return bySelection > 0 ? one : other;
    }
    if (one.isForOneHost != other.isForOneHost) {
      return one.isForOneHost ? one : other;
    }
    return one.line > other.line ? one : other;
  }

  private int selection() {
    if (storageId != null) {
      return STORAGE;
    }
    return type != null ? TYPE : WHOLE_HOST;
  }

  /**
   * Whether the pattern matches the whole name, within the product of their lengths: a regular expression
   * would try each wildcard at each place for each place of those before it.
   */
  private static boolean matches(String glob, String name) {
    int g = 0;
    int at = 0;
    // Only the last '*' is asked to take more: what stands before it could match no more if it did.
    int star = -1;
    int starEnd = 0;
    while (at < name.length()) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        starEnd = at;
      } else if (g < glob.length()
          && (glob.charAt(g) == '?' || glob.charAt(g) == name.charAt(at))) {
        g++;
        at++;
      } else if (star >= 0) {
        g = star + 1;
        at = ++starEnd;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }
}
