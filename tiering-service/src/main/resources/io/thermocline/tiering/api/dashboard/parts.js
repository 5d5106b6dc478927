// SPDX-License-Identifier: Apache-2.0
// What several pages use: tables, charts, and a dialog that shows a dry run before anything is done.
import { echarts, h, tags, useEffect, useRef, useState } from "./lib.js";
import { post } from "./api.js";

const { table, caption, thead, tbody, tr, th, td, div, p, dialog, form, label, input, button, h2, span } = tags;

export function Notice({ error }) {
  if (!error) return null;
  return p({ class: "notice", role: "alert" }, `${error.message}${error.whatToDo ? ` – ${error.whatToDo}` : ""}`);
}

// columns: [{ name, of(row), number, long }]; long: paths and sentences, which may be broken anywhere.
export function Table({ title, columns, rows, empty }) {
  if (rows.length === 0) return p({ class: "empty" }, empty);
  return div({ class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    table(null,
      caption(null, title),
      thead(null, tr(null, columns.map((column) =>
        th({ scope: "col", class: column.number ? "number" : "" }, column.name)))),
      tbody(null, rows.map((row, i) => tr({ key: row.key ?? i }, columns.map((column) =>
        td({ class: column.number ? "number" : column.long ? "long" : "" }, column.of(row))))))));
}

// option: a chart's, as the library takes it; words: the same for those who don't see it.
export function Chart({ option, words, height = 260 }) {
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
    const axis = (each) => each && { ...each, axisLabel: { ...text, ...each.axisLabel } };
    chart.current.setOption({
      backgroundColor: "transparent", animation: false, ...option,
      textStyle: text,
      xAxis: axis(option.xAxis), yAxis: axis(option.yAxis),
      ...(option.legend && { legend: { textStyle: text, ...option.legend } }),
      ...(option.visualMap && { visualMap: { textStyle: text, ...option.visualMap } }),
      tooltip: { textStyle: text, ...option.tooltip, renderMode: "richText" },
    }, { notMerge: false });
  });
  return div({ class: "chart", role: "img", "aria-label": words, style: { height: `${height}px` }, ref: place });
}

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
