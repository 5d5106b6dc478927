// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Reads the NameNode's beans through its /jmx page. Immutable. */
public final class NameNodeView {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address;

  NameNodeView(String address) {
    this.address = address;
  }

  /** What the NameNode says of its own code: see {@code NameNodeProbeMXBean}. */
  public Probe probe() throws IOException {
    JsonNode bean = bean("Hadoop:service=NameNode,name=ThermoclineProbe");
    return new Probe(
        bean.path("HadoopVersion").asText(),
        bean.path("PolicyClass").asText(),
        bean.path("PolicySource").asText(),
        bean.path("PolicyIdentity").asInt(),
        bean.path("PolicyCounters").asText());
  }

  /** A bean by its name, an empty node where there is none. */
  public JsonNode bean(String name) throws IOException {
    return beans(name).path(0);
  }

  /** All beans whose names match the pattern. */
  public JsonNode beans(String pattern) throws IOException {
    String query = URLEncoder.encode(pattern, StandardCharsets.UTF_8);
    return JSON.readTree(URI.create("http://" + address + "/jmx?qry=" + query).toURL())
        .path("beans");
  }

  /** The version that runs, the policy in force, and what it counted. */
  public record Probe(
      String hadoopVersion,
      String policyClass,
      String policySource,
      int policyIdentity,
      String policyCounters) {}
}
