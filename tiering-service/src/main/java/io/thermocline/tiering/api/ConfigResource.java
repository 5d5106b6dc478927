// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.PathRule;
import io.thermocline.tiering.rules.RuleSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is configured, and the rules in force. */
public final class ConfigResource implements Resource {

  private final ConfigReload configuration;
  private final Supplier<RuleSet> rules;
  private final Parser parser;
  private final Heats heats;
  private final Semaphore checking = new Semaphore(1);

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
  public record RuleInForce(
      String name,
      int priority,
      String says,
      String about,
      String place,
      @JsonPropertyDescription(
              "that it covers, of those that the last plan was made of: what is ignored isn't looked at")
          long files,
      @JsonPropertyDescription("of all their copies") long sizeBytes,
      @JsonPropertyDescription("where no rule of higher priority says otherwise")
          long followedFiles,
      @JsonPropertyDescription("some of them") List<String> examples) {}

  /** Rules as a file has them. */
  public record RulesText(
      @JsonPropertyDescription("of a rules file, at most 64 KiB") String text) {}

  /** What rules would change of the files that the last plan was made of. */
  public record RulesChange(
      String before,
      String after,
      @JsonPropertyDescription("where their fastest copies would go; empty where they wouldn't")
          String move,
      long files,
      @JsonPropertyDescription("of all their copies") long sizeBytes,
      @JsonPropertyDescription("some of them") List<String> examples) {}

  /** Rules that are fine. */
  public record RulesChecked(
      long rules,
      @JsonPropertyDescription("that were looked at") long files,
      List<RulesChange> changes) {}

  /** Makes rules of a file's text. */
  @FunctionalInterface
  public interface Parser {
    /**
     * @throws ApiException BAD_FIELD with all that is wrong with it
     */
    RuleSet parse(String text) throws ApiException;
  }

  public ConfigResource(
      ConfigReload configuration, Supplier<RuleSet> rules, Parser parser, Heats heats) {
    this.configuration = configuration;
    this.rules = rules;
    this.parser = parser;
    this.heats = heats;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/config", "The configuration in effect, key by key.")
            .needs(Role.OPERATOR)
            .answersPage(
                Setting.class,
                request -> Page.of(request, configuration.settings(), Function.identity())),
        Route.post(
                "/config/reload",
                "Reads thermocline.yaml again: checks it, and takes up what may change while the service runs.",
                Command.class)
            .needs(Role.ADMINISTRATOR)
            .fails(ErrorCode.BAD_CONFIGURATION)
            .answers(
                ConfigReload.Reloaded.class,
                request -> {
                  Command command = request.body(Command.class);
                  return configuration.reload(
                      command.isMeant(), request.caller().name(), command.why());
                }),
        Route.get("/rules", "The rules in force, as of the last plan.")
            .answersPage(
                RuleInForce.class,
                request -> {
                  RuleSet ruleSet = rules.get();
                  Impact impact = heats.impact(ruleSet);
                  return Page.of(request, ruleSet.rules(), rule -> inForce(rule, impact));
                }),
        Route.post("/rules/check", "What rules would change; changes nothing.", RulesText.class)
            .needs(Role.VIEWER)
            .answers(RulesChecked.class, this::checkAlone));
  }

  /** One at a time: each holds all files against all patterns. */
  private RulesChecked checkAlone(Request request) throws ApiException {
    if (!checking.tryAcquire()) {
      throw ApiServer.busy("other rules are being checked");
    }
    try {
      return check(request);
    } finally {
      checking.release();
    }
  }

  private RulesChecked check(Request request) throws ApiException {
    String text = request.body(RulesText.class).text();
    if (text == null) {
      throw new ApiException(
          ErrorCode.MISSING_FIELD, "the body has no text", "text", "send that of a rules file");
    }
    RuleSet ruleSet = parser.parse(text);
    Impact impact = impact(ruleSet);
    return new RulesChecked(
        ruleSet.rules().size(),
        impact.seen().files(),
        impact.changes().stream()
            .map(
                each ->
                    new RulesChange(
                        each.getKey().before(),
                        each.getKey().after(),
                        each.getKey().move(),
                        each.getValue().files(),
                        each.getValue().bytes(),
                        each.getValue().examples()))
            .toList());
  }

  private Impact impact(RuleSet ruleSet) throws ApiException {
    try {
      return heats.impact(ruleSet);
    } catch (Impact.TooLongException e) {
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          e.getMessage(),
          "text",
          "use fewer rules and wildcards, or run \"thermocline rules check\"");
    }
  }

  private static RuleInForce inForce(PathRule rule, Impact impact) {
    Impact.Tally matched = impact.matched().get(rule);
    return new RuleInForce(
        rule.name(),
        rule.priority(),
        words(rule.says()),
        rule.match().words(),
        rule.place(),
        matched.files(),
        matched.bytes(),
        impact.followed().get(rule).files(),
        matched.examples());
  }

  private static String words(PathRule.Says says) {
    if (says instanceof PathRule.Place place) {
      return Stream.concat(
              place.atLeast().map(type -> "at least " + type).stream(),
              place.atMost().map(type -> "at most " + type).stream())
          .collect(Collectors.joining(" and "));
    }
    return says instanceof PathRule.MoveOnly only
        ? "moved only " + only.words()
        : says.toString().toLowerCase(Locale.ROOT);
  }
}
