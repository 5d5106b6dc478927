// SPDX-License-Identifier: Apache-2.0
// What the fast types serve, what that costs, and which moves, made or not made, were mispredictions.
import { h, tags, useState } from "./lib.js";
import { useLive } from "./api.js";
import { Chart, Day, Nothing, Notice, Table, When, samplesTable } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, div, strong, span, label, select, option } = tags;

const FAST = ["SSD", "NVDIMM", "RAM_DISK"];
const fastOf = (shares) => FAST.reduce((sum, type) => sum + (shares[type] ?? 0), 0);

export function Savings({ state }) {
  const history = useLive("/history?limit=500", 5);
  const days = useLive("/savings?limit=60", 10);
  const imagined = useLive("/shadow?limit=60", 10);
  const samples = history.data?.items ?? [];
  const counted = days.data?.items ?? [];
  const reported = imagined.data?.items ?? [];
  const applies = state?.mode === "APPLY" || counted.length > 0;
  return [
    section({ class: "wide" },
      h2(null, "What the fast types serve"),
      samples.length === 0
        ? h(Nothing, { live: history, words: "Nothing yet: a point is added with each plan." })
        : [h(Tiles, { sample: samples[samples.length - 1], state, today: counted[0] }), h(Curves, { samples })]),
    applies && section({ class: "wide" },
      h2(null, "What it cost, day by day"),
      h(Table, {
        live: days, title: "Reads, and the moves that were made for them",
        empty: "Nothing yet: it is counted with each plan.",
        columns: [
          { name: "Day", head: true, of: (each) => h(Day, { on: each.day }) },
          { name: "Reads", number: true, of: (each) => words.count(each.reads) },
          { name: "From fast types (estimated)", number: true, of: (each) => words.share(each.fastShare) },
          { name: "Bytes from fast types (measured)", number: true,
            of: (each) => (each.measured == null ? "no log" : words.share(each.measured.fastShare)) },
          { name: "Readers waited", number: true, of: (each) => words.duration(each.readSeconds) },
          { name: "On DISK they would have", number: true, of: (each) => words.duration(each.readOfDiskSeconds) },
          { name: "Moves", number: true, of: (each) => words.count(each.moves) },
          { name: "Copies", number: true, of: (each) => words.bytes(each.copiedBytes) },
          { name: "Devices were busy", number: true, of: (each) => words.duration(each.copySeconds) },
          { name: "Failed", number: true, of: (each) => words.count(each.failedMoves) },
          { name: "Mispredictions", number: true, of: (each) => words.count(each.mispredictions) },
        ],
      })),
    counted.length > 0 && h(OneOf, { page: Counted, days: counted }),
    (!applies || reported.length > 0) && section({ class: "wide" },
      h2(null, "Shadow mode, day by day"),
      h(Table, {
        live: imagined, title: "What was, and what would have been",
        empty: "No report: a service in shadow mode writes one for each day.",
        columns: [
          { name: "Day", head: true, of: (each) => h(Day, { on: each.day }) },
          { name: "Reads", number: true, of: (each) => words.count(each.reads) },
          { name: "From fast types (estimated)", number: true, of: (each) => words.share(each.fastShare) },
          { name: "Would have been", number: true, of: (each) => words.share(each.fastIfShare) },
          { name: "Readers waited", number: true, of: (each) => words.duration(each.readSeconds) },
          { name: "Would have", number: true, of: (each) => words.duration(each.readIfSeconds) },
          { name: "Moves", number: true, of: (each) => words.count(each.moves) },
          { name: "Copies", number: true, of: (each) => words.bytes(each.copiedBytes) },
        ],
      })),
    reported.length > 0 && h(OneOf, { page: Imagined, days: reported }),
  ];
}

// A day of those that there are, the newest first.
function OneOf({ page, days }) {
  const [chosen, setChosen] = useState("");
  const day = chosen || days[0].day;
  const choose = label(null, "Day", select({ value: day, onChange: (event) => setChosen(event.target.value) },
    days.map((each) => option({ key: each.day, value: each.day }, words.day(each.day)))));
  return h(page, { key: day, day, choose });
}

function Tiles({ sample, state, today }) {
  const tiles = [
    ["of the disk time is served by fast types (estimated)", words.share(fastOf(sample.readShares))],
    ...FAST.filter((type) => sample.usedShares[type] != null).map((type) =>
      [`of ${type} is in use`, words.share(sample.usedShares[type])]),
    ...(state
      ? [["were copied by moves since the start", words.bytes(state.moves.movedBytes)],
         ["moves failed or were dropped", words.count(state.moves.failed + state.moves.dropped)]]
      : []),
    ...(today
      ? [[`less to wait on ${words.day(today.day)} than on DISK`, words.duration(today.readOfDiskSeconds - today.readSeconds)],
         [`moves were mispredictions on ${words.day(today.day)}`, words.count(today.mispredictions)]]
      : []),
  ];
  return div({ class: "tiles" }, tiles.map(([name, value]) => div({ class: "tile", key: name }, strong(null, value), span(null, name))));
}

function Curves({ samples }) {
  const last = samples[samples.length - 1];
  return h(Chart, {
    words: `Share of disk time that fast types serve, and how full they are, over time; at last ${words.share(fastOf(last.readShares))} of it`,
    numbers: samplesTable("Disk time that fast types serve, and how full they are", samples, [
      { name: "Disk time served", of: (sample) => words.share(fastOf(sample.readShares)) },
      ...FAST.filter((type) => samples.some((sample) => sample.usedShares[type] != null)).map((type) =>
        ({ name: `${type} in use`, of: (sample) => words.share(sample.usedShares[type] ?? 0) })),
    ]),
    option: {
      grid: { left: 4, right: 36, top: 40, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: "axis", valueFormatter: (value) => `${value.toFixed(1)} %` },
      xAxis: { type: "time" },
      yAxis: { type: "value", max: 100, axisLabel: { formatter: "{value} %" } },
      series: [
        { name: "disk time served", type: "line", showSymbol: samples.length < 3, color: "#e0a030", areaStyle: { opacity: 0.25 },
          data: samples.map((sample) => [sample.at, 100 * fastOf(sample.readShares)]) },
        ...FAST.filter((type) => samples.some((sample) => sample.usedShares[type] != null)).map((type, i) => ({
          name: `${type} in use`, type: "line", showSymbol: samples.length < 3, color: ["#3f88b5", "#d2562c", "#a13d7d"][i],
          lineStyle: { type: "dashed" },
          data: samples.map((sample) => [sample.at, 100 * (sample.usedShares[type] ?? 0)]),
        })),
      ],
    },
  });
}

function Counted({ day, choose }) {
  const report = useLive(`/savings/${day}`, 10);
  const mispredictions = useLive(`/savings/${day}/mispredictions?limit=50`, 10);
  const shown = report.data;
  return [
    section(null,
      h2(null, "What a day cost"),
      choose,
      h(Notice, { error: report.error }),
      shown && [
        h(Table, {
          title: "Served from (estimated)", rows: shown.served, empty: "Nothing was read.",
          columns: [
            { name: "Type", of: (each) => each.type },
            { name: "Reads", number: true, of: (each) => words.count(each.reads) },
            { name: "Bytes", number: true, of: (each) => words.bytes(each.servedBytes) },
          ],
        }),
        shown.measured && h(Measured, { measured: shown.measured }),
        h(Table, {
          title: "Moved", rows: shown.ways, empty: "Nothing was moved.",
          columns: [
            { name: "Way", of: (each) => each.way },
            { name: "Replicas", number: true, of: (each) => words.count(each.moves) },
            { name: "Bytes", number: true, of: (each) => words.bytes(each.copiedBytes) },
          ],
        }),
        h(Table, {
          title: "Written by moves, which wears flash", rows: shown.written, empty: "Nothing was written.",
          columns: [
            { name: "Type", of: (each) => each.type },
            { name: "Bytes", number: true, of: (each) => words.bytes(each.writtenBytes) },
            { name: "May be, in a day", number: true,
              of: (each) => (each.budgetBytes == null ? "no limit" : words.bytes(each.budgetBytes)) },
          ],
        }),
      ]),
    section(null,
      h2(null, "Mispredictions"),
      h(Table, {
        live: mispredictions, title: "Moves that should not have been", empty: "None so far.",
        columns: [
          { name: "File", long: true, of: (move) => move.path },
          { name: "Went", of: (move) => `${move.from} to ${move.to}` },
          { name: "At", of: (move) => h(When, { at: move.at }) },
          { name: "Copied", number: true, of: (move) => words.bytes(move.copiedBytes) },
          { name: "And then", of: (move) =>
            (move.kind === "UP_AND_NOT_READ" ? "was not read" : `was read ${words.count(move.reads)} times`) },
          { name: "Why it was moved", long: true, of: (move) => move.why },
        ],
      })),
  ];
}

// What DataNodes' logs tell: each request of a client is a read there.
function Measured({ measured }) {
  return [
    h(Table, {
      title: "Served from (measured)", rows: measured.served, empty: "No read could be attributed.",
      columns: [
        { name: "Type", of: (each) => each.type },
        { name: "Requests", number: true, of: (each) => words.count(each.reads) },
        { name: "Bytes", number: true, of: (each) => words.bytes(each.servedBytes) },
      ],
    }),
    p({ class: "soft" },
      `Fast types served ${words.share(measured.fastShare)} of the bytes; the estimate is ${words.share(measured.estimatedFastShare)}. `,
      `${words.share(measured.attributedShare)} of the requests in the logs of ${measured.dataNodes} of ${measured.allDataNodes}`
        + " DataNodes could be attributed, from ",
      h(When, { at: measured.since }), " to ", h(When, { at: measured.until }), "."),
  ];
}

function Imagined({ day, choose }) {
  const report = useLive(`/shadow/${day}`, 10);
  const mispredictions = useLive(`/shadow/${day}/slow-reads?limit=50`, 10);
  const shown = report.data;
  return [
    section(null,
      h2(null, "What a day would have brought"),
      choose,
      h(Notice, { error: report.error }),
      shown && [p(null, shown.headline), p({ class: "soft" }, shown.cost)],
      shown && h(Table, {
        title: "Served from (estimated)", rows: shown.served, empty: "Nothing was read.",
        columns: [
          { name: "Type", of: (each) => each.type },
          { name: "Reads", number: true, of: (each) => words.count(each.reads) },
          { name: "Would have been", number: true, of: (each) => words.count(each.readsIf) },
        ],
      })),
    section(null,
      h2(null, "Read from slow types"),
      h(Table, {
        live: mispredictions, title: "Files read most from slow types", empty: "None.",
        columns: [
          { name: "File", long: true, of: (file) => file.path },
          { name: "Reads", number: true, of: (file) => words.count(file.reads) },
          { name: "From", of: (file) => file.from },
          { name: "Size", number: true, of: (file) => words.bytes(file.sizeBytes) },
          { name: "Why", long: true, of: (file) => file.why },
        ],
      })),
  ];
}
