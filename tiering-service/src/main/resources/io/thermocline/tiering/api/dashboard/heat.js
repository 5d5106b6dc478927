// SPDX-License-Identifier: Apache-2.0
// Which directories and files are hot, over time and now, and why a file is where it is.
import { h, tags, useRef, useState, visible } from "./lib.js";
import { get, useLive } from "./api.js";
import { Chart, Nothing, Notice, Table, exactly, samplesTable } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, form, label, input, button, div, dl, dt, dd, ul, li } = tags;

export function Heat() {
  const history = useLive("/history?limit=500", 5);
  const hottest = useLive("/heat?limit=25", 5);
  const samples = history.data?.items ?? [];
  const [path, setPath] = useState("");
  return [
    section({ class: "wide" },
      h2(null, "Directories over time"),
      samples.length === 0 ? h(Nothing, { live: history, words: "Nothing yet: a column is added with each plan." }) : h(Map, { samples })),
    h(File, { path, setPath }),
    section(null,
      h2(null, "Hottest files"),
      h(Table, {
        live: hottest, title: "As of the last plan", empty: "No file was read yet.",
        columns: [
          { name: "File", long: true, of: (file) => button({ type: "button", class: "link", onClick: () => setPath(file.path) }, file.path) },
          { name: "Heat", number: true, of: (file) => words.heat(file.heat) },
          { name: "Size", number: true, of: (file) => words.bytes(file.sizeBytes) },
          {
            name: "Fastest copy",
            of: (file) => file.wouldBeFastest ? `${file.fastest}; would be ${file.wouldBeFastest}` : file.fastest,
          },
        ],
      })),
  ];
}

function Map({ samples }) {
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample.directories)))].sort().reverse();
  const cells = samples.flatMap((sample, x) => names.map((name, y) => [x, y, sample.directories[name] ?? 0]));
  const most = Math.max(1, ...cells.map((cell) => cell[2]));
  const last = samples[samples.length - 1];
  const top = Object.entries(last.directories).sort((a, b) => b[1] - a[1]).slice(0, 3);
  return h(Chart, {
    height: Math.max(220, 90 + 22 * names.length),
    words: `Heat of ${names.length} directories over time; hottest at last: ${
      top.map(([name, heat]) => `${name} ${words.heat(heat)}`).join(", ")}`,
    numbers: samplesTable("Heat of directories", samples, [...names].reverse().map((name) => ({
      name, of: (sample) => words.heat(sample.directories[name] ?? 0),
    }))),
    option: {
      grid: { left: 10, right: 16, top: 10, bottom: 84, containLabel: true },
      tooltip: {
        formatter: ({ data }) => `${visible(names[data[1]])}\n${exactly(samples[data[0]].at)}: heat ${words.heat(data[2])}`,
      },
      xAxis: {
        type: "category", data: samples.map((sample) => words.brief(sample.at)),
        axisLabel: { alignMinLabel: "left", alignMaxLabel: "right", hideOverlap: true },
      },
      yAxis: { type: "category", data: names.map(visible), axisLabel: { formatter: words.ending } },
      dataZoom: [{ type: "slider", bottom: 44, height: 18 }, { type: "inside" }],
      visualMap: {
        min: 0, max: most, orient: "horizontal", left: "center", bottom: 0, itemHeight: 120, text: ["hot", "cold"],
        inRange: { color: ["#2b4a6b", "#5c8fb0", "#e8d9a0", "#e58a4a", "#b3281a"] },
      },
      series: [{ type: "heatmap", data: cells }],
    },
  });
}

function File({ path, setPath }) {
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState({});
  const looks = useRef(0);
  const look = async (wanted) => {
    setTyped(wanted);
    const mine = ++looks.current;
    const show = (found) => mine === looks.current && setShown(found);
    try {
      show({ path: wanted, file: await get(`/files?path=${encodeURIComponent(wanted)}`) });
    } catch (error) {
      show({ path: wanted, error });
    }
  };
  if (path) {
    setPath("");
    look(path);
  }
  const { file, error } = shown;
  return section(null,
    h2(null, "A file"),
    form({ onSubmit: (event) => {
      event.preventDefault();
      look(typed);
    } },
      label(null, "Path", input({ value: typed, required: true, placeholder: "/warehouse/…", onInput: (e) => setTyped(e.target.value) })),
      div({ class: "actions" }, button({ type: "submit" }, "Explain"))),
    h(Notice, { error }),
    file && div({ role: "region", "aria-live": "polite", "aria-label": "Explanation" },
      dl({ class: "facts" },
        dt(null, "File"), dd(null, file.file.path),
        dt(null, "Heat"), dd(null, `${words.heat(file.file.heat)} cooled block reads, ${words.share(file.readsShare)} of all disk time`),
        dt(null, "Rank"), dd(null, file.rank === 0 ? "not ranked" : `${words.count(file.rank)} of ${words.count(file.ranked)}`),
        dt(null, "Copies"), dd(null, Object.entries(file.copies).map(([type, size]) => `${type} ${words.bytes(size)}`).join(", ")),
        file.file.wouldBeFastest && [dt(null, "Would be"), dd(null, `fastest copy on ${file.file.wouldBeFastest}, if it were moved as shadow mode says`)],
        file.access.patterns.length > 0 && [dt(null, "Accessed as"), dd(null, file.access.patterns.join(", "))],
        file.held && [dt(null, "Held"), dd(null, file.held)],
        file.next && [dt(null, "Next"), dd(null, file.next)]),
      ul(null, file.explanation.map((line) => li(null, line)))));
}
