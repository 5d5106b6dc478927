// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is done for hints beside plans: asking owners, moving what is hottest by the clock, and
 * leading new data elsewhere.
 */
public record HintOperations(Wakeups wakeups, Timer timer, Redirect redirect) {

  /**
   * How owners are told of questions.
   *
   * @param webhooks address by owner; {@link #ANYBODY} for those that have none
   * @param token file with what proves to them who asks; null for none
   */
  public record Wakeups(Map<String, URI> webhooks, Path token, Duration every, Duration timeout) {

    static final String ANYBODY = "*";

    /** Null where nobody is told. */
    public URI address(String owner) {
      return webhooks.getOrDefault(owner, webhooks.get(ANYBODY));
    }
  }

  /**
   * HintStor's timer: the hottest chunks go to the fastest type each time.
   *
   * @param every zero: never
   * @param chunks how many
   * @param chunk bytes of one
   * @param below directories; none: all that is managed
   */
  public record Timer(Duration every, int chunks, long chunk, List<String> below) {
    public Timer {
      below = List.copyOf(below);
    }
  }

  /**
   * When new data is led elsewhere, and where to.
   *
   * @param above transfer threads of a DataNode, on average; 0: never
   * @param policies storage policies by what is needed, that NameNodes place new files of hinted directories by
   */
  public record Redirect(double above, Map<Requirement, String> policies) {
    public Redirect {
      policies = Map.copyOf(policies);
    }

    private static final Map<Requirement, String> UNSET =
        Map.of(Requirement.LOW_LATENCY, "ONE_SSD", Requirement.CHEAP, "COLD");

    private static final Map<String, Requirement> KEYS =
        Map.of(
            "lowLatency", Requirement.LOW_LATENCY,
            "throughput", Requirement.THROUGHPUT,
            "cheap", Requirement.CHEAP);

    static Redirect read(YamlSection hints) {
      double queue = hints.number("redirectAbove", 0);
      if (queue < 0) {
        hints.reject("redirectAbove", "expected a number of transfer threads, or 0 for never");
      }
      YamlSection section = hints.section("redirect");
      Map<Requirement, String> policies = new EnumMap<>(UNSET);
      KEYS.forEach(
          (key, need) -> {
            String policy = section.text(key, UNSET.getOrDefault(need, ""));
            policies.put(need, policy);
            if (policy.isEmpty()) {
              policies.remove(need);
            } else if (!MoverConfig.POLICIES.contains(policy)) {
              section.reject(
                  key,
                  "expected one of " + String.join(", ", MoverConfig.POLICIES) + ", or nothing");
            } else if (policy.equals("HOT")) {
              section.reject(
                  key, "HOT is where new files go anyway: expected another policy, or nothing");
            }
          });
      section.rejectUnknown();
      return new Redirect(Math.max(0, queue), policies);
    }
  }

  /** Operations of which nothing would come, each with what to change so that something does. */
  public static Map<Operation, String> off(ServiceConfig config) {
    Map<Operation, String> off = new EnumMap<>(Operation.class);
    if (config.decide().chew().isPresent()) {
      String patterns = "decide.strategy: chew goes by patterns alone, thresholds takes it";
      off.put(Operation.REPLICATE, patterns);
      off.put(Operation.PREFETCH, patterns);
      return off;
    }
    if (config.decide().actions().limits().copies() == null) {
      off.put(Operation.REPLICATE, "turn decide.actions.replicas on");
    }
    if (config.hints().prefetch().most() == 0) {
      off.put(Operation.PREFETCH, "make hints.prefetch.maxBytes more than 0");
    }
    return off;
  }

  static HintOperations read(YamlSection hints) {
    YamlSection wakeup = hints.section("wakeup");
    Map<String, URI> webhooks = new TreeMap<>();
    YamlSection addresses = wakeup.section("webhooks");
    for (Map.Entry<String, String> each : addresses.pairs().entrySet()) {
      URI address = address(each.getValue());
      if (address == null) {
        addresses.reject(
            each.getKey(), "expected http://host/path or https://host/path, without a user");
      } else {
        webhooks.put(each.getKey(), address);
      }
    }
    String token = wakeup.text("token", "");
    Wakeups wakeups =
        new Wakeups(
            webhooks,
            token.isEmpty() ? null : Path.of(token),
            wakeup.duration("every", Duration.ofMinutes(1)),
            wakeup.duration("timeout", Duration.ofSeconds(5)));
    wakeup.rejectUnknown();
    YamlSection timer = hints.section("timer");
    Timer hottest =
        new Timer(
            timer.durationOrZero("every", Duration.ZERO),
            timer.integer("chunks", 1000, 1, 1_000_000),
            Math.max(1, timer.bytes("chunk", 128L << 20)),
            timer.texts("below"));
    timer.rejectUnknown();
    return new HintOperations(wakeups, hottest, Redirect.read(hints));
  }

  private static URI address(String text) {
    try {
      URI address = URI.create(text);
      String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
      boolean isWeb = scheme.equals("http") || scheme.equals("https");
      return isWeb && address.getHost() != null && address.getUserInfo() == null ? address : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
