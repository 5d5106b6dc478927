// SPDX-License-Identifier: Apache-2.0
// How the service is, how full the tiers are, and what serves the reads.
import { h, tags } from "./lib.js";
import { useLive } from "./api.js";
import { Chart, Nothing, Table, When, samplesTable } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, a, div, span, dl, dt, dd } = tags;

const COLOURS = { ARCHIVE: "#7a8794", DISK: "#3f88b5", SSD: "#e0a030", NVDIMM: "#d2562c", RAM_DISK: "#a13d7d" };

export function Overview({ state }) {
  const history = useLive("/history?limit=500", 5);
  const moves = useLive("/moves?limit=12", 2);
  const nodes = useLive("/nodes?limit=1000", 10);
  if (!state) return p({ class: "empty wide" }, "Asking the service …");
  const samples = history.data?.items ?? [];
  // HDFS knows nodes by an id, people by a name.
  const names = new Map((nodes.data?.items ?? []).map((node) => [node.uuid, node.name]));
  const named = (place) => {
    const [node, type] = place.split(" ");
    return `${names.get(node) ?? node} ${type}`;
  };
  return [
    h(Service, { state }),
    h(Tiers, { tiers: state.tiers }),
    h(Next),
    section({ class: "wide" },
      h2(null, "Reads, by the type that serves them (estimated)"),
      samples.length === 0
        ? h(Nothing, { live: history, words: "Nothing yet: a point is added with each plan." })
        : h(Reads, { samples })),
    section({ class: "wide" },
      h2(null, "The last moves"),
      h(Table, {
        live: moves, title: "Newest first", empty: "Nothing was moved yet.",
        columns: [
          { name: "State", of: (move) => span({ class: `tag ${move.state === "FAILED" ? "hot" : ""}` }, move.state.toLowerCase()) },
          { name: "File", long: true, of: (move) => move.path },
          { name: "From", of: (move) => named(move.from) },
          { name: "To", of: (move) => named(move.to) },
          { name: "Size", number: true, of: (move) => words.bytes(move.copiedBytes) },
          { name: "Since", number: true, of: (move) => h(When, { at: move.since }) },
          { name: "Why", long: true, of: (move) => move.detail },
        ],
      })),
  ];
}

// The plan that people are asked about, or that is under way.
const SHOWN = ["REPORTED", "WAITING", "APPROVED", "RUNNING"];
const MOST_FILES = 5;

function Next() {
  const plans = useLive("/plans?limit=20", 3);
  const plan = plans.data?.items.find((each) => SHOWN.includes(each.state));
  return section({ class: "wide" },
    h2(null, "What is planned, and why"),
    plan ? h(NextFiles, { key: plan.number, plan }) : h(Nothing, { live: plans, words: "No plan is open or under way." }));
}

function NextFiles({ plan }) {
  const files = useLive(`/plans/${plan.number}/files?limit=${MOST_FILES}`, 5);
  return [
    p(null, a({ href: `#/plans/${plan.number}` }, `Plan ${plan.number}`), " ",
      span({ class: `tag ${plan.state === "WAITING" ? "hot" : ""}` }, plan.state.toLowerCase()),
      ` ${words.count(plan.moves)} moves of ${words.count(plan.files)} files, ${words.bytes(plan.plannedBytes)}`),
    h(Table, {
      live: files, title: plan.files > MOST_FILES ? `The first ${MOST_FILES}` : "All of them", empty: "Not known any more.",
      columns: [
        { name: "File", long: true, of: (file) => file.path },
        { name: "To", long: true, of: (file) => file.target },
        { name: "Why", long: true, of: (file) => file.reason },
      ],
    }),
  ];
}

function Service({ state }) {
  const { observed, managed, moves, control } = state;
  const facts = [
    ["Says", state.message],
    ["Control", control.who ? `${control.state.toLowerCase()}, ${control.who}: ${control.why}` : control.state.toLowerCase()],
    ["Held up by", control.obstacle],
    ["Slowed", state.slowed],
    ["Instance", state.active ? "this one acts" : `standby; ${state.activeInstance ?? "nobody known"} acts`],
    ["Audit lines", `${words.count(observed.auditLines)}, ${words.count(observed.malformedLines)} malformed`],
    ["Complete", observed.completeShare == null ? "not known" : words.share(observed.completeShare)],
    ["Opens counted", `${words.count(observed.reads)} of ${words.count(observed.openLines)}; not counted: ${
      words.count(observed.scanOpens)} of scans, ${words.count(observed.maintenanceOpens)} of maintenance, ${
      words.count(observed.ownUserOpens)} by the service's own user, ${words.count(observed.secondOpens)} second opens of Spark tasks, ${
      words.count(observed.refusedOpens)} refused, ${words.count(observed.redirectedOpens)} of WebHDFS (counted where DataNodes open the files), ${words.count(observed.otherNameserviceOpens)} of other nameservices`],
    ["Reads in DataNodes' logs", observed.measured.map((one) => one.ratio == null ? `${one.readers}: not estimated`
      : `${one.readers}: ${one.ratio.toFixed(2)} times the estimate`).join("; ")],
    ["Files managed", `${words.count(managed.files)}, ${words.count(managed.leftAlone)} left to who set their policy`],
    ["Plans", words.count(managed.plans)],
    ["Moves", `${words.count(moves.planned)} planned, ${words.count(moves.running)} running, ${words.count(moves.verified)} verified, ${
      words.count(moves.failed)} failed, ${words.count(moves.dropped)} dropped; ${words.bytes(moves.movedBytes)}`],
    ["Can't be known", state.unknown.join("; ")],
    ["Rules", state.rulesProblem ?? ""],
    ["Read order", state.readOrder ?? ""],
    ["Reads by DataNode", state.served == null ? ""
      : `${words.share(state.served.differenceShare)} of the bytes from other DataNodes than estimated. ${state.served.finding ?? ""}`],
  ];
  return section(null, h2(null, "Service"),
    dl({ class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => [dt(null, name), dd(null, value)])));
}

function Tiers({ tiers }) {
  return section(null, h2(null, "Tiers"),
    tiers.length === 0 && p({ class: "empty" }, "Not known before the first plan."),
    tiers.map((tier) => {
      const marks = [tier.lowerWatermarkShare, tier.upperWatermarkShare].filter((mark) => mark != null);
      const said = `${tier.type}: ${words.bytes(tier.usedBytes)} of ${words.bytes(tier.capacityBytes)}, ${words.share(tier.usedShare)} full${
        marks.length === 2 ? `; watermarks ${words.share(marks[0])} and ${words.share(marks[1])}` : ""}`;
      return div({ class: "tier", key: tier.type },
        div({ class: "head" }, span(null, tier.type), span({ class: "soft" }, said.slice(tier.type.length + 2))),
        div({ class: "bar", role: "img", "aria-label": said },
          span({ class: "fill", style: { width: `${100 * Math.min(1, tier.usedShare)}%` } }),
          marks.map((mark) => span({ class: "mark", key: mark, style: { left: `${100 * mark}%` } }))));
    }));
}

function Reads({ samples }) {
  const types = Object.keys(COLOURS).filter((type) => samples.some((sample) => sample.readShares[type] > 0));
  const last = samples[samples.length - 1];
  return h(Chart, {
    words: `Share of disk time by storage type over time; at last ${
      types.map((type) => `${type} ${words.share(last.readShares[type] ?? 0)}`).join(", ")}`,
    numbers: samplesTable("Share of disk time, by the type that serves it", samples, types.map((type) => ({
      name: type, of: (sample) => words.share(sample.readShares[type] ?? 0),
    }))),
    option: {
      grid: { left: 4, right: 36, top: 40, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: "axis", valueFormatter: (value) => value == null ? "no reads" : `${value.toFixed(1)} %` },
      xAxis: { type: "time" },
      yAxis: { type: "value", max: 100, axisLabel: { formatter: "{value} %" } },
      series: types.map((type) => ({
        name: type, type: "line", stack: "all", areaStyle: { opacity: 0.75 }, showSymbol: samples.length < 3, color: COLOURS[type],
        // Before anything was read there are no shares.
        data: samples.map((sample) =>
          [sample.at, Object.values(sample.readShares).some((share) => share > 0) ? 100 * (sample.readShares[type] ?? 0) : null]),
      })),
    },
  });
}
