// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.Operation;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.wire.HintError;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** {@code -unhint}: takes hints back. */
final class UnhintCommand implements Command {

  @Override
  public String name() {
    return "-unhint";
  }

  @Override
  public String usage() {
    return "-id <id> | -path <path> [-op <operation>] | -stream <tag> [-op <operation>]";
  }

  @Override
  public String help() {
    return "Removes a hint, or all of your hints on a path or a stream.";
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments =
        Arguments.of(
            given, Arrays.asList("-id", "-path", "-stream", "-op"), Collections.emptyList(), 0);
    int named = 0;
    for (String option : Arrays.asList("-id", "-path", "-stream")) {
      named += arguments.has(option) ? 1 : 0;
    }
    if (named != 1) {
      throw new UsageException("one of -id, -path and -stream is needed");
    }
    List<String> ids = ids(arguments, site);
    for (String id : ids) {
      site.service().delete("/hints/" + ServiceClient.escaped(id));
      out.println("Hint " + id + " is taken back.");
    }
  }

  private static List<String> ids(Arguments arguments, Site site) throws IOException {
    if (arguments.has("-id")) {
      return Collections.singletonList(arguments.value("-id"));
    }
    String path = arguments.has("-path") ? arguments.path() : null;
    String stream = arguments.value("-stream");
    String operation =
        arguments.has("-op") ? arguments.constant("-op", Operation.ADVISE).name() : null;
    List<String> ids = new ArrayList<>();
    for (Map<?, ?> hint : HintLists.on(site.service(), path, stream, site.user())) {
      if (operation == null || operation.equals(hint.get("op"))) {
        ids.add(String.valueOf(hint.get("id")));
      }
    }
    if (ids.isEmpty()) {
      throw new ServiceException(
          HintError.NO_SUCH_HINT,
          "NO_SUCH_HINT: "
              + site.user()
              + " has given no such hint on "
              + (path == null ? stream : path));
    }
    return ids;
  }
}
