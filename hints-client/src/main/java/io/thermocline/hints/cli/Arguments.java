// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Options after a command, {@code -name value} or {@code -name}, as HDFS's commands take them, and words. */
final class Arguments {
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<String> words = new ArrayList<>();

  private Arguments() {}

  /**
   * Reads them.
   *
   * @param valued options that have a value
   * @param flags options that have none
   * @param words how many words may stand beside
   * @throws UsageException naming what is unknown, given twice, or has no value
   */
  static Arguments of(List<String> given, List<String> valued, List<String> flags, int words) {
    Arguments arguments = new Arguments();
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      String value = "";
      if (valued.contains(argument)) {
        i++;
        if (i == given.size()) {
          throw new UsageException(argument + " needs a value");
        }
        value = given.get(i);
      } else if (!flags.contains(argument)) {
        arguments.words.add(argument);
        if (argument.startsWith("-") || arguments.words.size() > words) {
          throw new UsageException("can't understand '" + argument + "'");
        }
        continue;
      }
      if (arguments.options.put(argument, value) != null) {
        throw new UsageException(argument + " is given twice");
      }
    }
    return arguments;
  }

  boolean has(String option) {
    return options.containsKey(option);
  }

  /** Null where it isn't given. */
  String value(String option) {
    return options.get(option);
  }

  String required(String option) {
    if (!has(option)) {
      throw new UsageException(option + " is missing");
    }
    return options.get(option);
  }

  List<String> words() {
    return words;
  }

  /** A path in HDFS, absolute; a scheme before it is allowed and not looked at. */
  String path() {
    Path path = new Path(required("-path"));
    if (!path.toUri().getPath().startsWith("/")) {
      throw new UsageException("-path is '" + path + "'; allowed: an absolute path");
    }
    return path.toUri().getPath();
  }

  /** One of a type's constants, however it is spelled: {@code low-latency} is {@code LOW_LATENCY}. */
  <E extends Enum<E>> E constant(String option, E otherwise) {
    if (!has(option)) {
      return otherwise;
    }
    String name = options.get(option).toUpperCase(Locale.ROOT).replace('-', '_');
    for (E constant : otherwise.getDeclaringClass().getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw new UsageException(
        option
            + " is '"
            + options.get(option)
            + "'; allowed: "
            + Arrays.toString(otherwise.getDeclaringClass().getEnumConstants())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-'));
  }

  /** Milliseconds of a duration such as 2h or 7d. */
  long duration(String option) {
    String text = required(option);
    if (text.matches("[0-9]{1,9}(ms|s|m|h|d)")) {
      long millis =
          new Configuration(false).getTimeDurationHelper(option, text, TimeUnit.MILLISECONDS);
      if (millis > 0) {
        return millis;
      }
    }
    throw new UsageException(option + " is '" + text + "'; allowed: a duration such as 2h or 7d");
  }
}
