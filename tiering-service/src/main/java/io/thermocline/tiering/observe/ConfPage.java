// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** The /conf page of a Hadoop daemon: the configuration that it runs with. Stateless. */
public final class ConfPage {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private ConfPage() {}

  /**
   * All keys with a value.
   *
   * @param web for instance http://namenode:9870
   * @param conf of TLS and of the login
   * @throws IOException where it doesn't answer, or not with a configuration
   */
  public static Map<String, String> read(URI web, Configuration conf) throws IOException {
    String page = new HadoopWeb(conf, PATIENCE).text(web.resolve("/conf"));
    return pairs(MAPPER.readTree(page).path("properties"));
  }

  /** Of a list of objects with a key and a value. */
  public static Map<String, String> pairs(JsonNode list) {
    Map<String, String> pairs = new HashMap<>();
    list.forEach(
        pair -> {
          if (pair.hasNonNull("value")) {
            pairs.put(pair.path("key").asText(), pair.path("value").asText());
          }
        });
    return pairs;
  }
}
