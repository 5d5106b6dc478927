// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a mover says that it lets itself be asked, so that nothing else is planned. The mover checks each request all the
 * same. Immutable.
 *
 * @param user whose rights it uses, as the audit log names it
 * @param paths directories; these and all below
 * @param except directories and files below them that are left alone
 * @param policies that may be set
 * @param types of storages that replicas may come to
 */
record MoverLimits(
    String user,
    List<String> paths,
    List<String> except,
    Set<String> policies,
    Set<StorageType> types) {

  static MoverLimits of(String user, MoverRules rules) {
    return new MoverLimits(user, rules.paths(), rules.except(), rules.policies(), rules.types());
  }

  /** Why nothing at this path would be done; empty where something may. */
  Optional<String> objection(String path) {
    return objection(new MoverRequest.Policy(path, ""));
  }

  /** Why these moves of a file would not be made; empty where they may. */
  Optional<String> objection(Plan.FileMoves file) {
    Optional<String> policy =
        file.storagePolicy() == null
            ? Optional.empty()
            : objection(new MoverRequest.Policy(file.path(), file.storagePolicy()));
    return policy.or(
        () ->
            file.moves().stream()
                .map(move -> objection(MoverRequest.Copy.of(move)))
                .flatMap(Optional::stream)
                .findFirst());
  }

  private Optional<String> objection(MoverRequest.Change change) {
    return new MoverRules(paths, except, policies, types, Optional.empty(), 0)
        .objection(change)
        .map(why -> "the mover would refuse it: " + why);
  }
}
