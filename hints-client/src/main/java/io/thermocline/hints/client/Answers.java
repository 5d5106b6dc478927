// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.Json;
import java.util.Map;

/** What the text of an answer means. */
final class Answers {
  private static final int SHOWN = 200;

  private Answers() {}

  /**
   * The JSON of an answer that says yes; null where it is empty.
   *
   * @throws ServiceException where it says no, or is of something else than the service
   */
  static Object checked(String from, int status, String text) throws ServiceException {
    Object json = null;
    boolean understood = true;
    try {
      json = text.trim().isEmpty() ? null : Json.parse(text);
    } catch (IllegalArgumentException e) {
      understood = false;
    }
    if (status >= 200 && status < 300 && understood) {
      return json;
    }
    if (status >= 400 && json instanceof Map && ((Map<?, ?>) json).get("code") instanceof String) {
      Map<?, ?> error = (Map<?, ?>) json;
      throw new ServiceException(HintError.of((String) error.get("code"), status), said(error));
    }
    throw new ServiceException(
        status < 400 ? HintError.NOT_UNDERSTOOD : HintError.of(null, status),
        from
            + " answered "
            + status
            + (text.isEmpty()
                ? ""
                : ": " + text.substring(0, Math.min(text.length(), SHOWN)).trim())
            + (status < 400 || status == 404
                ? "; is it the address of the tiering service, and is that as new as this client?"
                : ""));
  }

  /** The words of an error. */
  static String said(Map<?, ?> error) {
    Object whatToDo = error.get("whatToDo");
    return error.get("code")
        + ": "
        + error.get("message")
        + (whatToDo == null || whatToDo.toString().isEmpty() ? "" : "; " + whatToDo);
  }
}
