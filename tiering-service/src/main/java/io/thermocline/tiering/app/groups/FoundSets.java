// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.observe.PathKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * What a miner found by time of generated sets, against the truth.
 *
 * @param foundPercent of the pairs of files that belong together, those in one group
 * @param wrongPercent of the pairs in one group, those that don't belong together
 * @param whole sets that are one group
 */
public record FoundSets(double foundPercent, double wrongPercent, int whole, int sets) {

  /** What a miner finds that is given all reads. */
  public static FoundSets of(GeneratedSets sets, MiningSettings settings) {
    CorrelationMiner miner = new CorrelationMiner(settings);
    Map<Long, String> names = new HashMap<>();
    sets.each(
        (set, file, client, millis) -> {
          String path = sets.path(set, file);
          long key = PathKey.of(0, path);
          names.put(key, path);
          miner.read(key, sets.reader(client), millis, 0, 0);
        });
    return of(sets, DatedSets.groups(miner, names), names::get);
  }

  /**
   * @param names path by key
   */
  public static FoundSets of(
      GeneratedSets sets, List<ObjectGroup> groups, LongFunction<String> names) {
    long right = 0;
    long wrong = 0;
    int whole = 0;
    for (ObjectGroup group : groups) {
      if (group.pattern() != GroupPattern.LOCAL) {
        continue;
      }
      List<Set<String>> of =
          group.members().stream().map(member -> sets.setsOf(names.apply(member.key()))).toList();
      for (int i = 0; i < of.size(); i++) {
        for (int j = 0; j < i; j++) {
          if (Collections.disjoint(of.get(i), of.get(j))) {
            wrong++;
          } else {
            right++;
          }
        }
      }
      Set<String> ofAll = new HashSet<>(of.get(0));
      of.forEach(ofAll::retainAll);
      if (!ofAll.isEmpty() && of.size() == sets.files()) {
        whole++;
      }
    }
    long all = (long) sets.sets() * sets.weeks() * sets.pairs();
    return new FoundSets(
        100.0 * right / all,
        right + wrong == 0 ? 0 : 100.0 * wrong / (right + wrong),
        whole,
        sets.sets() * sets.weeks());
  }
}
