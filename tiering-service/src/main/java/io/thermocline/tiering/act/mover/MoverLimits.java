// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a mover says that it lets itself be asked, so that nothing else is planned. The mover checks each request all the
 * same. Immutable.
 *
 * @param user whose rights it uses, as the audit log names it
 * @param paths directories; these and all below
 * @param except directories and files below them that are left alone
 * @param policies that may be set
 * @param types of storages that replicas may come to
 * @param replication factors that may be set; null: none
 * @param cachedCopies most copies of a block in memory; 0: nothing may be cached
 */
record MoverLimits(
    String user,
    List<String> paths,
    List<String> except,
    Set<String> policies,
    Set<StorageType> types,
    MoverRules.Factors replication,
    int cachedCopies) {

  static MoverLimits of(String user, MoverRules rules) {
    return new MoverLimits(
        user,
        rules.paths(),
        rules.except(),
        rules.policies(),
        rules.types(),
        rules.replication().orElse(null),
        rules.cachedCopies());
  }

  /** Why nothing at this path would be done; empty where something may. */
  Optional<String> objection(String path) {
    return objection(new MoverRequest.Policy(path, ""));
  }

  /** Why a change would not be made, or not be taken back; empty where it may. */
  Optional<String> objection(FileChange change) {
    return requests(change).map(this::objection).flatMap(Optional::stream).findFirst();
  }

  private static Stream<MoverRequest.Change> requests(FileChange change) {
    String path = change.path();
    if (change instanceof Plan.FileMoves file) {
      return Stream.concat(
          Stream.ofNullable(file.storagePolicy())
              .map(policy -> new MoverRequest.Policy(path, policy)),
          file.moves().stream().map(MoverRequest.Copy::of));
    }
    Target target = change.decision().target();
    return switch (change.decision().cause()) {
      case CACHED -> Stream.of(new MoverRequest.Cache(path, target.cached()));
      case FEWER_COPIES -> Stream.of(new MoverRequest.Replication(path, target.replication()));
      case MORE_COPIES ->
          Stream.of(
              new MoverRequest.Replication(path, target.replication()),
              // To which it returns when it is cold.
              new MoverRequest.Replication(path, change.decision().hot().file().replication()));
      default -> Stream.empty();
    };
  }

  private Optional<String> objection(MoverRequest.Change change) {
    return new MoverRules(
            paths, except, policies, types, Optional.ofNullable(replication), cachedCopies)
        .objection(change)
        .map(why -> "the mover would refuse it: " + why);
  }
}
