// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** {@code -listHints}: the hints in force. */
final class ListHintsCommand implements Command {

  @Override
  public String name() {
    return "-listHints";
  }

  @Override
  public String usage() {
    return "[-path <path>] [-owner <user>] [-stream <tag>] | -due [-owner <user>]";
  }

  @Override
  public String help() {
    return "Lists the hints in force; with -due, the hints of yours that the service asks about, and why it asks.";
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments =
        Arguments.of(
            given,
            Arrays.asList("-path", "-owner", "-stream"),
            Collections.singletonList("-due"),
            0);
    if (arguments.has("-due")) {
      printDue(arguments, site, out);
      return;
    }
    List<Map<?, ?>> hints =
        HintLists.of(
            site.service(),
            arguments.has("-path") ? arguments.path() : null,
            arguments.value("-owner"),
            arguments.value("-stream"));
    for (Map<?, ?> hint : hints) {
      out.println(line(hint));
    }
    out.println(hints.size() == 1 ? "1 hint" : hints.size() + " hints");
  }

  private static void printDue(Arguments arguments, Site site, PrintStream out) throws IOException {
    String owner = arguments.has("-owner") ? arguments.value("-owner") : site.user();
    List<Map<?, ?>> due = HintLists.due(site.service(), owner);
    for (Map<?, ?> question : due) {
      Object hint = question.get("hint");
      out.println(
          Text.field(question, "reason")
              + "\t"
              + (hint instanceof Map ? line((Map<?, ?>) hint) : Text.line(hint)));
    }
    out.println(due.isEmpty() ? "nothing is asked" : "answer by -renewHint or -unhint");
  }

  private static String line(Map<?, ?> hint) {
    StringBuilder line = new StringBuilder();
    line.append(Text.field(hint, "id")).append('\t').append(Text.field(hint, "op"));
    line.append('\t').append(Text.field(hint, "scope")).append(' ');
    line.append(Text.line(HintLists.where(hint))).append("\tby ").append(Text.field(hint, "owner"));
    Object starts = hint.get("starts");
    if (starts instanceof Long) {
      line.append("\tfrom ").append(Instant.ofEpochMilli((Long) starts));
    }
    Object expires = hint.get("expires");
    if (expires instanceof Long) {
      line.append("\tuntil ").append(Instant.ofEpochMilli((Long) expires));
    }
    for (String said : new String[] {"pattern", "temperature", "requirement", "stream"}) {
      Object value = hint.get(said);
      if (value != null && !value.equals("UNKNOWN") && !value.equals("NONE")) {
        line.append('\t').append(said).append(' ').append(Text.line(value));
      }
    }
    return line.toString();
  }
}
