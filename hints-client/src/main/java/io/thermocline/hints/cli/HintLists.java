// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.wire.HintError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists of hints, fetched to their ends. As maps: hints that this version can't read are shown too. */
final class HintLists {
  private static final int PAGE = 500;

  private HintLists() {}

  /**
   * The hints that fit.
   *
   * @param path null, or what they shall have; so are the others
   */
  static List<Map<?, ?>> of(ServiceClient service, String path, String owner, String stream)
      throws ServiceException {
    String query = query("path", path) + query("owner", owner) + query("stream", stream);
    List<Map<?, ?>> hints = new ArrayList<>();
    for (; ; ) {
      Object page = service.get("/hints?limit=" + PAGE + "&offset=" + hints.size() + query);
      Object items = Text.field(page, "items");
      Object total = Text.field(page, "total");
      if (!(items instanceof List) || !(total instanceof Number)) {
        throw new ServiceException(
            HintError.NOT_UNDERSTOOD, "no list of hints: is the service of another version?");
      }
      for (Object item : (List<?>) items) {
        hints.add((Map<?, ?>) item);
      }
      if (((List<?>) items).isEmpty() || hints.size() >= ((Number) total).longValue()) {
        return hints;
      }
    }
  }

  private static String query(String name, String value) {
    return value == null ? "" : "&" + name + "=" + ServiceClient.escaped(value);
  }
}
