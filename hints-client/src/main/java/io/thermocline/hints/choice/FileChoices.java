// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.RackSpread;
import io.thermocline.placement.choice.ReplicaPlacement;
import io.thermocline.placement.choice.SaltedCandidates;
import io.thermocline.placement.choice.SaltedKeys;
import io.thermocline.placement.choice.SelectorPlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The candidate sets of servers for files. The same table, numbers and path give the same candidates, to
 * any client at any time. Immutable, safe for any thread.
 *
 * <p>The sets keep HDFS's rack rule, so that the NameNode takes them as they are.
 */
public final class FileChoices {
  private final ServerTable table;
  private final int candidates;
  private final int replicas;
  private final ReplicaPlacement placement;

  private FileChoices(ServerTable table, int candidates, int replicas) {
    this.table = table;
    this.candidates = candidates;
    this.replicas = replicas;
    this.placement = SelectorPlacement.on(table.selector(), RackSpread.of(racks(table), replicas));
  }

  /**
   * For files of that many replicas.
   *
   * @param candidates k: 1 to {@link CandidateSets#MOST_CANDIDATES}
   * @throws IllegalArgumentException if a number is out of its bounds
   */
  public static FileChoices of(ServerTable table, int candidates, int replicas) {
    new CandidateSets(candidates, replicas);
    return new FileChoices(table, candidates, replicas);
  }

  /**
   * The candidates for a file.
   *
   * @param path absolute, the one that it will keep: a file that is renamed has the candidates of its
   *     first name
   */
  public FileCandidates candidatesFor(String path) {
    CandidateSets sets = new CandidateSets(candidates, replicas);
    SaltedCandidates.fill(SaltedKeys.keyOf(path), placement, sets);
    List<List<Server>> servers = new ArrayList<>();
    for (int candidate = 0; candidate < sets.count(); candidate++) {
      List<Server> set = new ArrayList<>();
      for (int server : sets.set(candidate)) {
        set.add(table.servers().get(server));
      }
      servers.add(Collections.unmodifiableList(set));
    }
    return new FileCandidates(table, sets, servers);
  }

  private static int[] racks(ServerTable table) {
    Map<String, Integer> numbers = new HashMap<>();
    int[] racks = new int[table.servers().size()];
    for (int server = 0; server < racks.length; server++) {
      String path = table.servers().get(server).location().path();
      Integer known = numbers.putIfAbsent(path, numbers.size());
      racks[server] = known == null ? numbers.size() - 1 : known;
    }
    return racks;
  }
}
