// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * JSON that may stand inside an HTML script element: nothing in it can end the element or open a
 * comment, whatever a file is called.
 */
final class ScriptJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    JSON.getFactory().setCharacterEscapes(new HtmlEscapes());
  }

  private ScriptJson() {}

  static String of(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records have a JSON form", e);
    }
  }

  private static final class HtmlEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    private final int[] ascii = standardAsciiEscapesForJSON();

    private HtmlEscapes() {
      for (char c : new char[] {'<', '>', '&'}) {
        ascii[c] = CharacterEscapes.ESCAPE_CUSTOM;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii.clone();
    }

    @Override
    public SerializableString getEscapeSequence(int c) {
      return new SerializedString(String.format("\\u%04x", c));
    }
  }
}
