// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A user hints that one file is prefetched and another one gets a further replica. By REST they ask for a MIGRATE and a
 * PREFETCH, and the service is killed meanwhile: both tasks are DONE in the end.
 */
final class HintScenario extends UserScenario {

  private static final String PREFETCHED = "prefetched";
  private static final String REPLICATED = "replicated";
  private static final String ASKED = "asked";
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int READS_BEFORE = 8;
  private static final Duration STEP = Duration.ofMillis(250);

  private final ServiceRuntime runtime = ServiceRuntime.system();
  private int prefetched;
  private int replicated;
  private boolean isReplicated;
  private int lastAsked;

  HintScenario(ScenarioCluster cluster, Findings findings) {
    super(cluster, findings);
  }

  @Override
  void prepare() throws IOException {
    prefetched = files.create(PREFETCHED);
    replicated = files.create(REPLICATED);
    hint(Operation.PREFETCH, prefetched);
    hint(Operation.REPLICATE, replicated);
  }

  private void hint(Operation operation, int id) throws IOException {
    Hint hint =
        Hint.onFile(operation, files.name(id))
            .owner(ScenarioCluster.CLIENT)
            .leaseExpiryMillis(runtime.clock().millis() + LEASE.toMillis())
            .build();
    cluster
        .client()
        .setXAttr(
            files.path(id),
            HintWire.attributeOf(operation),
            HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  void step() throws IOException {
    // A replica more has to pay.
    files.read(REPLICATED);
    isReplicated |= files.replication(replicated) > ChaosFiles.REPLICATION;
  }

  @Override
  void checkAfterUsers() throws IOException, InterruptedException {
    checkAttributes();
    long migration = ask(Operation.MIGRATE);
    String migrated = files.name(lastAsked);
    long deadline = runtime.nanos().getAsLong() + PATIENCE.toNanos();
    while (planned(migrated).isEmpty() && runtime.nanos().getAsLong() < deadline) {
      // So hot that it goes up.
      files.read(ASKED);
      runtime.pause().pause(STEP);
    }
    long prefetch = ask(Operation.PREFETCH);
    cluster.host().service().kill();
    cluster.host().service().start();
    cluster.awaitActing();
    for (long task : new long[] {migration, prefetch}) {
      JsonNode now = cluster.get("/tasks/" + task);
      while (now.path("state").asText().equals("RUNNING")
          && runtime.nanos().getAsLong() < deadline) {
        files.read(ASKED);
        runtime.pause().pause(STEP);
        now = cluster.get("/tasks/" + task);
      }
      if (!now.path("state").asText().equals("DONE")) {
        violation("after the service was killed: " + now);
      }
    }
  }

  /** Asks by REST for a new file; the task of it. */
  private long ask(Operation operation) throws IOException, InterruptedException {
    lastAsked = files.create(ASKED);
    // A hint alone needn't pay, and the first plan after it ends the task: it is read before.
    for (int i = 0; i < READS_BEFORE; i++) {
      files.read(ASKED);
      runtime.pause().pause(STEP);
    }
    JsonNode taken =
        cluster
            .post(
                "/hints",
                "[{\"op\": \"%s\", \"scope\": \"FILE\", \"target\": \"%s\", \"temperature\": \"HOT\", \"leaseMillis\": %d}]"
                    .formatted(operation, files.name(lastAsked), LEASE.toMillis()))
            .path(0);
    if (!taken.path("task").isNumber()) {
      violation(operation + " by REST: " + taken);
    }
    return taken.path("task").asLong();
  }

  private List<JournalEntry.Planned> planned(String name) throws IOException {
    return cluster.journal().planned().stream()
        .filter(each -> each.path().equals(name) && each.cause().equals("PROMOTED"))
        .toList();
  }

  private void checkAttributes() throws IOException {
    if (planned(files.name(prefetched)).isEmpty()) {
      violation("the file that is hinted to be prefetched wasn't moved to SSD");
    }
    if (!isReplicated) {
      violation("the file that is hinted to be replicated has no further replica");
    }
  }
}
