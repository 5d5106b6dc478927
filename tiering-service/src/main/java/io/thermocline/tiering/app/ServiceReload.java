// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the service's own thermocline.yaml again. Some keys hold at once; what goes by the others is rebuilt between two
 * plans, but for what needs a restart. Thread-safe.
 */
final class ServiceReload implements ConfigReload {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceReload.class);

  /** Keys, or sections, that hold at once; rules of thermocline.yaml only where there is no rules file. */
  private static final List<String> AT_ONCE =
      List.of(
          "act.maxConcurrentCopies",
          "act.maxConcurrentCopiesPerNode",
          "act.bandwidthPerNode",
          "act.perType",
          "act.nameNodeOperations",
          "act.windows",
          "act.timeZone",
          "act.exclude");

  private static final List<String> RULES = List.of("manage.ignore", "manage.pin", "decide.caps");

  private static final String HIDDEN = "***";

  /** Whose configuration it is. */
  interface Service {

    /** Where a reload is recorded, with who asked for it and why. */
    Tasks tasks();

    /**
     * Looks whether the service can run by it. Changes nothing.
     *
     * @throws ConfigException where it can't, with all that is wrong
     * @throws IOException the same, in one line
     */
    void check(ServiceConfig next) throws ConfigException, IOException, InterruptedException;

    /** Puts in force what holds at once. */
    void limit(ServiceConfig next);

    /**
     * Has something done between two plans.
     *
     * @return whether that is done; else it will be when the plan that is being carried out has ended
     */
    boolean betweenPlans(Callable<Void> order) throws IOException, InterruptedException;

    /**
     * Rebuilds what runs by a configuration. To be called between two plans.
     *
     * @param before what the service goes on by where that fails
     * @throws ConfigException where it fails
     * @throws IOException the same
     */
    void renew(ServiceConfig next, ServiceConfig before)
        throws ConfigException, IOException, InterruptedException;
  }

  /**
   * A configuration, and its keys.
   *
   * @param hidden by key, a hash of each value that settings don't show
   */
  private record State(
      ServiceConfig config, List<ConfigResource.Setting> settings, Map<String, Integer> hidden) {}

  private final ServiceConfig started;
  private final Service service;
  private volatile State inForce;

  /** What is to be in force after the plan that is being carried out. */
  private volatile State wanted;

  /**
   * @param started what the service was started with
   */
  ServiceReload(ServiceConfig started, Service service) {
    this.started = started;
    this.service = service;
    this.inForce = new State(started, started.api().settings(), started.api().hidden());
    this.wanted = inForce;
  }

  @Override
  public List<ConfigResource.Setting> settings() {
    return inForce.settings();
  }

  @Override
  public synchronized Reloaded reload(boolean isMeant, String who, String why)
      throws ApiException, IOException, InterruptedException {
    State before = inForce;
    ServiceConfig file = read();
    List<Changed> changes = changes(before, file);
    String words = words(changes);
    boolean isAny = changes.stream().anyMatch(each -> each.from() != From.RESTART);
    if (isAny) {
      check(before.config().reloaded(file));
    }
    if (isMeant) {
      // What waits to be taken up isn't what the file says any more.
      wanted = before;
    }
    if (!isMeant || !isAny) {
      return new Reloaded(!isMeant, words, changes, Optional.empty());
    }
    boolean isAtOnce = changes.stream().noneMatch(each -> each.from() == From.NEXT_PLAN);
    State next =
        new State(
            before.config().reloaded(file),
            merged(before, file, EnumSet.of(From.NOW, From.NEXT_PLAN)),
            hidden(before, file));
    Tasks.Running task =
        service.tasks().begin(new Tasks.Asked("reload", who, why), () -> new Tasks.Progress(1, 1));
    LOG.info("{} is reloaded for {}: {}: {}", started.api().file(), who, why, words);
    service.limit(next.config());
    wanted = next;
    if (isAtOnce) {
      inForce = next;
      task.end(Tasks.State.DONE, words);
      return new Reloaded(false, words, changes, Optional.of(task.id()));
    }
    inForce =
        new State(before.config(), merged(before, file, EnumSet.of(From.NOW)), before.hidden());
    boolean isDone;
    try {
      isDone =
          service.betweenPlans(
              () -> {
                takeUp(before, task, words);
                return null;
              });
    } catch (IOException e) {
      throw refused("the service can't run by it: " + e.getMessage());
    }
    return new Reloaded(
        false,
        words
            + (isDone
                ? ""
                : "; a plan is being carried out: the rest changes when that has ended, as task "
                    + task.id()
                    + " will show"),
        changes,
        Optional.of(task.id()));
  }

  private void takeUp(State before, Tasks.Running task, String words)
      throws IOException, InterruptedException {
    // Somebody may have reloaded yet another file meanwhile.
    State next = wanted;
    try {
      if (!next.config().equals(before.config())) {
        service.renew(next.config(), before.config());
      }
      inForce = next;
      task.end(Tasks.State.DONE, words);
    } catch (ConfigException | IOException | RuntimeException e) {
      inForce = before;
      wanted = before;
      String failure = CommandLines.explain(e);
      task.end(Tasks.State.FAILED, failure);
      throw new IOException(failure, e);
    }
  }

  private ServiceConfig read() throws ApiException {
    try {
      return ServiceConfigFile.read(started.api().file());
    } catch (ConfigException e) {
      throw refused(e.getMessage());
    }
  }

  private void check(ServiceConfig next) throws ApiException, InterruptedException {
    try {
      service.check(next);
    } catch (ConfigException e) {
      throw refused(e.getMessage());
    } catch (IOException e) {
      throw refused(CommandLines.explain(e));
    }
  }

  private ApiException refused(String message) {
    return new ApiException(
        ErrorCode.BAD_CONFIGURATION,
        message,
        started.api().file().toString(),
        "correct the file and reload again; the service goes on with the configuration it has");
  }

  private static List<Changed> changes(State before, ServiceConfig file) {
    Map<String, String> was = values(before.settings());
    Map<String, String> will = values(file.api().settings());
    Set<String> keys = new LinkedHashSet<>(will.keySet());
    keys.addAll(was.keySet());
    List<Changed> changes = new ArrayList<>();
    for (String key : keys) {
      Optional<String> one = Optional.ofNullable(was.get(key));
      Optional<String> other = Optional.ofNullable(will.get(key));
      if (!one.equals(other)) {
        changes.add(new Changed(key, one, other, from(key, before.config(), file)));
      }
    }
    unseen(before.hidden(), before.config(), file).stream()
        .filter(each -> changes.stream().noneMatch(seen -> seen.key().equals(each.key())))
        .toList()
        .forEach(changes::add);
    return changes;
  }

  /** What has another value, but says the same: secrets, and a file's name. */
  private static List<Changed> unseen(
      Map<String, Integer> was, ServiceConfig before, ServiceConfig file) {
    List<Changed> changes = new ArrayList<>();
    Map<String, Integer> hidden = file.api().hidden();
    was.forEach(
        (key, hash) -> {
          if (hidden.containsKey(key) && !hidden.get(key).equals(hash)) {
            Optional<String> shown = Optional.of(HIDDEN);
            changes.add(new Changed(key, shown, shown, from(key, before, file)));
          }
        });
    String chew = "decide.chew";
    if (before.decide().chew().isPresent()
        && file.decide().chew().isPresent()
        && !before.decide().chew().equals(file.decide().chew())) {
      changes.add(
          new Changed(
              chew,
              Optional.of("the file as it was read"),
              Optional.of("the file as it is"),
              from(chew, before, file)));
    }
    return changes;
  }

  /** With another mover, or none, other keys may be wrong: then all of the file waits for the restart. */
  private static From from(String key, ServiceConfig before, ServiceConfig file) {
    boolean hasRules = before.manage().rules() != null || file.manage().rules() != null;
    if (!Objects.equals(before.hdfs().mover(), file.hdfs().mover())
        || isAny(ServiceConfig.RESTART, key)) {
      return From.RESTART;
    }
    return isAny(AT_ONCE, key) || !hasRules && isAny(RULES, key) ? From.NOW : From.NEXT_PLAN;
  }

  private static boolean isAny(List<String> sections, String key) {
    return sections.stream()
        .anyMatch(
            each -> key.equals(each) || key.startsWith(each + ".") || key.startsWith(each + "["));
  }

  /** What the file says of keys that hold by then, and the rest as it was. */
  private static List<ConfigResource.Setting> merged(
      State before, ServiceConfig file, Set<From> taken) {
    List<ConfigResource.Setting> all = new ArrayList<>();
    for (ConfigResource.Setting each : before.settings()) {
      if (!taken.contains(from(each.key(), before.config(), file))) {
        all.add(each);
      }
    }
    for (ConfigResource.Setting each : file.api().settings()) {
      if (taken.contains(from(each.key(), before.config(), file))) {
        all.add(each);
      }
    }
    return List.copyOf(all);
  }

  /** Of those that the file gives another value, those that hold without a restart. */
  private static Map<String, Integer> hidden(State before, ServiceConfig file) {
    Map<String, Integer> all = new HashMap<>(file.api().hidden());
    all.keySet().removeIf(key -> from(key, before.config(), file) == From.RESTART);
    before
        .hidden()
        .forEach(
            (key, hash) -> {
              if (from(key, before.config(), file) == From.RESTART) {
                all.put(key, hash);
              }
            });
    return Map.copyOf(all);
  }

  private static Map<String, String> values(List<ConfigResource.Setting> settings) {
    Map<String, String> values = new LinkedHashMap<>();
    settings.forEach(each -> values.put(each.key(), each.value()));
    return values;
  }

  private static String words(List<Changed> changes) {
    if (changes.isEmpty()) {
      return "nothing changes: the file says what is in force";
    }
    return changes.stream()
        .map(
            each ->
                each.key()
                    + ": "
                    + each.before().orElse("(none)")
                    + " -> "
                    + each.after().orElse("(none)")
                    + switch (each.from()) {
                      case NOW -> "";
                      case NEXT_PLAN -> " (from the next plan on)";
                      case RESTART -> " (needs a restart)";
                    })
        .collect(Collectors.joining("; "));
  }
}
