// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.Scope;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.wire.HintError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lists of hints, fetched to their ends. As maps: hints that this version can't read are shown
 * too.
 */
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
    return items(
        service, "/hints", query("path", path) + query("owner", owner) + query("stream", stream));
  }

  /**
   * What an owner gave on a path or a stream, and on nothing else. An older service is asked for all that is about it.
   */
  static List<Map<?, ?>> on(ServiceClient service, String path, String stream, String owner)
      throws ServiceException {
    String on = path == null ? stream : path;
    List<Map<?, ?>> found;
    try {
      found = items(service, "/hints", query("on", on) + query("owner", owner));
    } catch (ServiceException e) {
      if (e.error() != HintError.UNKNOWN_PARAMETER) {
        throw e;
      }
      found = of(service, path, owner, stream);
    }
    List<Map<?, ?>> hints = new ArrayList<>();
    for (Map<?, ?> hint : found) {
      boolean isOfStream = Scope.STREAM.name().equals(hint.get("scope"));
      if (on.equals(where(hint)) && isOfStream == (path == null)) {
        hints.add(hint);
      }
    }
    return hints;
  }

  /** What a hint is on: where a file or directory is now, which is not where it was when it was hinted. */
  static Object where(Map<?, ?> hint) {
    Object path = hint.get("path");
    return path == null ? hint.get("target") : path;
  }

  /** What an owner is asked now: each with its hint, and the reason. */
  static List<Map<?, ?>> due(ServiceClient service, String owner) throws ServiceException {
    return items(service, "/hints/due", query("owner", owner));
  }

  private static List<Map<?, ?>> items(ServiceClient service, String resource, String query)
      throws ServiceException {
    List<Map<?, ?>> hints = new ArrayList<>();
    for (; ; ) {
      Object page = service.get(resource + "?limit=" + PAGE + "&offset=" + hints.size() + query);
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
