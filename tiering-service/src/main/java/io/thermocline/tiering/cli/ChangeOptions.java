// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.process.ServiceRuntime;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * For commands that change something: they do so where a reason is given, else they only say
 * what they would do.
 */
final class ChangeOptions {

  private static final String NO_REASON = "none given";
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  @Option(
      names = {"--why", "--reason"},
      paramLabel = "REASON",
      description =
          "do it, and record this reason; without it or --yes, it is only said what would be done")
  private String why;

  @Option(names = "--yes", description = "do it without a reason, which is recorded as none given")
  private boolean yes;

  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description = "what is asked again with the same id isn't done again")
  private String requestId;

  @Option(
      names = "--wait",
      description = "return when it is done, and show how far it is meanwhile")
  private boolean wait;

  /** Whether it is to be done, not only said. */
  boolean isMeant() {
    return yes || why != null;
  }

  /** The reason that was given; null where none was. */
  String why() {
    return why;
  }

  /** Asks for the change, and waits for its task where that is wanted. */
  void change(ServiceOptions options, String path, Map<String, ?> fields)
      throws CliException, InterruptedException {
    ServiceClient client = options.client();
    ObjectNode body = Json.MAPPER.valueToTree(fields);
    if (isMeant()) {
      body.put("dryRun", false).put("why", why == null ? NO_REASON : why);
    }
    if (requestId != null) {
      body.put("requestId", requestId);
    }
    JsonNode answer = client.post(path, body);
    if (!wait || !answer.has("task")) {
      options.print(answer);
      if (!isMeant()) {
        options.progress().println("nothing was changed: give --why REASON, or --yes, to do it");
      }
      return;
    }
    options.print(await(client, options, answer.get("task").asLong()));
  }

  private static JsonNode await(ServiceClient client, ServiceOptions options, long id)
      throws CliException, InterruptedException {
    while (true) {
      JsonNode task = client.get("/tasks/" + id, Map.of());
      if (options.isWatched()) {
        options.progress().printf("\r%-60s", words(task));
        options.progress().flush();
      }
      String state = task.get("state").asText();
      if (!state.equals("RUNNING")) {
        if (options.isWatched()) {
          options.progress().println();
        }
        if (state.equals("FAILED")) {
          throw new CliException(
              CliException.FAILED,
              task.get("what").asText() + " failed: " + task.get("result").asText());
        }
        return task;
      }
      ServiceRuntime.system().pause().pause(BETWEEN_LOOKS);
    }
  }

  private static String bytes(JsonNode task) {
    return task.has("totalBytes")
        ? ", "
            + Quantities.bytes(task.get("doneBytes").asLong())
            + " of "
            + Quantities.bytes(task.get("totalBytes").asLong())
        : "";
  }

  private static String words(JsonNode task) {
    String left =
        task.has("leftSeconds")
            ? ", about " + Math.round(task.get("leftSeconds").asDouble()) + " s left"
            : "";
    return task.get("what").asText()
        + ": "
        + task.get("done").asLong()
        + " of "
        + task.get("total").asLong()
        + bytes(task)
        + left;
  }
}
