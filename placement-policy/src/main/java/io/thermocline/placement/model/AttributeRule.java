// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** One line of a node-attributes text: which storages or hosts, and what is said of them. Immutable. */
final class AttributeRule {
  private static final int WHOLE_HOST = 0;
  private static final int TYPE = 1;
  private static final int STORAGE = 2;

  private final String host;

  /** Null where the host is named in full. */
  private final Pattern pattern;

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
    this.pattern = host.indexOf('*') < 0 && host.indexOf('?') < 0 ? null : glob(host);
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
    return pattern == null;
  }

  boolean matches(String name) {
    return pattern == null ? host.equals(name) : pattern.matcher(name).matches();
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
    if (one.isForOneHost() != other.isForOneHost()) {
      return one.isForOneHost() ? one : other;
    }
    return one.line > other.line ? one : other;
  }

  private int selection() {
    if (storageId != null) {
      return STORAGE;
    }
    return type != null ? TYPE : WHOLE_HOST;
  }

  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (char c : text.toCharArray()) {
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString());
  }
}
