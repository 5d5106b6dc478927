// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A user sets storage policies and replication of files, or replaces them, while they are moved. */
final class UserChangesScenario extends UserScenario {

  private static final String DIRECTORY = "user";
  private static final int FILES = 12;
  private static final short FACTOR = 2;
  private static final int MAX_WAIT_MILLIS = 300;

  private final SplittableRandom random;
  private final ServiceRuntime runtime = ServiceRuntime.system();

  /** What the user set last, by file. */
  private final Map<Integer, String> policies = new HashMap<>();

  private final List<Integer> reduced = new ArrayList<>();

  UserChangesScenario(ScenarioCluster cluster, Findings findings, SplittableRandom random) {
    super(cluster, findings);
    this.random = random;
  }

  @Override
  void prepare() throws IOException {
    create(DIRECTORY, FILES);
  }

  /** Changes each file once. */
  @Override
  void step() throws IOException, InterruptedException {
    files.read(DIRECTORY);
    List<Integer> unchanged = new ArrayList<>(files.ids(DIRECTORY));
    unchanged.removeAll(policies.keySet());
    unchanged.removeAll(reduced);
    if (unchanged.isEmpty()) {
      return;
    }
    int id = unchanged.get(random.nextInt(unchanged.size()));
    runtime.pause().pause(Duration.ofMillis(random.nextInt(MAX_WAIT_MILLIS)));
    switch (random.nextInt(3)) {
      case 0 -> policy(id, "COLD");
      case 1 -> {
        cluster.client().setReplication(files.path(id), FACTOR);
        reduced.add(id);
      }
      default -> policy(files.replace(id), "WARM");
    }
  }

  private void policy(int id, String policy) throws IOException {
    cluster.client().setStoragePolicy(files.path(id), policy);
    policies.put(id, policy);
  }

  @Override
  String unsettled() throws IOException {
    for (int id : reduced) {
      if (files.replication(id) > FACTOR) {
        return files.path(id) + " has more replicas than its user set, and nobody reads it";
      }
    }
    return "";
  }

  @Override
  void check() throws IOException {
    for (Map.Entry<Integer, String> set : policies.entrySet()) {
      String now = cluster.client().getStoragePolicy(files.path(set.getKey())).getName();
      if (!now.equals(set.getValue())) {
        findings.add(
            Findings.Kind.OVERWRITTEN_POLICIES,
            files.path(set.getKey()) + " has policy " + now + ", its user set " + set.getValue());
      }
    }
    for (int id : reduced) {
      short now = files.replication(id);
      if (now != FACTOR) {
        findings.add(
            Findings.Kind.OVERWRITTEN_REPLICATION,
            files.path(id) + " has replication " + now + ", its user set " + FACTOR);
      }
    }
  }
}
