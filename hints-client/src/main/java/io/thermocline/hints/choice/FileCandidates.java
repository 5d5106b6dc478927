// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.Choice;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.ChoicePolicy;
import io.thermocline.placement.choice.MetricsView;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The candidate sets of servers for one file. Immutable, safe for any thread. */
public final class FileCandidates {
  private final ServerTable table;

  /** Filled once and never changed. */
  private final CandidateSets sets;

  private final List<List<Server>> servers;

  FileCandidates(ServerTable table, CandidateSets sets, List<List<Server>> servers) {
    this.table = table;
    this.sets = sets;
    this.servers = Collections.unmodifiableList(servers);
  }

  /** One list a candidate, the first replica's server first; the first is the plain placement. */
  public List<List<Server>> sets() {
    return servers;
  }

  /** All servers of which the metrics are wanted for a choice. */
  public Set<Server> servers() {
    Set<Server> all = new LinkedHashSet<>();
    servers.forEach(all::addAll);
    return all;
  }

  /** Number of a server in metrics; -1 where the table hasn't got it. */
  public int numberOf(Server server) {
    return table.servers().indexOf(server);
  }

  /**
   * Picks one by a policy.
   *
   * @param metrics by the numbers of {@link ServerTable#servers}
   */
  public Choice choose(ChoicePolicy policy, MetricsView metrics) {
    return new ChoiceEngine(policy).choose(sets, metrics);
  }

  /** The servers of a choice that was made here. */
  public List<Server> serversOf(Choice choice) {
    return servers.get(choice.candidate());
  }

  @Override
  public String toString() {
    return servers.toString();
  }
}
