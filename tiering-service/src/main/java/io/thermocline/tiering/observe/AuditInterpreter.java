// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Optional;
import java.util.Set;

/**
 * Tells what an audit event means for heat, and leaves out what the service did itself: a service
 * that heated what it looked at would move what it moves. Stateless but for its two names.
 */
public final class AuditInterpreter {

  private static final Set<String> CREATES = Set.of("create", "truncate", "concat");

  private final Set<String> ignoredUsers;
  private final String ownCallerContext;

  /**
   * @param ignoredUsers short names whose operations are no access: the service's own, and those an
   *     administrator names (backup scanners, virus checkers)
   * @param ownCallerContext the caller context that the service sets on its own calls
   */
  public AuditInterpreter(Set<String> ignoredUsers, String ownCallerContext) {
    this.ignoredUsers = Set.copyOf(ignoredUsers);
    this.ownCallerContext = ownCallerContext;
  }

  /** Empty where the event says nothing about the heat of data. */
  public Optional<AccessEvent> interpret(AuditEvent event) {
    boolean hasPath = event.source() != null && event.source().startsWith("/");
    if (!event.allowed() || !hasPath || isOwn(event)) {
      return Optional.empty();
    }
    String command = event.command();
    if (command.equals("open")) {
      return Optional.of(AccessEvent.read(event.source()));
    }
    if (command.equals("rename") || command.startsWith("rename ")) {
      return event.destination() == null
          ? Optional.empty()
          : Optional.of(
              new AccessEvent(AccessEvent.Kind.RENAME, event.source(), event.destination()));
    }
    if (command.equals("delete")) {
      return Optional.of(new AccessEvent(AccessEvent.Kind.DELETE, event.source(), null));
    }
    if (CREATES.contains(command)) {
      return Optional.of(new AccessEvent(AccessEvent.Kind.CREATE, event.source(), null));
    }
    return Optional.empty();
  }

  private boolean isOwn(AuditEvent event) {
    String context = event.callerContext();
    return ignoredUsers.contains(event.user())
        || (context != null && context.startsWith(ownCallerContext));
  }
}
