// SPDX-License-Identifier: Apache-2.0
// What applications say of their data, and how right they were.
import { h, tags, useState } from "./lib.js";
import { useLive } from "./api.js";
import { Chart, List, When, samplesTable } from "./parts.js";
import * as words from "./words.js";

const { section, h2, form, label, input, div, button } = tags;

export function Hints() {
  const [typed, setTyped] = useState("");
  const [path, setPath] = useState("");
  return [
    section({ class: "wide" },
      h2(null, "Hints in force"),
      form({ onSubmit: (event) => {
        event.preventDefault();
        setPath(typed.trim());
      } },
        label(null, "Path", input({ value: typed, placeholder: "/warehouse/…", onInput: (e) => setTyped(e.target.value) })),
        div({ class: "actions" }, button({ type: "submit" }, "Find"))),
      h(List, {
        key: path,
        path: path ? `/hints?path=${encodeURIComponent(path)}` : "/hints",
        title: path ? `On ${path}, below it and above it` : "All owners' hints",
        empty: path ? `Nobody said anything about ${path}.` : "Nobody said anything about their data.",
        columns: [
          { name: "Asks for", of: (hint) => hint.op },
          { name: "Of", long: true, of: (hint) => `${hint.scope} ${hint.path ?? hint.target}` },
          { name: "Pattern", of: (hint) => hint.pattern },
          { name: "Wants", of: (hint) => hint.requirement },
          { name: "Temperature", of: (hint) => hint.temperature },
          { name: "Owner", of: (hint) => hint.owner },
          { name: "From", of: (hint) => h(When, { at: hint.starts ?? hint.given }) },
          { name: "Until", of: (hint) => h(When, { at: hint.expires }) },
        ],
      })),
    section({ class: "wide" },
      h2(null, "Owners"),
      h(Reliability),
      h(List, {
        path: "/hint-owners", size: 100, title: "How often what they said came true, and how far they are believed", empty: "No owner of a hint.",
        columns: [
          { name: "Owner", of: (owner) => owner.owner },
          { name: "Hints", number: true, of: (owner) => words.count(owner.hints) },
          { name: "Right", number: true, of: (owner) => words.count(owner.right) },
          { name: "Wrong", number: true, of: (owner) => words.count(owner.wrong) },
          { name: "Reliability", number: true, of: (owner) => words.share(owner.reliability) },
        ],
      })),
  ];
}

// How far owners were believed, with each plan: one who is right rises.
function Reliability() {
  const samples = useLive("/history?limit=500", 5).data?.items ?? [];
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample.owners)))].sort();
  if (names.length === 0) return null;
  const last = samples[samples.length - 1].owners;
  return h(Chart, {
    height: 220,
    words: `How far owners are believed over time; at last ${
      names.map((name) => `${name} ${last[name] == null ? "without hints" : words.share(last[name])}`).join(", ")}`,
    numbers: samplesTable("How far owners were believed", samples, names.map((name) => ({
      name, of: (sample) => sample.owners[name] == null ? "no hint" : words.share(sample.owners[name]),
    }))),
    option: {
      grid: { left: 4, right: 36, top: 40, bottom: 8, containLabel: true },
      legend: { top: 0, type: "scroll" },
      tooltip: { trigger: "axis", valueFormatter: (value) => value == null ? "no hint" : `${value.toFixed(1)} %` },
      xAxis: { type: "time" },
      yAxis: { type: "value", min: 0, max: 100, axisLabel: { formatter: "{value} %" } },
      series: names.map((name) => ({
        name, type: "line", showSymbol: samples.length < 3,
        data: samples.map((sample) => [sample.at, sample.owners[name] == null ? null : 100 * sample.owners[name]]),
      })),
    },
  });
}
