// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON (RFC 8259) as far as requests and answers need it: objects are maps in order, arrays lists, numbers
 * {@link Long} where they are whole and fit, else {@link Double}. An application's JVM brings any version
 * of any JSON library, or none, so this one has its own.
 */
public final class Json {
  /** Deeper than any answer; a recursion that an evil one can't use. */
  private static final int MAX_DEPTH = 64;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException saying at which character the text is no JSON
   */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.blanks();
    if (json.at < text.length()) {
      throw json.expected("nothing more");
    }
    return value;
  }

  /** Maps, iterables, numbers, booleans and null as such; anything else as its text. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw expected("at most " + MAX_DEPTH + " levels");
    }
    blanks();
    char first = at < text.length() ? text.charAt(at) : 0;
    switch (first) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    if (next('}')) {
      return object;
    }
    do {
      blanks();
      String name = string();
      require(':');
      object.put(name, value(depth + 1));
    } while (next(','));
    require('}');
    return object;
  }

  private List<Object> array(int depth) {
    List<Object> array = new ArrayList<>();
    at++;
    if (next(']')) {
      return array;
    }
    do {
      array.add(value(depth + 1));
    } while (next(','));
    require(']');
    return array;
  }

  private String string() {
    if (at >= text.length() || text.charAt(at) != '"') {
      throw expected("a string");
    }
    StringBuilder string = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return string.toString();
      }
      if (c < ' ') {
        throw expected("no control character in a string");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    throw expected("the end of a string");
  }

  private char escaped() {
    at++;
    char c = at < text.length() ? text.charAt(at) : 0;
    int simple = "\"\\/bfnrt".indexOf(c);
    if (simple >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(simple);
    }
    if (c == 'u' && at + 4 < text.length()) {
      String digits = text.substring(at + 1, at + 5);
      if (digits.matches("[0-9a-fA-F]{4}")) {
        at += 4;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw expected("an escape of JSON");
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(start, at);
    if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      at = start;
      throw expected("a value");
    }
    try {
      return Long.valueOf(number);
    } catch (NumberFormatException e) {
      return Double.valueOf(number);
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
    }
    at += word.length();
    return value;
  }

  private boolean next(char c) {
    blanks();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void require(char c) {
    if (!next(c)) {
      throw expected("'" + c + "'");
    }
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException expected(String what) {
    String found =
        at < text.length()
            ? "'" + text.substring(at, Math.min(text.length(), at + 20)) + "'"
            : "the end";
    return new IllegalArgumentException(
        "JSON: expected " + what + " at character " + at + ", found " + found);
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(separator);
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
        separator = ",";
      }
      out.append(separator.equals("{") ? "{}" : "}");
    } else if (value instanceof Iterable) {
      String separator = "[";
      for (Object element : (Iterable<?>) value) {
        out.append(separator);
        write(element, out);
        separator = ",";
      }
      out.append(separator.equals("[") ? "[]" : "]");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(value.toString(), out);
    }
  }

  private static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == '\u007f' || Character.isSurrogate(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
