// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The same question to many servers; equal findings are one, with the names of all. Stateless.
 */
final class Servers {

  private static final int NAMED = 3;

  private Servers() {}

  /** A finding at a place that is still to be named. */
  record Problem(Severity severity, String what, String why, String fix) {}

  static Optional<Problem> problem(Severity severity, String what, String why, String fix) {
    return Optional.of(new Problem(severity, what, why, fix));
  }

  /** What their configurations have. */
  static List<Finding> conf(
      List<Facts.Server> servers, Function<Map<String, String>, Optional<Problem>> look) {
    return each(servers, Facts.Server::conf, look);
  }

  static <T> List<Finding> each(
      List<Facts.Server> servers,
      Function<Facts.Server, Seen<T>> fact,
      Function<T, Optional<Problem>> look) {
    Map<Problem, List<String>> places = new LinkedHashMap<>();
    for (Facts.Server server : servers) {
      Seen<T> seen = fact.apply(server);
      Optional<Problem> problem =
          seen.value()
              .map(look)
              .orElseGet(() -> problem(Severity.NOTE, "could not look: " + seen.why(), "", ""));
      problem.ifPresent(
          found -> places.computeIfAbsent(found, key -> new ArrayList<>()).add(server.name()));
    }
    List<Finding> findings = new ArrayList<>();
    places.forEach(
        (found, names) ->
            findings.add(
                new Finding(
                    found.severity(), names(names), found.what(), found.why(), found.fix())));
    return findings;
  }

  static String names(List<String> names) {
    return names.size() <= NAMED
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMED)) + " and " + (names.size() - NAMED) + " more";
  }

  static boolean isTrue(Map<String, String> conf, String key, String fallback) {
    return Boolean.parseBoolean(conf.getOrDefault(key, fallback).trim());
  }

  /** As Hadoop writes numbers: 100m is 100 times 2^20. Empty for what is none. */
  static Optional<Long> number(Map<String, String> conf, String key) {
    String text = conf.getOrDefault(key, "").trim().toLowerCase(Locale.ROOT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int unit = "kmgtpe".indexOf(text.charAt(text.length() - 1));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    try {
      return Optional.of(Math.multiplyExact(Long.parseLong(digits.trim()), 1L << 10 * (unit + 1)));
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** One finding, or none. */
  static List<Finding> one(boolean isWrong, Severity severity, String where, String... words) {
    return isWrong
        ? List.of(new Finding(severity, where, words[0], words[1], words[2]))
        : List.of();
  }
}
