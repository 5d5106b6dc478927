// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.app.simulated.ServicePolicies;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.policy.Policies;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TieringCommandTest {

  @TempDir private Path directory;

  /** What the command's last line has. */
  static JsonNode report(String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status;
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      status = new CommandLine(new TieringCommand()).execute(arguments);
    } finally {
      System.setOut(before);
    }
    String[] lines = out.toString(StandardCharsets.UTF_8).split("\n");
    assertEquals(0, status, () -> String.join("\n", lines));
    return new ObjectMapper().readTree(lines[lines.length - 1]);
  }

  @Tag("slow")
  @Test
  void everyPolicyHasItsSharesForEachModeAndSize() throws Exception {
    StringBuilder jobs =
        new StringBuilder(
            "job_id\tsubmit_time_s\tmap_input_bytes\tshuffle_bytes\treduce_output_bytes\tinput_file"
                + "\tfirst_occurrence\n");
    // 1,000 files of 1,000 bytes; x and y are read again and again.
    for (int i = 0; i < 1000; i++) {
      jobs.append("j%d\t%d\t1000\t0\t0\tf%d\t1\n".formatted(i, 10 * i, i));
      jobs.append("k%d\t%d\t1000\t0\t0\t%s\t0\n".formatted(i, 10 * i + 5, i % 2 == 0 ? "x" : "y"));
    }
    Path trace = Files.writeString(directory.resolve("jobs.tsv"), jobs);

    JsonNode report = report("--parts", "--read-order", "FASTEST", "--trace", trace.toString());

    assertEquals("tiering", report.get("benchmark").asText());
    List<PolicyFactory> all = new ArrayList<>(Policies.compared());
    all.add(ServicePolicies.ours(ServiceConfigFile.defaults()));
    all.addAll(ServicePolicies.parts(ServiceConfigFile.defaults()));
    for (PolicyFactory policy : all) {
      String prefix = policy.name().isEmpty() ? "" : policy.name() + "_";
      boolean isAlsoCache =
          Policies.compared().stream().anyMatch(p -> p.name().equals(policy.name()));
      for (String mode : isAlsoCache ? List.of("immediate", "live") : List.of("live")) {
        for (String size : new String[] {"0p1", "0p5", "1", "5"}) {
          for (String what :
              new String[] {
                "hit_share_of_oracle", "byte_hit_share_of_oracle", "bytes_moved_vs_oracle"
              }) {
            String field = prefix + what + "_" + mode + "_" + size;
            assertTrue(report.path(field).isNumber(), field);
          }
        }
      }
    }
    // A tier of one file: x or y. Of five: both, whatever else is read.
    assertEquals(499 / 2000.0, report.get("oracle_hit_share_immediate_0p1").asDouble(), 1e-4);
    assertEquals(998 / 2000.0, report.get("oracle_hit_share_immediate_0p5").asDouble(), 1e-4);
    assertEquals(2000, report.get("oracle_bytes_moved_immediate_0p5").asLong());
    assertEquals(0, report.get("lru_hit_share_of_oracle_immediate_0p1").asDouble());
    assertEquals(1, report.get("lru_hit_share_of_oracle_immediate_0p5").asDouble());
    assertEquals(501, report.get("lru_bytes_moved_vs_oracle_immediate_0p5").asDouble());
  }
}
