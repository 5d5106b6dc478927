// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.rules.PathRule;
import io.thermocline.tiering.rules.RuleBook;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is configured, and the rules in force. */
public final class ConfigResource implements Resource {

  private final List<Setting> settings;
  private final Supplier<RuleBook> rules;

  /** A key of thermocline.yaml. */
  public record Setting(
      String key,
      @JsonPropertyDescription("*** where it may be a secret") String value,
      @JsonPropertyDescription("whether the file says so, or it is the default") Source source) {}

  /** Where a value comes from. */
  public enum Source {
    FILE,
    DEFAULT
  }

  /** A rule in force, or a pattern of thermocline.yaml. */
  public record RuleInForce(String name, int priority, String says, String about, String place) {}

  public ConfigResource(List<Setting> settings, Supplier<RuleBook> rules) {
    this.settings = List.copyOf(settings);
    this.rules = rules;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/config", "The configuration in effect, key by key.")
            .needs(Role.OPERATOR)
            .answersPage(Setting.class, request -> Page.of(request, settings, Function.identity())),
        Route.get("/rules", "The rules in force, as of the last plan.")
            .answersPage(
                RuleInForce.class,
                request -> Page.of(request, rules.get().rules(), ConfigResource::rule)));
  }

  private static RuleInForce rule(PathRule rule) {
    return new RuleInForce(
        rule.name(),
        rule.priority(),
        rule.says().toString(),
        rule.match().toString(),
        rule.place());
  }
}
