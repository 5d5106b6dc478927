// SPDX-License-Identifier: Apache-2.0
// What administrators said of paths, what that is about, and what other rules would change.
import { h, tags, useState } from "./lib.js";
import { post } from "./api.js";
import { List, Notice, Table } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, form, label, textarea, div, button } = tags;

const EXAMPLE = "version: 1\nrules:\n  - {name: old partitions, paths: [/warehouse/**], olderThan: 90d, atMost: COLD}\n";

export function Rules({ state }) {
  return [
    section({ class: "wide" },
      h2(null, "Rules in force"),
      h(Notice, { error: state?.rulesProblem ? { message: state.rulesProblem } : null }),
      h(List, {
        path: "/rules", title: "The highest priority first; files as of the last plan", empty: "There are none.",
        columns: [
          { name: "Rule", of: (rule) => rule.name },
          { name: "Says", long: true, of: (rule) => rule.says },
          { name: "About", long: true, of: (rule) => rule.about },
          { name: "Priority", number: true, of: (rule) => rule.priority },
          { name: "Files", number: true, of: (rule) => words.count(rule.files) },
          { name: "Followed by", number: true, of: (rule) => words.count(rule.followedFiles) },
          { name: "Size", number: true, of: (rule) => words.bytes(rule.sizeBytes) },
          { name: "Such as", long: true, of: (rule) => rule.examples.join(", ") },
          { name: "In", of: (rule) => rule.place },
        ],
      })),
    h(Check),
  ];
}

function Check() {
  const [text, setText] = useState(EXAMPLE);
  const [shown, setShown] = useState({});
  const check = async (event) => {
    event.preventDefault();
    try {
      setShown({ checked: await post("/rules/check", { text }) });
    } catch (error) {
      setShown({ error });
    }
  };
  const { checked, error } = shown;
  return section({ class: "wide" },
    h2(null, "Try other rules"),
    form({ onSubmit: check },
      label(null, "A rules file (changes nothing)",
        textarea({ rows: 8, spellcheck: false, value: text, onInput: (event) => setText(event.target.value) })),
      div({ class: "actions" }, button({ type: "submit" }, "Check"))),
    div({ "aria-live": "polite" },
      h(Notice, { error }),
      checked && p(null, `${words.count(checked.rules)} rules, fine; ${words.count(checked.files)} files looked at.`),
      checked && h(Table, {
        title: "What would change", rows: checked.changes, empty: "Nothing would change.",
        columns: [
          { name: "Files", number: true, of: (change) => words.count(change.files) },
          { name: "Size", number: true, of: (change) => words.bytes(change.sizeBytes) },
          { name: "Now", long: true, of: (change) => change.before },
          { name: "Then", long: true, of: (change) => change.after },
          { name: "Moves", of: (change) => change.move || "none" },
          { name: "Such as", long: true, of: (change) => change.examples.join(", ") },
        ],
      })));
}
