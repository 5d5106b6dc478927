// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.util.List;

/** Everything that is wrong with a configuration file, all of it at once. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1;

  /** Of one message. */
  static final int MAX_PROBLEMS = 100;

  /** Characters of one problem. */
  private static final int MAX_LENGTH = 1000;

  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    this(bounded(problems), problems.size());
  }

  private ConfigException(List<String> shown, int count) {
    super(String.join("\n", shown) + (count > shown.size() ? more(count - shown.size()) : ""));
    this.problems = shown;
  }

  private static String more(int count) {
    return "\nand " + count + " more";
  }

  private static List<String> bounded(List<String> problems) {
    return problems.stream()
        .limit(MAX_PROBLEMS)
        .map(each -> each.length() > MAX_LENGTH ? each.substring(0, MAX_LENGTH) + " ..." : each)
        .toList();
  }

  /** One line each: file, line and column, key, what was found and what is expected. */
  public List<String> problems() {
    return problems;
  }
}
