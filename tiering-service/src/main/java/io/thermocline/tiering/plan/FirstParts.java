// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Has the hottest part of many promotions in one directory moved first, and the others once that
 * part was read from its new tier as expected (ChewAnalyzer, section 3.3.3: proactive migration).
 * Pure: it is told the time. Not thread-safe.
 *
 * <pre>
 *         a plan promotes many          copies begun          read as expected
 *   (none) -----------------> PLANNED ------------> WATCHED -----------------> CONFIRMED
 *      ^                         |                     |                           |
 *      |<------ not begun -------+                     +-- not so --> DROPPED      |
 *      +----------------------- after `remember` ------------------------+---------+
 * </pre>
 *
 * <p>What is expected is that the files are read as often as their heat stands for: heat h that
 * halves in time H comes of h * ln 2 / H reads a second. Reads count once the copies are there,
 * of files that HDFS shows on their new tier.
 */
public final class FirstParts {

  /** Where the directory of a group stands. */
  public enum State {
    PLANNED,
    WATCHED,
    CONFIRMED,
    DROPPED
  }

  /**
   * @param share of a directory's promotions that go first
   * @param files promotions of a directory below which all go at once; 0: always
   * @param watch how long the first part is watched
   * @param gain share of the expected reads from which on the others follow
   * @param remember how long what was found holds
   */
  public record Settings(double share, int files, Duration watch, double gain, Duration remember) {

    /** Every plan is carried out as a whole. */
    public static final Settings OFF =
        new Settings(1, 0, Duration.ofHours(1), 0.5, Duration.ofDays(1));
  }

  /**
   * A directory came into a state.
   *
   * @param expected reads of its first part so far
   * @param served those that it had, on its new tier
   */
  public record Change(
      String directory, State state, int files, double expected, double served, String reason) {}

  private final Settings settings;
  private final Duration halfLife;
  private final ToLongFunction<String> opens;
  private final ToDoubleFunction<FileView> readsOfAnOpen;
  private final Map<String, Group> groups = new HashMap<>();

  /**
   * @param halfLife of the heat
   * @param opens of a path since some time or other; negative where they aren't known
   * @param readsOfAnOpen how many reads of the whole file an open of it stands for, as in its heat
   */
  public FirstParts(
      Settings settings,
      Duration halfLife,
      ToLongFunction<String> opens,
      ToDoubleFunction<FileView> readsOfAnOpen) {
    this.settings = settings;
    this.halfLife = halfLife;
    this.opens = opens;
    this.readsOfAnOpen = readsOfAnOpen;
  }

  /** Of a plan, what may be done now; the others come back as what can't, with the reason. */
  public Plan bound(Plan plan, Instant now) {
    if (settings.files() == 0) {
      return plan;
    }
    Map<String, List<Plan.FileMoves>> promoted = new LinkedHashMap<>();
    for (Plan.FileMoves file : plan.files()) {
      if (file.decision().cause() == Decision.Cause.PROMOTED) {
        promoted.computeIfAbsent(directory(file.path()), first -> new ArrayList<>()).add(file);
      }
    }
    Set<Plan.FileMoves> later = new HashSet<>();
    List<Plan.Unplaced> unplaced = new ArrayList<>(plan.unplaced());
    promoted.forEach(
        (directory, files) -> {
          if (files.size() >= settings.files() && isNew(directory)) {
            int first = (int) Math.ceil(settings.share() * files.size());
            groups.put(directory, new Group(now, files.subList(0, first), files.size()));
            String reason = "first " + first + " of the " + files.size() + " in " + directory;
            for (Plan.FileMoves file : files.subList(first, files.size())) {
              later.add(file);
              unplaced.add(new Plan.Unplaced(file.decision(), reason));
            }
          }
        });
    List<Plan.FileMoves> kept = new ArrayList<>(plan.files());
    kept.removeAll(later);
    return new Plan(plan.number(), kept, plan.actions(), unplaced);
  }

  private boolean isNew(String directory) {
    Group group = groups.get(directory);
    return group == null || group.state == State.PLANNED;
  }

  /** Copies of a file were begun. */
  public void begun(String path) {
    Group group = groups.get(directory(path));
    if (group != null && group.files.containsKey(path)) {
      group.isBegun = true;
    }
  }

  /** Judges what was watched for long enough, by the files as they are now. */
  public List<Change> look(Iterable<HotFile> files, Instant now) {
    if (groups.isEmpty()) {
      return List.of();
    }
    groups.values().removeIf(group -> group.isOver(now));
    groups.values().forEach(group -> group.beginLook(now));
    for (HotFile hot : files) {
      Group group = groups.get(directory(hot.file().path()));
      if (group != null) {
        group.see(hot);
      }
    }
    List<Change> changes = new ArrayList<>();
    groups.forEach(
        (directory, group) -> {
          if (group.isBegun && group.state == State.PLANNED) {
            changes.add(group.to(State.WATCHED, directory, now));
          } else if (group.isWatchedEnough(now)) {
            boolean isGain = group.served >= settings.gain() * group.expected;
            changes.add(group.to(isGain ? State.CONFIRMED : State.DROPPED, directory, now));
          }
        });
    return changes;
  }

  /**
   * What keeps the others from being promoted meanwhile, or for long; and what did already. As of
   * now, for any thread.
   */
  public Function<String, Hold> holds(Function<String, Hold> others) {
    Map<String, Held> held = new HashMap<>();
    groups.forEach((directory, group) -> group.held().ifPresent(by -> held.put(directory, by)));
    return path -> {
      Hold other = others.apply(path);
      Held by = held.get(directory(path));
      // What a rule wants on a type is no promotion.
      if (by == null || by.free().contains(path) || other.atLeast() != null) {
        return other;
      }
      String reason = other.reason().isEmpty() ? by.reason() : by.reason() + "; " + other.reason();
      return new Hold(false, other.fall(), null, other.atMost(), reason);
    };
  }

  /**
   * That the files of a directory are held.
   *
   * @param free those that aren't
   */
  private record Held(String reason, Set<String> free) {}

  private static String directory(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  /**
   * A file of a first part.
   *
   * @param heat that it was promoted for
   * @param type of its new lead
   */
  private record First(double heat, StorageType type) {}

  /** A directory's first part. */
  private final class Group {
    private final int all;
    private final Map<String, First> files = new HashMap<>();
    private final Map<String, Long> opensBefore = new HashMap<>();
    private final Set<String> archived = new HashSet<>();
    private State state = State.PLANNED;
    private Instant since;
    private boolean isBegun;
    private String reason = "";
    private double expected;
    private double served;

    Group(Instant planned, List<Plan.FileMoves> first, int all) {
      this.since = planned;
      this.all = all;
      for (Plan.FileMoves file : first) {
        Decision decision = file.decision();
        files.put(file.path(), new First(decision.hot().heat(), decision.target().lead()));
      }
    }

    /** But for what is to come back from ARCHIVE: that is no promotion. */
    Optional<Held> held() {
      if (state != State.WATCHED && state != State.DROPPED) {
        return Optional.empty();
      }
      Set<String> free = new HashSet<>(archived);
      free.addAll(files.keySet());
      return Optional.of(new Held(reason, free));
    }

    boolean isOver(Instant now) {
      return switch (state) {
        case PLANNED -> !isBegun && since.isBefore(now);
        case WATCHED -> false;
        case CONFIRMED, DROPPED -> !since.plus(settings.remember()).isAfter(now);
      };
    }

    boolean isWatchedEnough(Instant now) {
      return state == State.WATCHED && !since.plus(settings.watch()).isAfter(now);
    }

    void beginLook(Instant now) {
      archived.clear();
      if (state == State.WATCHED) {
        double seconds = Duration.between(since, now).toMillis() / 1e3;
        double ofHeat = Math.log(2) / (halfLife.toMillis() / 1e3) * seconds;
        expected =
            opensBefore.keySet().stream()
                .mapToDouble(path -> files.get(path).heat() * ofHeat)
                .sum();
        served = 0;
      }
    }

    void see(HotFile hot) {
      String path = hot.file().path();
      First first = files.get(path);
      if (first == null) {
        if (!isOn(hot, StorageType.DISK)) {
          archived.add(path);
        }
      } else if (state == State.WATCHED
          && opensBefore.containsKey(path)
          && isOn(hot, first.type())) {
        long now = opens.applyAsLong(path);
        long before = opensBefore.get(path);
        // Fewer than before: they were forgotten in between, and are counted anew.
        long more = Math.max(0, now < before ? now : now - before);
        served += more * readsOfAnOpen.applyAsDouble(hot.file());
      }
    }

    Change to(State next, String directory, Instant now) {
      state = next;
      since = now;
      String first = "the first " + files.size() + " of " + all + " files in " + directory;
      String numbers =
          String.format(Locale.ROOT, "%.0f reads of %.1f on their new tier", served, expected);
      if (next == State.WATCHED) {
        for (String path : files.keySet()) {
          long known = opens.applyAsLong(path);
          if (known >= 0) {
            opensBefore.put(path, known);
          }
        }
        reason = first + " are watched until " + now.plus(settings.watch());
      } else if (next == State.CONFIRMED) {
        reason = first + " had " + numbers + ": the others follow";
      } else {
        reason =
            first + " had " + numbers + ": the others stay until " + now.plus(settings.remember());
      }
      return new Change(directory, next, files.size(), expected, served, reason);
    }
  }

  /** Whether each block has a copy on the type, or a faster one. */
  private static boolean isOn(HotFile hot, StorageType type) {
    return hot.file().blocks().stream()
        .allMatch(block -> block.types().stream().anyMatch(own -> own.compareTo(type) >= 0));
  }
}
