// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.util.List;

/** Everything that is wrong with a configuration file, all of it at once. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each: file, line and column, key, what was found and what is expected. */
  public List<String> problems() {
    return problems;
  }
}
