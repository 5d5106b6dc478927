// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A user hints that one file is prefetched and another one gets a further replica. */
final class HintScenario extends UserScenario {

  private static final String PREFETCHED = "prefetched";
  private static final String REPLICATED = "replicated";
  private static final Duration LEASE = Duration.ofHours(1);

  private final Seams seams = Seams.system();
  private int prefetched;
  private int replicated;
  private boolean isReplicated;

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
            .leaseExpiryMillis(seams.clock().millis() + LEASE.toMillis())
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
  void checkAfterUsers() throws IOException {
    String name = files.name(prefetched);
    if (cluster.journal().planned().stream()
        .noneMatch(each -> each.path().equals(name) && each.cause().equals("PROMOTED"))) {
      violation("the file that is hinted to be prefetched wasn't moved to SSD");
    }
    if (!isReplicated) {
      violation("the file that is hinted to be replicated has no further replica");
    }
  }
}
