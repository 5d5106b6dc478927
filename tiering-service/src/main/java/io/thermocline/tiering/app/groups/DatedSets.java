// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sets of files that are written again with another date in their paths, as the partitions of a new week. A set that was
 * found with two dates is known by its paths with the dates folded; with a further date it is a group after its first
 * read, when chance can't be told from pattern yet. Not thread-safe.
 */
final class DatedSets {
  /** Templates that are kept; the longest unused go. */
  private static final int MOST = 1 << 17;

  private static final String DATE =
      // 2026-11-24, 2026/11/24/05, 20261124, 2026112405, 2026-11, 2026-W48
      "(?<!\\d)(?:19|20)\\d\\d(?:([-_./]?)(?:0[1-9]|1[0-2])"
          + "(?:\\1(?:0[1-9]|[12]\\d|3[01])"
          + "(?:[-_T]?(?:[01]\\d|2[0-3])(?:[0-5]\\d){0,2}|/(?:[01]\\d|2[0-3])(?=/))?)?"
          + "|-?W[0-5]\\d)(?!\\d)";

  private static final String PART_OF_DATE =
      "(?<=/(?:year|month|week|day|hour|yyyy|mm|dd|hh|hr|y|m|d|h)=)\\d+(?=/)";

  private static final String UUID =
      "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

  private static final Pattern FOLDED = Pattern.compile(UUID + "|" + DATE + "|" + PART_OF_DATE);

  private final Map<Long, Template> templates =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Template> eldest) {
          return size() > MOST;
        }
      };

  /**
   * A path with its dates folded.
   *
   * @param template hash of the path without dates
   * @param date hash of the dates in it
   */
  record Dated(long template, long date) {}

  /**
   * What is known of one.
   *
   * @param set by which files of one set are known
   * @param date with which it was found first
   * @param recurs whether it was found with another one too
   */
  private record Template(long set, long date, boolean recurs) {}

  private record Instance(long set, long date) {}

  /** What the logs show, with the sets that were found with other dates. */
  static List<ObjectGroup> groups(CorrelationMiner miner, Map<Long, String> names) {
    Map<Long, Dated> dated = new HashMap<>();
    names.forEach(
        (key, name) -> {
          Dated folded = fold(name);
          if (folded != null) {
            dated.put(key, folded);
          }
        });
    return new DatedSets().and(miner, miner.groups(), dated);
  }

  /** Null where there is no date in the path. */
  static Dated fold(String path) {
    if (!path.startsWith("/")
        || !path.contains("20") && !path.contains("19") && path.indexOf('=') < 0) {
      return null;
    }
    Matcher matcher = FOLDED.matcher(path);
    StringBuilder template = new StringBuilder();
    StringBuilder date = new StringBuilder();
    while (matcher.find()) {
      matcher.appendReplacement(template, "*");
      date.append('/').append(matcher.group());
    }
    return date.isEmpty()
        ? null
        : new Dated(
            PathKey.of(0, matcher.appendTail(template).toString()), PathKey.of(0, date.toString()));
  }

  /**
   * Learns from groups that were found, and adds those that are known by other dates.
   *
   * @param dated by key, of all files with a date
   */
  List<ObjectGroup> and(CorrelationMiner miner, List<ObjectGroup> found, Map<Long, Dated> dated) {
    found.forEach(group -> learn(group, dated));
    List<ObjectGroup> groups = new ArrayList<>(found);
    instances(found, dated).values().forEach(keys -> groups.addAll(miner.among(keys)));
    return groups;
  }

  private void learn(ObjectGroup group, Map<Long, Dated> dated) {
    if (group.pattern() != GroupPattern.LOCAL) {
      return;
    }
    List<Dated> members = group.members().stream().map(GroupedObject::key).map(dated::get).toList();
    if (members.contains(null) || members.stream().mapToLong(Dated::date).distinct().count() != 1) {
      return;
    }
    long set =
        members.stream()
            .map(each -> templates.get(each.template()))
            .filter(Objects::nonNull)
            .findFirst()
            .map(Template::set)
            .orElse(members.get(0).template());
    for (Dated member : members) {
      Template known = templates.get(member.template());
      templates.put(
          member.template(),
          known == null
              ? new Template(set, member.date(), false)
              : new Template(
                  known.set(), known.date(), known.recurs() || known.date() != member.date()));
    }
  }

  /** Files that are in no group, by the set that they are of. */
  private Map<Instance, List<Long>> instances(List<ObjectGroup> found, Map<Long, Dated> dated) {
    Map<Instance, List<Long>> instances =
        new TreeMap<>(Comparator.comparingLong(Instance::set).thenComparingLong(Instance::date));
    if (templates.values().stream().noneMatch(Template::recurs)) {
      return instances;
    }
    Set<Long> grouped = new HashSet<>();
    found.forEach(group -> group.members().forEach(member -> grouped.add(member.key())));
    dated.forEach(
        (key, each) -> {
          Template template = templates.get(each.template());
          if (template != null && template.recurs() && !grouped.contains(key)) {
            instances
                .computeIfAbsent(new Instance(template.set(), each.date()), of -> new ArrayList<>())
                .add(key);
          }
        });
    return instances;
  }

  void writeTo(StateSink sink) {
    sink.number(templates.size());
    templates.forEach(
        (template, known) -> {
          sink.number(template);
          sink.number(known.set());
          sink.number(known.date());
          sink.number(known.recurs() ? 1 : 0);
        });
  }

  void restore(StateSource source) {
    templates.clear();
    for (int left = source.size(MOST); left > 0; left--) {
      templates.put(
          source.number(), new Template(source.number(), source.number(), source.number() != 0));
    }
  }
}
