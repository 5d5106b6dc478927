// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.ChoicePolicies;
import io.thermocline.placement.choice.ChoicePolicy;
import io.thermocline.placement.choice.PublishedPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Whether and how a NameNode chooses among candidate placements. A bad value is a problem to be logged and
 * the default is used: a plugin never stops its host. Immutable.
 */
final class ChoiceSettings {
  /** How many candidate placements a block has; 1 is none to choose from. */
  static final String CANDIDATES_KEY = "thermocline.placement.choice.candidates";

  static final int CANDIDATES_DEFAULT = 1;

  /** Name of a published policy, or of a class. */
  static final String POLICY_KEY = "thermocline.placement.choice.policy";

  static final PublishedPolicy POLICY_DEFAULT = PublishedPolicy.SPACE;

  private final int candidates;
  private final ChoicePolicy policy;
  private final List<String> problems;

  private ChoiceSettings(int candidates, ChoicePolicy policy, List<String> problems) {
    this.candidates = candidates;
    this.policy = policy;
    this.problems = Collections.unmodifiableList(problems);
  }

  static ChoiceSettings of(Configuration conf) {
    List<String> problems = new ArrayList<>();
    return new ChoiceSettings(candidates(conf, problems), policy(conf, problems), problems);
  }

  /** 1 to {@link CandidateSets#MOST_CANDIDATES}. */
  int candidates() {
    return candidates;
  }

  /** Whether there is anything to choose from. */
  boolean isOn() {
    return candidates > 1;
  }

  ChoiceEngine engine() {
    return new ChoiceEngine(policy);
  }

  /** One sentence for each bad value, with what is used instead. */
  List<String> problems() {
    return problems;
  }

  private static int candidates(Configuration conf, List<String> problems) {
    String value = conf.getTrimmed(CANDIDATES_KEY);
    if (value == null) {
      return CANDIDATES_DEFAULT;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= CandidateSets.MOST_CANDIDATES) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of bounds.
    }
    problems.add(
        CANDIDATES_KEY
            + " = "
            + value
            + " is not a whole number from 1 to "
            + CandidateSets.MOST_CANDIDATES
            + "; using "
            + CANDIDATES_DEFAULT);
    return CANDIDATES_DEFAULT;
  }

  private static ChoicePolicy policy(Configuration conf, List<String> problems) {
    String value = conf.getTrimmed(POLICY_KEY);
    if (value == null) {
      return POLICY_DEFAULT;
    }
    try {
      return ChoicePolicies.named(value, conf.getClassLoader());
    } catch (IllegalArgumentException | LinkageError e) {
      problems.add(
          POLICY_KEY
              + " = "
              + value
              + ": "
              + e.getMessage()
              + "; using "
              + POLICY_DEFAULT.policyName());
      return POLICY_DEFAULT;
    }
  }
}
