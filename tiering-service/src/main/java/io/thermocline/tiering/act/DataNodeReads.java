// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.observe.HadoopWeb;
import io.thermocline.tiering.observe.JmxPage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the /jmx pages of all DataNodes what reads by clients took, many at a time. One that
 * doesn't answer is left out, for some looks. By one thread.
 */
public final class DataNodeReads implements HdfsSurroundings.ReadsSource {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReads.class);
  private static final int AT_ONCE = 16;

  /** A DataNode that takes longer says too late how it was. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** All of them: other reasons to hold back wait for this look too. */
  private static final Duration ALL = Duration.ofSeconds(10);

  /** Looks that don't ask one that didn't answer. */
  private static final int LEFT_OUT = 6;

  private final Map<String, Integer> leftOut = new HashMap<>();

  /** Asked, also at earlier looks, and still awaited: none has a second thread. */
  private final Set<String> awaited = ConcurrentHashMap.newKeySet();

  private final HadoopWeb web;
  private int lastSilent;

  /**
   * @param conf of TLS and of the login
   */
  public DataNodeReads(Configuration conf) {
    this.web = new HadoopWeb(conf, PATIENCE);
  }

  @Override
  public Map<String, ReadTimes.Reads> of(DataNodeStates states) throws InterruptedException {
    leftOut.replaceAll((node, looks) -> looks - 1);
    leftOut.values().removeIf(looks -> looks < 0);
    List<DataNodeStates.Node> asked =
        states.nodes().stream()
            .filter(node -> !leftOut.containsKey(node.uuid()) && !awaited.contains(node.uuid()))
            .toList();
    List<Callable<ReadTimes.Reads>> questions = new ArrayList<>();
    asked.forEach(node -> questions.add(() -> awaited(node)));
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, questions.size())));
    try {
      List<Future<ReadTimes.Reads>> answers =
          askers.invokeAll(questions, ALL.toMillis(), TimeUnit.MILLISECONDS);
      Map<String, ReadTimes.Reads> reads = new HashMap<>();
      String failure = "";
      for (int i = 0; i < answers.size(); i++) {
        DataNodeStates.Node node = asked.get(i);
        try {
          reads.put(node.uuid(), answers.get(i).get());
        } catch (ExecutionException e) {
          failure = node.name() + ": " + e.getCause();
          leftOut.put(node.uuid(), LEFT_OUT);
        } catch (CancellationException e) {
          failure = node.name() + ": not within " + ALL.toSeconds() + " s for all";
          // One that wasn't its turn yet is asked at the next look.
          if (awaited.contains(node.uuid())) {
            leftOut.put(node.uuid(), LEFT_OUT);
          }
        }
      }
      tell(states.nodes().size() - reads.size(), failure);
      return reads;
    } finally {
      askers.shutdownNow();
    }
  }

  private ReadTimes.Reads awaited(DataNodeStates.Node node) throws IOException {
    awaited.add(node.uuid());
    try {
      return ask(node);
    } finally {
      awaited.remove(node.uuid());
    }
  }

  /**
   * The bean is named after the DataNode, as a process may have several of them.
   *
   * <p>ReadBlockOp counts what clients read, WriteBlockOp what they write; copies are CopyBlockOp and ReplaceBlockOp
   * (DataXceiver, Hadoop 3.3.6 to 3.5.0). The mean is of what came since the metrics were snapped last.
   */
  private ReadTimes.Reads ask(DataNodeStates.Node node) throws IOException {
    String port = node.name().substring(node.name().lastIndexOf(':') + 1);
    JsonNode bean =
        JmxPage.ofDataNode(URI.create(node.web()), web).bean("DataNodeActivity-*-" + port);
    if (!bean.has("ReadBlockOpNumOps")) {
      throw new IOException(node.web() + " doesn't say what reads take");
    }
    return new ReadTimes.Reads(
        bean.path("ReadBlockOpNumOps").asLong(),
        bean.path("ReadBlockOpAvgTime").asDouble(),
        bean.path("WriteBlockOpNumOps").asLong());
  }

  private void tell(int silent, String failure) {
    if (silent > 0 && lastSilent == 0) {
      LOG.warn(
          "{} DataNodes don't say what clients' reads take, so that copies give no way there; {}",
          silent,
          failure);
    }
    lastSilent = silent;
  }
}
