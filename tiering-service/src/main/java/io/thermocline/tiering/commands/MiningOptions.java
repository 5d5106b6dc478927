// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What every command that mines may be told, and how it prints groups. */
public final class MiningOptions {

  @Option(
      names = "--window",
      paramLabel = "MS",
      description =
          "reads at most so far apart are together (default: 10 of blocks, 2000 of files)")
  private Long windowMillis;

  @Option(
      names = "--distance",
      paramLabel = "D",
      defaultValue = "0.5",
      description = "largest in a group, 0 to 1 (default: ${DEFAULT-VALUE})")
  private double distance;

  @Option(
      names = "--alpha",
      paramLabel = "D",
      defaultValue = "0.01",
      description =
          "by which the distance is lowered in a group that is too large (default: ${DEFAULT-VALUE})")
  private double alpha;

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "10",
      description = "most in a group (default: ${DEFAULT-VALUE})")
  private int objects;

  @Option(
      names = "--hot-share",
      paramLabel = "S",
      defaultValue = "0.1",
      description =
          "of the objects that are hot: the fast tiers' share of the capacity (default:"
              + " ${DEFAULT-VALUE})")
  private double hotShare;

  @Option(
      names = "--period",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "seconds; hot objects of one group were last read in the same period; 0: whenever (default:"
              + " ${DEFAULT-VALUE})")
  private long periodSeconds;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  /**
   * @param files whether the objects are files of audit logs
   * @throws IllegalArgumentException if a value is out of its range
   */
  public MiningSettings settings(boolean files) {
    MiningSettings defaults = files ? MiningSettings.ofFiles() : MiningSettings.ofBlocks();
    return (windowMillis == null ? defaults : defaults.withWindow(Duration.ofMillis(windowMillis)))
        .withDistance(distance, alpha, objects)
        .withHot(hotShare, Duration.ofSeconds(periodSeconds));
  }

  /** A time zone by its name. */
  public static ZoneId zone(CommandLine line, String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new ParameterException(
          line, "'" + name + "' is no time zone, as UTC or Europe/Paris", e);
    }
  }

  /** Groups to standard output. */
  public void print(
      CorrelationMiner miner, List<ObjectGroup> groups, long reads, LongFunction<String> names)
      throws IOException {
    if (json) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("reads", reads);
      report.put("objects", miner.objects());
      report.put("pairs", miner.pairs());
      report.put("object_error", miner.objectError());
      report.put("pair_error", miner.pairError());
      List<Object> list = new ArrayList<>();
      groups.forEach(group -> list.add(json(group, names)));
      report.put("groups", list);
      System.out.println(new ObjectMapper().writeValueAsString(report));
      return;
    }
    System.out.printf(
        "%,d reads of %,d objects: %,d groups%n", reads, miner.objects(), groups.size());
    for (ObjectGroup group : groups) {
      System.out.printf(
          Locale.ROOT,
          "%n%s, %s, distance at most %.3f, %,d times together at least (by chance %.1f), readers: %,d%n",
          word(group.pattern()),
          word(group.sequence()),
          group.distance(),
          group.evidence().together(),
          group.evidence().expected(),
          group.evidence().readers());
      for (GroupedObject member : group.members()) {
        System.out.printf("  %,8d reads  %s%n", member.reads(), names.apply(member.key()));
      }
    }
  }

  private static Map<String, Object> json(ObjectGroup group, LongFunction<String> names) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("pattern", word(group.pattern()));
    map.put("sequence", word(group.sequence()));
    map.put("distance", group.distance());
    map.put("together", group.evidence().together());
    map.put("by_chance", group.evidence().expected());
    map.put("readers", group.evidence().readers());
    map.put("bytes", group.bytes());
    List<Object> members = new ArrayList<>();
    for (GroupedObject member : group.members()) {
      members.add(
          Map.of(
              "name",
              names.apply(member.key()),
              "reads",
              member.reads(),
              "largest",
              member.largestBytes()));
    }
    map.put("members", members);
    return map;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
