// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What a NameNode counted, from the /jmx page of its web server. Thread-safe. */
final class NameNodeCounters {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final URI web;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /** @param web for instance http://namenode:9870 */
  NameNodeCounters(URI web) {
    this.web = web;
  }

  /**
   * Empty where this NameNode is neither active nor an observer: a standby counts calls that it then refuses.
   *
   * @throws IOException where it can't be asked, or its answer is another than expected
   */
  Optional<CompletenessMeter.Totals> read() throws IOException, InterruptedException {
    String state = bean("NameNodeStatus").path("State").asText("");
    if (!state.equals("active") && !state.equals("observer")) {
      return Optional.empty();
    }
    JsonNode activity = bean("NameNodeActivity");
    return Optional.of(
        new CompletenessMeter.Totals(
            Map.of(
                Operation.GET_FILE_INFO, number(activity, "FileInfoOps"),
                Operation.DELETE, number(activity, "DeleteFileOps"),
                Operation.RENAME, number(activity, "FilesRenamed"))));
  }

  @Override
  public String toString() {
    return web.toString();
  }

  private long number(JsonNode bean, String name) throws IOException {
    JsonNode value = bean.get(name);
    if (value == null || !value.isNumber()) {
      throw new IOException(web + "/jmx has no number " + name + " in NameNodeActivity");
    }
    return value.asLong();
  }

  private JsonNode bean(String name) throws IOException, InterruptedException {
    URI page = web.resolve("/jmx?qry=Hadoop:service=NameNode,name=" + name);
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(page).timeout(PATIENCE).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException(page + " answered with status " + response.statusCode());
    }
    JsonNode bean = MAPPER.readTree(response.body()).path("beans").path(0);
    if (bean.isMissingNode()) {
      throw new IOException(page + " has no such bean: is that a NameNode?");
    }
    return bean;
  }
}
