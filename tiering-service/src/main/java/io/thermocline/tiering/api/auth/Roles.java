// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Which user has which role: by name, or by a group that they are in.
 *
 * @param groupsOf a user's groups, as Hadoop knows them
 */
public record Roles(Map<Role, Members> members, Function<String, Collection<String>> groupsOf) {

  /** Users and groups that have a role. */
  public record Members(Set<String> users, Set<String> groups) {
    public Members {
      users = Set.copyOf(users);
      groups = Set.copyOf(groups);
    }
  }

  public Roles {
    Map<Role, Members> ordered = new EnumMap<>(Role.class);
    ordered.putAll(members);
    members = ordered;
  }

  /** The highest; empty where a user has none. */
  public Optional<Role> of(String user) {
    Collection<String> groups = groupsOf.apply(user);
    return Arrays.stream(Role.values())
        .filter(members::containsKey)
        .filter(
            role -> {
              Members of = members.get(role);
              return of.users().contains(user) || groups.stream().anyMatch(of.groups()::contains);
            })
        .max(Comparator.naturalOrder());
  }
}
