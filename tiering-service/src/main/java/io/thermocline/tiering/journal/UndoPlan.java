// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What takes back a plan: a function of the journal alone, and of what HDFS shows where it is checked. Immutable once it
 * is made.
 */
public final class UndoPlan {

  private static final long NO_PLAN = -1;

  private final long plan;
  private final Map<String, Path> paths = new LinkedHashMap<>();
  private final Map<String, Policy> policies = new LinkedHashMap<>();
  private final Map<String, Long> laterPlans = new LinkedHashMap<>();
  private final Map<String, JournalEntry.TakenOver> takenPolicies = new HashMap<>();
  private final Map<String, JournalEntry.TakenOver> takenFactors = new HashMap<>();
  private final Set<Long> groups = new LinkedHashSet<>();
  private long at;

  /**
   * What the plan did to one file.
   *
   * @param moves that HDFS showed done, the last one first: in the order in which they are taken back
   * @param replication null where it didn't change it
   * @param cached copies in memory; null where it didn't change them
   */
  public record Path(
      String path, List<JournalEntry.Moved> moves, Change replication, Change cached) {}

  /** A number that was changed. */
  public record Change(int before, int after) {
    private boolean has(int now) {
      return now == before || now == after;
    }
  }

  /**
   * A storage policy that was changed.
   *
   * @param before empty: none of its own; null: not known
   */
  public record Policy(String path, String before, String after) {}

  /**
   * What HDFS shows of a file.
   *
   * @param file null where it is gone or open for write
   * @param policy in force where the plan set one for it; empty where it set none, or that is gone
   * @param inherited what would be in force there without one of its own
   * @param cached copies of each block in memory by our directive; {@link #ALTERED} where somebody changed that
   */
  public record Shown(FileView file, String policy, String inherited, int cached) {
    public static final int ALTERED = -1;

    /** HDFS doesn't say whether what is the same above is inherited. */
    private boolean has(String own) {
      return own.equals(policy) || (own.isEmpty() && policy.equals(inherited));
    }
  }

  private UndoPlan(long plan) {
    this.plan = plan;
  }

  /** Of a plan, from the journal's whole history. */
  public static UndoPlan of(long plan, Iterable<JournalEntry> history) {
    UndoPlan undo = new UndoPlan(plan);
    history.forEach(undo::accept);
    return undo;
  }

  private void accept(JournalEntry entry) {
    if (entry instanceof JournalEntry.Planned planned) {
      at = planned.plan();
      note(planned.path());
    } else if (entry instanceof JournalEntry.Undo undo) {
      at = undo.plan();
    } else if (entry instanceof JournalEntry.PlanEnded) {
      // What is set from here on is part of no plan.
      at = NO_PLAN;
    } else if (entry instanceof JournalEntry.PolicySet set) {
      if (at == plan) {
        takenPolicies.remove(set.path());
        policies.merge(
            set.path(),
            new Policy(set.path(), set.before(), set.policy()),
            (first, now) -> new Policy(set.path(), first.before(), set.policy()));
      } else if (at > plan) {
        laterPlans.put(set.path(), at);
      }
    } else if (entry instanceof JournalEntry.GroupMade made && made.plan() == plan) {
      groups.add(made.group());
    } else if (entry instanceof JournalEntry.GroupEnded ended) {
      groups.remove(ended.group());
    } else if (entry instanceof JournalEntry.CacheSet set && at == plan) {
      Path old = paths.get(set.path());
      Change change = changed(old == null ? null : old.cached(), set.before(), set.after());
      put(set.path(), old, old == null ? null : old.replication(), change);
    } else if (entry instanceof JournalEntry.ReplicationSet set
        && at == plan
        // Else it is taken back with its group.
        && set.group() == 0) {
      takenFactors.remove(set.path());
      Path old = paths.get(set.path());
      Change change = changed(old == null ? null : old.replication(), set.before(), set.after());
      put(set.path(), old, change, old == null ? null : old.cached());
    } else if (entry instanceof JournalEntry.TakenOver taken) {
      switch (taken.what()) {
        case POLICY, NO_POLICY -> takenPolicies.put(taken.path(), taken);
        case REPLICATION -> takenFactors.put(taken.path(), taken);
        case BROUGHT_IN, UNDONE -> {
          // It is another file; what an undo did is told by its plan.
        }
      }
    } else if (entry instanceof JournalEntry.Moved moved
        && moved.state().equals("VERIFIED")
        && moved.move().startsWith(plan + "-")
        // Else its beginning is older than what the journal keeps.
        && paths.containsKey(moved.path())) {
      paths.get(moved.path()).moves().add(0, moved);
    }
  }

  private void note(String path) {
    if (at == plan) {
      noted(path);
    } else if (at > plan) {
      laterPlans.put(path, at);
    }
  }

  private String noted(String path) {
    paths.computeIfAbsent(path, first -> new Path(path, new ArrayList<>(), null, null));
    return path;
  }

  private void put(String path, Path old, Change replication, Change cached) {
    List<JournalEntry.Moved> moves = old == null ? new ArrayList<>() : old.moves();
    paths.put(path, new Path(path, moves, replication, cached));
  }

  /** What was up before the first change and is after the last. */
  private static Change changed(Change first, int before, int after) {
    return new Change(first == null ? before : first.before(), after);
  }

  public long plan() {
    return plan;
  }

  /** The files that the plan was about. */
  public List<Path> paths() {
    return List.copyOf(paths.values());
  }

  /** Policies that the plan set. */
  public List<Policy> policies() {
    return List.copyOf(policies.values());
  }

  /** Who set a path's storage policy after the plan did, be it to the same; empty where nobody else is known to have. */
  public Optional<String> policyTakenBy(String path) {
    return Optional.ofNullable(takenPolicies.get(path)).map(JournalEntry.TakenOver::who);
  }

  /** Whether the file's copies are a plan's doing: this one's, or a later one's. */
  public boolean isKnown(String path) {
    return paths.containsKey(path) || laterPlans.containsKey(path);
  }

  /** Ids of the groups that the plan made and that didn't end since. */
  public Set<Long> groups() {
    return Set.copyOf(groups);
  }

  /** The policy that the plan set for a file, on the file or on its directory; null where it set none. */
  public Policy policyOf(String path) {
    for (String up = path; !up.isEmpty(); up = up.substring(0, up.lastIndexOf('/'))) {
      Policy set = policies.get(up);
      if (set != null) {
        return set;
      }
    }
    return policies.get("/");
  }

  /** Whether the plan has done anything to the file that could be taken back. */
  public boolean isChanged(Path path) {
    return !path.moves().isEmpty()
        || path.replication() != null
        || path.cached() != null
        || policyOf(path.path()) != null;
  }

  /** What of a file that may be taken back isn't as it was before the plan, but for its policy. */
  public Path left(Path path, Shown now) {
    return new Path(
        path.path(),
        path.moves().stream()
            .filter(moved -> !lies(moved, moved.from(), moved.to(), now.file()))
            .toList(),
        path.replication() == null || path.replication().before() == now.file().replication()
            ? null
            : path.replication(),
        path.cached() == null || path.cached().before() == now.cached() ? null : path.cached());
  }

  /** Whether the policy is what it was before the plan. */
  public static boolean isBack(Policy policy, Shown now) {
    return now.has(policy.before());
  }

  /** Whether a file that may be taken back is as it was before the plan: an earlier try did that, or somebody. */
  public boolean isBack(Path path, Shown now) {
    Policy policy = policyOf(path.path());
    Path left = left(path, now);
    return left.moves().isEmpty()
        && left.replication() == null
        && left.cached() == null
        && (policy == null || isBack(policy, now));
  }

  /** Why a file can't be taken back; empty where it can, or is. */
  public String refusal(Path path, Shown now) {
    if (now.file() == null) {
      return "it is gone, being written, or in a directory that this user may not list";
    }
    Policy policy = policyOf(path.path());
    if (policy != null && policy.before() == null) {
      return "the journal does not say what storage policy " + policy.path() + " had before";
    }
    Optional<String> taker = policy == null ? Optional.empty() : policyTakenBy(policy.path());
    if (taker.isPresent() && !isBack(policy, now)) {
      return "the storage policy of "
          + policy.path()
          + " is not the plan's any more: "
          + taker.get()
          + " set "
          + now.policy()
          + " on it since";
    }
    if (policy != null && !now.has(policy.after()) && !isBack(policy, now)) {
      return "its storage policy is "
          + (now.has("") ? "unset" : now.policy())
          + ", and the plan had set "
          + policy.after()
          + by(policy.path());
    }
    JournalEntry.TakenOver factor = takenFactors.get(path.path());
    if (path.replication() != null
        && factor != null
        && now.file().replication() != path.replication().before()) {
      return "its replication factor is not the plan's any more: "
          + factor.who()
          + " set "
          + now.file().replication()
          + " since";
    }
    if (path.replication() != null && !path.replication().has(now.file().replication())) {
      return "its replication factor is "
          + now.file().replication()
          + ", and the plan had made it "
          + path.replication().after()
          + by(path.path());
    }
    if (path.cached() != null && now.cached() == Shown.ALTERED) {
      return "somebody changed its cache directive since";
    }
    if (path.cached() != null && !path.cached().has(now.cached())) {
      return now.cached()
          + " copies are in memory by our directive, and the plan had asked for "
          + path.cached().after()
          + by(path.path());
    }
    return path.moves().stream()
        .filter(
            moved ->
                !lies(moved, moved.to(), moved.from(), now.file())
                    && !lies(moved, moved.from(), moved.to(), now.file()))
        .findFirst()
        .map(
            moved ->
                "the replica of block "
                    + moved.block()
                    + " that went from "
                    + type(moved.from())
                    + " to "
                    + type(moved.to())
                    + " isn't where the plan put it"
                    + by(path.path()))
        .orElse("");
  }

  private String by(String path) {
    Long later = laterPlans.get(path);
    return later == null ? ": somebody changed it since" : ": plan " + later + " changed it since";
  }

  /** Whether the block has a replica at one place, and none at the other. */
  private static boolean lies(JournalEntry.Moved moved, String at, String notAt, FileView now) {
    return now.blocks().stream()
        .filter(block -> block.id() == moved.block())
        .anyMatch(
            block ->
                block.replicas().stream().anyMatch(replica -> isAt(replica, at))
                    && block.replicas().stream().noneMatch(replica -> isAt(replica, notAt)));
  }

  /** Whether a replica lies where the journal says: "node TYPE". */
  public static boolean isAt(FileView.Replica replica, String place) {
    return place.equals(replica.node() + " " + replica.type());
  }

  /** The node of a place in the journal. */
  public static String node(String place) {
    return place.substring(0, place.lastIndexOf(' '));
  }

  /** The type of a place in the journal. */
  public static StorageType type(String place) {
    return StorageType.valueOf(place.substring(place.lastIndexOf(' ') + 1));
  }

  /** Types of one block's copies, for showing; DISK where there is none. */
  public static List<StorageType> types(FileView file) {
    return file.blocks().isEmpty() || file.blocks().get(0).replicas().isEmpty()
        ? Collections.singletonList(StorageType.DISK)
        : file.blocks().get(0).types();
  }
}
