// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What doctor said.
 *
 * @param checks how bad, by check
 * @param findings of each check
 * @param text all of it
 */
record Doctor(
    int status, Map<String, String> checks, Map<String, List<Found>> findings, String text) {

  /**
   * One finding.
   *
   * @param problem where, and what is the matter
   * @param fix empty where there is nothing to do
   */
  record Found(String problem, String fix) {}

  /**
   * What is installed, as an ordinary user of this host, to whom the directory of the configuration belongs from here on.
   *
   * @param user in HDFS
   */
  static Doctor run(String user, Path config, String... options)
      throws IOException, InterruptedException {
    return run(OsUser.ordinaryOwning(config.getParent()), user, config, options);
  }

  /** The same as the user that the test runs as. */
  static Doctor asThisUser(String user, Path config) throws IOException, InterruptedException {
    return run(List.of(), user, config);
  }

  private static Doctor run(List<String> prefix, String user, Path config, String... options)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("doctor", "--json", "--config", config.toString()));
    words.addAll(List.of(options));
    Launched doctor = Launched.installedBehind(prefix, config.getParent(), user, words);
    return of(doctor.status(), doctor.out(), doctor.err());
  }

  /** Of what the command printed. */
  static Doctor of(int status, String out, String err) throws IOException {
    if (out.isEmpty()) {
      // It couldn't look at all.
      return new Doctor(status, Map.of(), Map.of(), err);
    }
    JsonNode read = new ObjectMapper().readTree(out);
    Map<String, String> checks = new TreeMap<>();
    Map<String, List<Found>> findings = new TreeMap<>();
    for (JsonNode check : read.path("checks")) {
      checks.put(check.path("check").asText(), check.path("severity").asText());
      List<Found> found = new ArrayList<>();
      for (JsonNode each : check.path("findings")) {
        found.add(
            new Found(
                each.path("where").asText() + ": " + each.path("what").asText(),
                each.path("fix").asText()));
      }
      findings.put(check.path("check").asText(), found);
    }
    return new Doctor(status, checks, findings, read.toPrettyString());
  }

  /** The check before a start, by the same user. */
  static Launched beforeStart(String user, Path config) throws IOException, InterruptedException {
    return Launched.installedBehind(
        OsUser.ordinaryOwning(config.getParent()),
        config.getParent(),
        user,
        List.of("service", "--config", config.toString(), "--check"));
  }

  /**
   * Asserts what a check found.
   *
   * @param problem words of where it is and what is the matter
   * @param mend words of what to do; empty where there is nothing to do
   */
  void assertFound(String check, String severity, String problem, String mend) {
    assertEquals(severity, checks.get(check), check + " in " + text);
    List<Found> found = findings.get(check);
    assertTrue(found.stream().anyMatch(each -> each.problem().contains(problem)), found::toString);
    assertTrue(
        found.stream()
            .filter(each -> each.problem().contains(problem))
            .anyMatch(each -> mend.isEmpty() ? each.fix().isEmpty() : each.fix().contains(mend)),
        found::toString);
  }

  /** Checks that are so bad. */
  Set<String> with(String severity) {
    Set<String> with = new TreeSet<>();
    checks.forEach(
        (check, found) -> {
          if (found.equals(severity)) {
            with.add(check);
          }
        });
    return with;
  }

  void assertOk(String... all) {
    for (String check : all) {
      assertEquals("ok", checks.get(check), check + " in " + text);
    }
  }
}
