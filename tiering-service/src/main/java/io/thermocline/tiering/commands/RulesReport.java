// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.PathRule;
import io.thermocline.tiering.rules.RuleSet;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.StringUtils;

/** What a rules file comes to, for people and for programs. */
final class RulesReport {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final RuleSet ruleSet;

  RulesReport(Path file, RuleSet ruleSet) {
    this.file = file;
    this.ruleSet = ruleSet;
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%s: fine: %d rules, %d caps",
        file,
        ruleSet.rules().size(),
        ruleSet.caps().size());
  }

  /**
   * @param leftAlone files that somebody else set a storage policy on
   * @param inForce what the rules before were
   */
  String text(Impact impact, long leftAlone, String inForce) {
    List<String> lines = new ArrayList<>();
    lines.add(text());
    lines.add(
        words(impact.seen()) + "; " + leftAlone + " more have a storage policy that somebody set");
    lines.add("");
    for (Map.Entry<PathRule, Impact.Tally> rule : impact.matched().entrySet()) {
      lines.add(rule.getKey() + ", priority " + rule.getKey().priority());
      lines.add("  is about " + words(rule.getValue()));
      Impact.Tally followed = impact.followed().get(rule.getKey());
      lines.add("  is followed for " + words(followed) + examples(followed));
    }
    lines.add("");
    lines.add("Changes against " + inForce + ":");
    for (Map.Entry<Impact.Change, Impact.Tally> change : impact.changes()) {
      Impact.Change what = change.getKey();
      lines.add(
          "  "
              + words(change.getValue())
              + ": "
              + what.before()
              + " -> "
              + what.after()
              + (what.move().isEmpty() ? "" : "; from " + what.move())
              + examples(change.getValue()));
    }
    if (impact.changes().isEmpty()) {
      lines.add("  none");
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String words(Impact.Tally tally) {
    return String.format(
        Locale.ROOT,
        "%,d %s, %s",
        tally.files(),
        tally.files() == 1 ? "file" : "files",
        StringUtils.TraditionalBinaryPrefix.long2String(tally.bytes(), "B", 1));
  }

  private static String examples(Impact.Tally tally) {
    return tally.examples().isEmpty() ? "" : " (" + String.join(", ", tally.examples()) + ")";
  }

  String json() {
    return write(root());
  }

  String json(Impact impact, long leftAlone) {
    ObjectNode root = root();
    tally(root.putObject("seen"), impact.seen());
    root.put("leftAlone", leftAlone);
    ArrayNode rules = root.putArray("matched");
    impact
        .matched()
        .forEach(
            (rule, matched) -> {
              ObjectNode node = rules.addObject();
              node.put("rule", rule.name());
              node.put("place", rule.place());
              node.put("priority", rule.priority());
              tally(node.putObject("matches"), matched);
              tally(node.putObject("followed"), impact.followed().get(rule));
            });
    ArrayNode changes = root.putArray("changes");
    for (Map.Entry<Impact.Change, Impact.Tally> change : impact.changes()) {
      ObjectNode node = changes.addObject();
      node.put("before", change.getKey().before());
      node.put("after", change.getKey().after());
      node.put("move", change.getKey().move());
      tally(node, change.getValue());
    }
    return write(root);
  }

  private ObjectNode root() {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("file", file.toString());
    root.put("rules", ruleSet.rules().size());
    root.put("caps", ruleSet.caps().size());
    return root;
  }

  private static void tally(ObjectNode node, Impact.Tally tally) {
    node.put("files", tally.files());
    node.put("bytes", tally.bytes());
    ArrayNode examples = node.putArray("examples");
    tally.examples().forEach(examples::add);
  }

  private static String write(ObjectNode root) {
    try {
      return MAPPER.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      // Cannot happen: it is made of texts and numbers.
      throw new UncheckedIOException(e);
    }
  }
}
