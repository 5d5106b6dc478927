// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** What Maven printed when a plugin gave nothing: tells a registry that can't be reached from a plugin that fails. */
final class MavenLog {

  /** In what Maven says of a registry that can't be asked. One that answers that it has no such artifact can. */
  private static final Pattern UNREACHABLE =
      Pattern.compile(
          "(?i)could not transfer (artifact|metadata)|offline mode|unknown ?host"
              + "|connection (refused|reset|timed out)|connect timed out|network is unreachable|no route to host");

  private static final int MOST_ERRORS = 10;

  private final List<String> errors;

  private MavenLog(List<String> errors) {
    this.errors = errors;
  }

  /**
   * @param log null where Maven printed nothing
   */
  static MavenLog of(Path log) throws IOException {
    return new MavenLog(
        log == null
            ? List.of()
            : Files.readAllLines(log).stream().filter(line -> line.contains("ERROR")).toList());
  }

  /**
   * Says why.
   *
   * @param plugin in words
   * @param so what doesn't come of it
   * @return whether it is the registry that can't be reached
   */
  boolean explain(PrintWriter out, String plugin, String so) {
    boolean isUnreachable = errors.stream().anyMatch(line -> UNREACHABLE.matcher(line).find());
    if (isUnreachable) {
      out.println("the Maven registry can't be reached, so " + so);
    } else {
      out.println(plugin + " failed, so " + so + ":");
      errors.stream().limit(MOST_ERRORS).forEach(out::println);
    }
    out.flush();
    return isUnreachable;
  }
}
