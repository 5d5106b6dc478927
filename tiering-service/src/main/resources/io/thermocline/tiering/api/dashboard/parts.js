// SPDX-License-Identifier: Apache-2.0
// What several pages use: tables, charts, and a dialog that shows a dry run before anything is done.
import { echarts, h, tags, useEffect, useRef, useState } from "./lib.js";
import { post, useLive } from "./api.js";
import { count, day, exact, moment } from "./words.js";

const { table, caption, thead, tbody, tr, th, td, div, p, a, dialog, details, summary, form, label, input, button, h2, span, time } = tags;

export function Notice({ error }) {
  if (!error) return null;
  // Turned off, which is nobody's mistake.
  if (error.code === "NO_SUCH_RESOURCE") return p({ class: "empty" }, `${error.message}: ${error.whatToDo}`);
  return p({ class: "notice", role: "alert" }, `${error.message}${error.whatToDo ? ` – ${error.whatToDo}` : ""}`,
    error.status === 403 && [", or ", a({ href: "#/sign-in" }, "sign in as another")]);
}

// A moment as the reader writes it, and exactly where the mouse is on it.
export const When = ({ at }) => time({ datetime: exact(at), title: exact(at) }, moment(at));

// The service's days are of UTC.
export const Day = ({ on }) => time({ datetime: on, title: on }, day(on));

// columns: [{ name, of(row), number, long, head }]; long: paths and sentences, which may be broken anywhere; head: what names a row.
// Of what the service was asked for: that it was, why it can't be shown, or, once it has answered, what there is none of.
export function Nothing({ live, words }) {
  if (live.data) return p({ class: "empty" }, words);
  return live.error ? h(Notice, { error: live.error }) : p({ class: "empty" }, "Asking the service …");
}

// live: where the rows come from, where that isn't known yet.
export function Table({ live, title, columns, rows = live.data?.items ?? [], empty }) {
  if (rows.length === 0) return live ? h(Nothing, { live, words: empty }) : p({ class: "empty" }, empty);
  const shown = div({ class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    table(null,
      caption(null, title),
      thead(null, tr(null, columns.map((column) =>
        th({ scope: "col", class: column.number ? "number" : "" }, column.name)))),
      tbody(null, rows.map((row, i) => tr({ key: row.key ?? i }, columns.map((column) =>
        (column.head ? th : td)({
          scope: column.head ? "row" : null, class: column.number ? "number" : column.long ? "long" : "",
        }, column.of(row))))))));
  return [h(Notice, { error: live?.error }), shown];
}

// A list of the service's, page by page, with the columns of a table.
export function List({ path, seconds = 5, size = 200, title, columns, empty, row = (item) => item }) {
  const [offset, setOffset] = useState(0);
  const live = useLive(`${path}${path.includes("?") ? "&" : "?"}limit=${size}&offset=${offset}`, seconds);
  const { data } = live;
  const items = data?.items ?? [];
  const total = data?.total ?? 0;
  useEffect(() => {
    // It became shorter.
    if (data?.offset > 0 && items.length === 0) setOffset(Math.max(0, Math.ceil(total / size) - 1) * size);
  }, [data]);
  return [
    h(Table, {
      live, title: total > size ? `${title}: ${count(data.offset + 1)} to ${count(data.offset + items.length)} of ${count(total)}` : title,
      rows: items.map(row), columns, empty,
    }),
    total > size && div({ class: "actions" },
      button({ type: "button", disabled: offset === 0, onClick: () => setOffset(offset - size) }, "Previous"),
      button({ type: "button", disabled: offset + size >= total, onClick: () => setOffset(offset + size) }, "Next")),
  ];
}

// What a chart shows, number by number.
function AsTable({ title, columns, rows }) {
  const [open, setOpen] = useState(false);
  return details({ onToggle: (event) => setOpen(event.currentTarget.open) },
    summary(null, "As a table"),
    open && h(Table, { title, columns, rows, empty: "Nothing yet." }));
}

// The service's samples as a table, the newest first; columns beside the time.
export const samplesTable = (title, samples, columns) => ({
  title, rows: [...samples].reverse(),
  columns: [{ name: "Plan made", head: true, of: (sample) => h(When, { at: sample.at }) },
    ...columns.map((column) => ({ number: true, ...column }))],
});

// option: a chart's, as the library takes it; words: the same for those who don't see it, in short; numbers: a table of all of it.
export function Chart({ option, words, numbers, height = 260 }) {
  const place = useRef(null);
  const chart = useRef(null);
  const dark = useDark();
  useEffect(() => {
    const made = echarts.init(place.current, dark ? "dark" : null, { renderer: "canvas" });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, [dark]);
  useEffect(() => {
    // Rich text: drawn on the canvas, so that no name of a file ever becomes markup.
    const { fontFamily, fontSize } = getComputedStyle(place.current);
    const text = { fontFamily, fontSize: 0.78 * parseFloat(fontSize) };
    const axis = (each) => each && {
      ...each, axisLabel: { ...text, ...each.axisLabel },
      ...(each.type === "time" && { axisPointer: { label: { formatter: ({ value }) => exactly(value) } } }),
    };
    chart.current.setOption({
      backgroundColor: "transparent", animation: false, ...option,
      textStyle: text,
      xAxis: axis(option.xAxis), yAxis: axis(option.yAxis),
      ...(option.legend && { legend: { textStyle: text, ...option.legend } }),
      ...(option.visualMap && { visualMap: { textStyle: text, ...option.visualMap } }),
      tooltip: { textStyle: text, ...option.tooltip, renderMode: "richText" },
    }, { notMerge: false });
  });
  return [
    div({ class: "chart", role: "img", "aria-label": words, style: { height: `${height}px` }, ref: place }),
    h(AsTable, numbers),
  ];
}

// Of what is below the mouse in a chart.
export const exactly = (at) => `${moment(at)} (${exact(at)})`;

function useDark() {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const changed = (event) => setDark(event.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return dark;
}

// A button that asks the service what would happen, shows it, and does it when told why.
export function Act({ name, path, body = {}, onDone, kind = "" }) {
  const [asked, setAsked] = useState(null);
  const ask = async () => {
    try {
      setAsked({ would: (await post(path, { ...body, dryRun: true })).what });
    } catch (error) {
      setAsked({ error });
    }
  };
  return h(FragmentOf, null,
    button({ type: "button", class: kind, onClick: ask }, name),
    asked && h(Confirm, { name, path, body, asked, onEnd: (done) => {
      setAsked(null);
      if (done) onDone?.(done);
    } }));
}

const FragmentOf = ({ children }) => children;

function Confirm({ name, path, body, asked, onEnd }) {
  const place = useRef(null);
  const [why, setWhy] = useState("");
  const [error, setError] = useState(asked.error ?? null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const shown = place.current;
    shown.showModal();
    return () => shown.close();
  }, []);
  const act = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      onEnd(await post(path, { ...body, dryRun: false, why }));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return dialog({ ref: place, "aria-labelledby": "confirm-title", onCancel: () => onEnd(null) },
    form({ onSubmit: act },
      h2({ id: "confirm-title" }, name),
      asked.would && p({ class: "dry-run" }, span({ class: "tag" }, "dry run"), " ", asked.would),
      h(Notice, { error }),
      asked.would && label(null, "Why (is recorded)",
        input({ value: why, required: true, maxlength: 500, autofocus: true, onInput: (e) => setWhy(e.target.value) })),
      div({ class: "actions" },
        button({ type: "button", onClick: () => onEnd(null) }, asked.would ? "Leave it" : "Close"),
        asked.would && button({ type: "submit", class: "primary", disabled: busy }, name))));
}
