// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

/** What was read is no hint, or a hint does not fit the wire form. The message says which key and why. */
public final class HintFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final HintError error;

  HintFormatException(String key, String value, String expected) {
    this(value == null ? HintError.MISSING_FIELD : HintError.BAD_FIELD, key, value, expected);
  }

  private HintFormatException(HintError error, String key, String value, String expected) {
    super("hint: key '" + key + "' " + shown(value) + "; expected " + expected);
    this.key = key;
    this.error = error;
  }

  HintFormatException(IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
    this.key = "";
    this.error = HintError.BAD_FIELD;
  }

  /** The key at fault; empty where the text as a whole is. */
  public String key() {
    return key;
  }

  /** The code that a service answers with. */
  public HintError error() {
    return error;
  }

  private static String shown(String value) {
    if (value == null) {
      return "is missing";
    }
    return value.length() <= 80
        ? "is '" + value + "'"
        : "is '" + value.substring(0, 80) + "...' (" + value.length() + " characters)";
  }
}
