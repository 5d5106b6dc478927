// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.tiering.cluster.LocalFiles;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.RulesFile;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.YamlFile;
import io.thermocline.tiering.rules.RuleSet;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules that hold now: those of the rules file, looked at before each plan, or of
 * thermocline.yaml where none is
 * named. A file with mistakes leaves the last good one in force. One thread reloads; any may
 * ask.
 */
public final class RulesInForce {

  private static final Logger LOG = LoggerFactory.getLogger(RulesInForce.class);

  /** Null where there is none. */
  private final Path file;

  /**
   * Of the rules in force. A file is short: to compare all of it costs less than to trust its
   * time.
   */
  private String good;

  private volatile RuleSet ruleSet;
  private volatile String problem = "";

  private RulesInForce(Path file, String good, RuleSet ruleSet) {
    this.file = file;
    this.good = good;
    this.ruleSet = ruleSet;
  }

  /**
   * @throws ConfigException where the rules file has mistakes: there is no good one yet
   */
  public static RulesInForce of(ServiceConfig config) throws ConfigException {
    ServiceConfig.Manage manage = config.manage();
    if (manage.rules() == null) {
      return new RulesInForce(
          null, "", RuleSet.of(manage.ignore(), manage.pin(), config.decide().caps()));
    }
    String text = YamlFile.text(manage.rules());
    return new RulesInForce(manage.rules(), text, RulesFile.parse(manage.rules().toString(), text));
  }

  /** As they were when they were looked at last. */
  public RuleSet ruleSet() {
    return ruleSet;
  }

  /** Takes those of another thermocline.yaml, unless a file of their own has them. */
  public void replace(ServiceConfig next) {
    ServiceConfig.Manage manage = next.manage();
    if (file == null && manage.rules() == null) {
      ruleSet = RuleSet.of(manage.ignore(), manage.pin(), next.decide().caps());
    }
  }

  /**
   * What is wrong with the file as it is now, so that an earlier one is in force; empty for
   * nothing.
   */
  public String problem() {
    return problem;
  }

  /** Takes the file as it is now, where it has no mistakes. */
  RuleSet reload() {
    if (file == null) {
      return ruleSet;
    }
    try {
      String text = YamlFile.text(file, LocalFiles::text);
      if (!text.equals(good)) {
        ruleSet = RulesFile.parse(file.toString(), text);
        good = text;
        LOG.info(
            "{} is in force: {} rules, {} caps",
            file,
            ruleSet.rules().size(),
            ruleSet.caps().size());
      }
      problem = "";
    } catch (ConfigException e) {
      String words = e.getMessage();
      if (!words.equals(problem)) {
        LOG.warn(
            "the rules that were in force before stay so, as the file has mistakes:\n{}", words);
      }
      problem = words;
    }
    return ruleSet;
  }
}
