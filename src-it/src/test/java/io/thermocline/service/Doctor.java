// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.tiering.commands.DoctorMain;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What doctor said.
 *
 * @param checks how bad, by check
 * @param text all of it
 */
record Doctor(int status, Map<String, String> checks, String text) {

  /** Run as the command, by a user; in this process, since it is asked often, and is no process that stays. */
  static Doctor run(String user, Path config, String... options) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("--json", "--config", config.toString()));
    arguments.addAll(List.of(options));
    int status =
        UserGroupInformation.createRemoteUser(user)
            .doAs(
                (PrivilegedExceptionAction<Integer>)
                    () ->
                        CommandLines.of(new DoctorMain())
                            .setOut(new PrintWriter(out, true))
                            .setErr(new PrintWriter(err, true))
                            .execute(arguments.toArray(String[]::new)));
    return of(status, out.toString(), err.toString());
  }

  /** The same of what is installed, as an ordinary user of this host. */
  static Doctor installed(String user, Path config) throws IOException, InterruptedException {
    Launched doctor =
        Launched.installed(
            config.getParent(), user, List.of("doctor", "--json", "--config", config.toString()));
    return of(doctor.status(), doctor.out(), doctor.err());
  }

  /** Of what the command printed. */
  static Doctor of(int status, String out, String err) throws IOException {
    if (out.isEmpty()) {
      // It couldn't look at all.
      return new Doctor(status, Map.of(), err);
    }
    JsonNode read = new ObjectMapper().readTree(out);
    Map<String, String> checks = new TreeMap<>();
    for (JsonNode check : read.path("checks")) {
      checks.put(check.path("check").asText(), check.path("severity").asText());
    }
    return new Doctor(status, checks, read.toPrettyString());
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
