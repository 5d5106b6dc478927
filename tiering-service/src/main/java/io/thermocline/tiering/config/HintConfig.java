// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.decide.PrefetchLimits;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.StaticHints;
import java.util.ArrayList;
import java.util.List;

/**
 * Section hints of thermocline.yaml.
 *
 * @param isOn whether hints count
 * @param scanPerPlan files and directories whose attributes are looked at with each plan, beside those that the logs
 *     tell of
 * @param prefetch room for what is prefetched
 * @param level of what is told by names and lengths alone
 * @param sizes upper ends of the ranges of sizes there, in bytes
 * @param smallBelow bytes of a file that counts as small there
 * @param operations what is done beside plans
 */
public record HintConfig(
    boolean isOn,
    HintSettings settings,
    int scanPerPlan,
    PrefetchLimits prefetch,
    StaticHints.Level level,
    List<Long> sizes,
    long smallBelow,
    HintOperations operations) {

  /** Nothing where hints are off. */
  public StaticHints names() {
    return new StaticHints(isOn() ? level : StaticHints.Level.OFF, sizes, smallBelow);
  }

  static HintConfig read(YamlSection section) {
    boolean isOn = section.isOn("enabled");
    HintSettings unset = HintSettings.DEFAULT;
    double hot = section.number("hot", unset.rates().hot());
    double warm = section.number("warm", unset.rates().warm());
    HintRates rates = unset.rates();
    if (warm > 0 && hot >= warm) {
      rates = new HintRates(hot, warm);
    } else {
      section.reject("hot", "expected at least as many reads a day as warm, and those above 0");
    }
    HintConfig config =
        new HintConfig(
            isOn,
            new HintSettings(
                rates,
                section.duration("maxLease", unset.maxLease()),
                section.integer("maxPerOwner", unset.maxPerOwner(), 1, 1_000_000),
                section.integer("maxTotal", unset.maxTotal(), 1, 10_000_000),
                section.integer("operationsPerOwner", unset.operationsPerOwner(), 1, 1_000_000),
                section.duration("askBefore", unset.askBefore()),
                section.duration("unusedAfter", unset.unusedAfter()),
                section.duration("answerWithin", unset.answerWithin())),
            section.integer("scanPerPlan", 1000, 0, 1_000_000),
            prefetch(section),
            section.choice("static", StaticHints.Level.OFF),
            sizes(section),
            section.bytes("smallBelow", 10L << 20),
            HintOperations.read(section));
    section.rejectUnknown();
    return config;
  }

  private static List<Long> sizes(YamlSection hints) {
    List<Long> sizes = new ArrayList<>();
    long last = 0;
    for (String text : hints.texts("sizes")) {
      Long size = YamlSection.toBytes(text);
      if (size == null || size <= last) {
        hints.reject("sizes", "expected sizes like 256 KB, each larger than the one before");
        return StaticHints.TABLE_2_2;
      }
      sizes.add(size);
      last = size;
    }
    return sizes.isEmpty() ? StaticHints.TABLE_2_2 : sizes;
  }

  private static PrefetchLimits prefetch(YamlSection hints) {
    YamlSection section = hints.section("prefetch");
    long most = section.bytes("maxBytes", 10L << 30);
    long perOwner = section.bytes("perOwner", 1L << 30);
    if (perOwner > most) {
      section.reject("perOwner", "expected no more than maxBytes");
      perOwner = most;
    }
    section.rejectUnknown();
    return new PrefetchLimits(most, perOwner);
  }
}
