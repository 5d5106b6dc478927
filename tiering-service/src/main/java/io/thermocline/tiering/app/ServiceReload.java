// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.RulesFile;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.config.YamlFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the service's own thermocline.yaml again. Thread-safe. */
final class ServiceReload implements ConfigReload {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceReload.class);

  /** Keys, or sections, that hold at once; rules of thermocline.yaml only where there is no rules file. */
  private static final List<String> AT_ONCE =
      List.of(
          "act.copies",
          "act.copiesPerNode",
          "act.bandwidthPerNode",
          "act.perType",
          "act.nameNodeOperations",
          "act.windows",
          "act.timeZone",
          "act.exclude");

  private static final List<String> RULES = List.of("manage.ignore", "manage.pin", "decide.caps");

  private final ServiceConfig started;
  private final Consumer<ServiceConfig> takes;
  private final Supplier<Tasks> tasks;
  private List<ConfigResource.Setting> inForce;

  /**
   * @param started what the service was started with
   * @param takes puts in force what holds at once
   * @param tasks where a reload is recorded, with who asked for it and why
   */
  ServiceReload(ServiceConfig started, Consumer<ServiceConfig> takes, Supplier<Tasks> tasks) {
    this.started = started;
    this.takes = takes;
    this.tasks = tasks;
    this.inForce = started.api().settings();
  }

  @Override
  public synchronized List<ConfigResource.Setting> settings() {
    return inForce;
  }

  @Override
  public synchronized Reloaded reload(boolean isMeant, String who, String why)
      throws ApiException, IOException {
    ServiceConfig next = read();
    List<Changed> changes = changes(next);
    boolean isAny = changes.stream().anyMatch(each -> each.from() == From.NOW);
    String words = words(changes);
    if (!isMeant || !isAny) {
      return new Reloaded(!isMeant, words, changes, Optional.empty());
    }
    Tasks.Running task =
        tasks.get().begin(new Tasks.Asked("reload", who, why), () -> new Tasks.Progress(1, 1));
    takes.accept(next);
    inForce = merged(next);
    task.end(Tasks.State.DONE, words);
    LOG.info("{} is reloaded for {}: {}: {}", started.api().file(), who, why, words);
    return new Reloaded(false, words, changes, Optional.of(task.id()));
  }

  private ServiceConfig read() throws ApiException {
    try {
      ServiceConfig next = ServiceConfigFile.read(started.api().file());
      if (next.manage().rules() != null) {
        RulesFile.parse(next.manage().rules().toString(), YamlFile.text(next.manage().rules()));
      }
      return next;
    } catch (ConfigException e) {
      throw new ApiException(
          ErrorCode.BAD_CONFIGURATION,
          e.getMessage(),
          started.api().file().toString(),
          "correct the file and reload again; the service goes on with the configuration it has");
    }
  }

  private List<Changed> changes(ServiceConfig next) {
    Map<String, String> before = values(inForce);
    Map<String, String> after = values(next.api().settings());
    Set<String> keys = new LinkedHashSet<>(after.keySet());
    keys.addAll(before.keySet());
    List<Changed> changes = new ArrayList<>();
    for (String key : keys) {
      Optional<String> was = Optional.ofNullable(before.get(key));
      Optional<String> will = Optional.ofNullable(after.get(key));
      if (!was.equals(will)) {
        changes.add(new Changed(key, was, will, isAtOnce(key, next) ? From.NOW : From.RESTART));
      }
    }
    return changes;
  }

  private boolean isAtOnce(String key, ServiceConfig next) {
    boolean hasRules = started.manage().rules() != null || next.manage().rules() != null;
    return AT_ONCE.stream().anyMatch(each -> isOf(key, each))
        || !hasRules && RULES.stream().anyMatch(each -> isOf(key, each));
  }

  private static boolean isOf(String key, String section) {
    return key.equals(section) || key.startsWith(section + ".") || key.startsWith(section + "[");
  }

  /** What needs a restart stays as it was. */
  private List<ConfigResource.Setting> merged(ServiceConfig next) {
    List<ConfigResource.Setting> all = new ArrayList<>();
    inForce.stream().filter(each -> !isAtOnce(each.key(), next)).forEach(all::add);
    next.api().settings().stream().filter(each -> isAtOnce(each.key(), next)).forEach(all::add);
    return List.copyOf(all);
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
                    + (each.from() == From.RESTART ? " (needs a restart)" : ""))
        .collect(Collectors.joining("; "));
  }
}
