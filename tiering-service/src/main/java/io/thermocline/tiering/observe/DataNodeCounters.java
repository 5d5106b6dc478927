// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** Asks the /jmx pages of DataNodes what these served, some at a time, and of too many always the same ones. By one thread. */
public final class DataNodeCounters {

  /** They stand for all. */
  static final int MOST = 100;

  private static final int AT_ONCE = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** All of them: a plan waits for it. */
  private static final Duration ALL = Duration.ofSeconds(10);

  private final HadoopWeb web;

  /**
   * A DataNode.
   *
   * @param web its web server, for instance http://10.0.0.7:9864
   * @param port where it takes blocks, by which its counters are named
   */
  public record Asked(String uuid, String web, String port) {}

  /**
   * @param conf of TLS and of the login
   */
  public DataNodeCounters(Configuration conf) {
    this.web = new HadoopWeb(conf, PATIENCE);
  }

  /** By UUID; one that doesn't answer in time is left out. */
  public Map<String, ServedCounters> ask(List<Asked> all) throws InterruptedException {
    List<Asked> asked =
        all.stream()
            // By chance, but the same ones each time.
            .sorted(
                Comparator.comparingInt((Asked node) -> node.uuid().hashCode() * 0x9e3779b9)
                    .thenComparing(Asked::uuid))
            .limit(MOST)
            .toList();
    if (asked.isEmpty()) {
      return Map.of();
    }
    List<Callable<ServedCounters>> questions = new ArrayList<>();
    asked.forEach(node -> questions.add(() -> ask(node)));
    ExecutorService askers = Executors.newFixedThreadPool(Math.min(AT_ONCE, asked.size()));
    try {
      List<Future<ServedCounters>> answers =
          askers.invokeAll(questions, ALL.toMillis(), TimeUnit.MILLISECONDS);
      Map<String, ServedCounters> counters = new HashMap<>();
      for (int i = 0; i < answers.size(); i++) {
        try {
          counters.put(asked.get(i).uuid(), answers.get(i).get());
        } catch (ExecutionException | CancellationException e) {
          // It isn't compared this time.
        }
      }
      return counters;
    } finally {
      askers.shutdownNow();
    }
  }

  private ServedCounters ask(Asked node) throws IOException {
    JmxPage page = JmxPage.ofDataNode(URI.create(node.web()), web);
    Map<String, JsonNode> beans = new HashMap<>();
    page.beans("DataNode*")
        .forEach(bean -> beans.put(bean.path("name").asText().replaceFirst(".*?name=", ""), bean));
    // Named after the DataNode, as a process may have several of them.
    List<String> activities =
        beans.keySet().stream().filter(name -> name.startsWith("DataNodeActivity-")).toList();
    JsonNode activity =
        activities.stream()
            .filter(name -> name.endsWith("-" + node.port()))
            .findFirst()
            .map(beans::get)
            .filter(bean -> bean.has("BytesRead"))
            .orElseThrow(() -> new IOException(node.web() + " doesn't say what was read"));
    return new ServedCounters(
        activity.path("BytesRead").asLong(),
        activity.path("ReadBlockOpNumOps").asLong(),
        activity.path("CopyBlockOpNumOps").asLong(),
        activities.size() > 1
            ? Map.of()
            : requests(
                beans,
                page.parse(
                    beans.getOrDefault("DataNodeInfo", activity).path("VolumeInfo").asText("{}"))));
  }

  /**
   * @param volumes by their directories, after which their beans are named
   */
  private static Map<StorageType, Long> requests(Map<String, JsonNode> beans, JsonNode volumes) {
    Map<StorageType, Long> requests = new EnumMap<>(StorageType.class);
    volumes
        .fields()
        .forEachRemaining(
            volume -> {
              JsonNode counted = beans.get("DataNodeVolume-" + volume.getKey());
              StorageType type =
                  StorageType.ofHadoopName(volume.getValue().path("storageType").asText());
              if (counted != null && type != null) {
                requests.merge(
                    type,
                    counted.path("ReadIoRateNumOps").asLong()
                        + counted.path("TransferIoRateNumOps").asLong(),
                    Long::sum);
              }
            });
    return requests;
  }
}
