// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.app.groups.GroupNumbers.End;
import io.thermocline.tiering.app.groups.GroupNumbers.Kind;
import io.thermocline.tiering.metrics.Metrics;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Names the numbers of groups of files that are read together. */
public final class GroupMetrics {

  private final Supplier<GroupNumbers> groups;

  private GroupMetrics(Supplier<GroupNumbers> groups) {
    this.groups = groups;
  }

  public static void register(Metrics metrics, Supplier<GroupNumbers> asked) {
    GroupMetrics of = new GroupMetrics(Metrics.lately(asked));
    metrics.gauge(
        "thermocline_groups",
        "kind",
        "Groups that there are: copies in a group file, or one more replica of each member",
        of.kinds(Kind::groups));
    metrics.gauge("thermocline_groups_members", "kind", "Files in groups", of.kinds(Kind::members));
    metrics.gauge(
        "thermocline_groups_bytes", "kind", "Bytes of groups' copies", of.kinds(Kind::bytes));
    metrics.gauge(
        "thermocline_groups_max_bytes",
        "kind",
        "Bytes that groups' copies may have, as configured",
        of.kinds(Kind::most));
    metrics.counter(
        "thermocline_groups_made_total",
        "kind",
        "Groups whose copies were all there: of files that were in none, or refreshed after a change",
        Map.of(
            "new", () -> of.groups.get().life().made(),
            "refreshed", () -> of.groups.get().life().refreshed()));
    metrics.counter(
        "thermocline_groups_ended_total",
        "cause",
        "Groups that ended",
        Arrays.stream(End.values())
            .collect(
                Collectors.toMap(
                    end -> end.name().toLowerCase(Locale.ROOT),
                    end -> () -> of.groups.get().life().ended().getOrDefault(end, 0L))));
    metrics.counter(
        "thermocline_groups_opens_total",
        "Opens of group files in audit logs; a client mostly reads a whole group with one",
        () -> of.groups.get().opens());
  }

  private Map<String, Supplier<Number>> kinds(Function<Kind, Number> value) {
    return Map.of(
        "file", () -> value.apply(groups.get().files()),
        "replica", () -> value.apply(groups.get().raised()));
  }
}
