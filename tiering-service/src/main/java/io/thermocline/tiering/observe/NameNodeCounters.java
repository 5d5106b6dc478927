// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** What a NameNode counted, from the /jmx page of its web server. Thread-safe. */
final class NameNodeCounters {

  private final JmxPage page;

  /**
   * What a NameNode counted while it served.
   *
   * @param sinceMillis when it became what it is, 0 where it always was: with another one, what it
   *     counted before may be of a time as a standby
   * @param totals as old as the period of its metrics
   * @param recent of this moment; none where it doesn't count them
   */
  record Term(long sinceMillis, CompletenessMeter.Totals totals, RecentOperations recent) {}

  NameNodeCounters(JmxPage page) {
    this.page = page;
  }

  /**
   * Empty where this NameNode is neither active nor an observer: a standby counts calls that it then refuses.
   *
   * @throws IOException where it can't be asked, or its answer is another than expected
   */
  Optional<Term> read() throws IOException {
    JsonNode status = page.bean("NameNodeStatus");
    String state = status.path("State").asText("");
    if (!state.equals("active") && !state.equals("observer")) {
      return Optional.empty();
    }
    JsonNode activity = page.bean("NameNodeActivity");
    return Optional.of(
        new Term(
            status.path("LastHATransitionTime").asLong(),
            new CompletenessMeter.Totals(
                Map.of(
                    Operation.GET_FILE_INFO, number(activity, "FileInfoOps"),
                    Operation.DELETE, number(activity, "DeleteFileOps"),
                    Operation.RENAME, number(activity, "FilesRenamed"))),
            recent()));
  }

  private RecentOperations recent() throws IOException {
    String top = page.attribute("FSNamesystemState", "TopUserOpCounts").asText("");
    return top.isEmpty() ? RecentOperations.NONE : RecentOperations.of(page.parse(top));
  }

  @Override
  public String toString() {
    return page.toString();
  }

  private long number(JsonNode bean, String name) throws IOException {
    JsonNode value = bean.get(name);
    if (value == null || !value.isNumber()) {
      throw new IOException(page + " has no number " + name + " in NameNodeActivity");
    }
    return value.asLong();
  }
}
