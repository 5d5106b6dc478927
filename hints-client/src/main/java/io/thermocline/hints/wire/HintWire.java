// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The text form of a hint: one line of {@code application/x-www-form-urlencoded} pairs in UTF-8,
 * so that it fits an extended attribute and the body of an HTTP request alike.
 *
 * <pre>
 * v=1&amp;op=PREFETCH&amp;scope=DIRECTORY&amp;target=%2Fwarehouse%2Forders&amp;pattern=READ_INTENSIVE
 *   &amp;requirement=LOW_LATENCY&amp;temperature=HOT&amp;owner=etl&amp;expires=1767225600000
 * </pre>
 *
 * <p>Written in this order, with {@code stream}, {@code source} and {@code starts} before {@code expires} where
 * they are not the default; read in any. A reader ignores keys it doesn't know, so that a later
 * writer of version 1 may add some; what an old reader must not ignore needs a new version.
 */
public final class HintWire {

  /** The version that is written, and the only one that is read. */
  public static final String VERSION = "1";

  /**
   * Most characters, all ASCII, of the text form. HDFS limits name and value of an extended
   * attribute together to 16,384 bytes unless {@code dfs.namenode.fs-limits.max-xattr-size} says
   * otherwise; the rest is left to the name. A path of non-ASCII characters grows by up to nine
   * times.
   */
  public static final int MAX_LENGTH = 16000;

  /** What the first writer of this version wrote, beside version and expiry. */
  private static final List<String> REQUIRED =
      Arrays.asList("op", "scope", "target", "pattern", "requirement", "temperature", "owner");

  /**
   * On the directory or file whose data, all below included, belong to the stream of that tag
   * (UTF-8).
   */
  public static final String STREAM_ATTRIBUTE = "user.thermocline.stream";

  private static final String ATTRIBUTE_PREFIX = "user.thermocline.hint.";

  private static final String UTF_8 = "UTF-8";

  private HintWire() {}

  /**
   * The extended attribute that holds a hint for this operation: one of each for a file or
   * directory.
   */
  public static String attributeOf(Operation operation) {
    return ATTRIBUTE_PREFIX + operation.name().toLowerCase(Locale.ROOT);
  }

  /**
   * @return one line of printable ASCII, at most {@link #MAX_LENGTH} characters
   * @throws HintFormatException where the target is too long for this
   */
  public static String encode(Hint hint) {
    StringBuilder text = new StringBuilder(160);
    append(text, "v", VERSION);
    HintFields.of(hint).forEach((key, value) -> append(text, key, value));
    append(text, "expires", Long.toString(hint.leaseExpiryMillis()));
    if (text.length() > MAX_LENGTH) {
      throw new HintFormatException(
          "target",
          hint.target(),
          "a hint of at most " + MAX_LENGTH + " characters once encoded, it has " + text.length());
    }
    return text.toString();
  }

  /**
   * @throws HintFormatException naming the key that is missing or malformed, its value, and what
   *     is expected
   */
  public static Hint decode(String text) {
    Map<String, String> values = parse(text);
    String version = HintFields.required(values, "v");
    if (!version.equals(VERSION)) {
      throw new HintFormatException("v", version, VERSION + ", the version this reader knows");
    }
    for (String key : REQUIRED) {
      HintFields.required(values, key);
    }
    return HintFields.read(
        values, HintFields.millis("expires", HintFields.required(values, "expires")));
  }

  private static void append(StringBuilder text, String key, String value) {
    if (text.length() > 0) {
      text.append('&');
    }
    try {
      text.append(key).append('=').append(URLEncoder.encode(value, UTF_8));
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError("every Java platform has UTF-8", e);
    }
  }

  private static Map<String, String> parse(String text) {
    if (text == null || text.isEmpty() || text.length() > MAX_LENGTH) {
      throw new HintFormatException("", text, "1 to " + MAX_LENGTH + " characters");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        throw new HintFormatException(
            "", text, "one line of ASCII without blanks; position " + i + " is neither");
      }
    }
    Map<String, String> values = new HashMap<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new HintFormatException(pair, null, "key=value");
      }
      String key = pair.substring(0, equals);
      if (values.put(key, unescape(key, pair.substring(equals + 1))) != null) {
        throw new HintFormatException(key, pair.substring(equals + 1), "to be given once");
      }
    }
    return values;
  }

  private static String unescape(String key, String raw) {
    String value;
    try {
      value = URLDecoder.decode(raw, UTF_8);
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError("every Java platform has UTF-8", e);
    } catch (IllegalArgumentException e) {
      throw new HintFormatException(key, raw, "%XX escapes with two hexadecimal digits");
    }
    // The decoder answers bytes that are no UTF-8 with U+FFFD, which is also a legal character.
    if (occurrences(value, "\uFFFD") != occurrences(raw.toUpperCase(Locale.ROOT), "%EF%BF%BD")) {
      throw new HintFormatException(key, raw, "escaped UTF-8");
    }
    return value;
  }

  private static int occurrences(String text, String part) {
    int count = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }
}
