// SPDX-License-Identifier: Apache-2.0
// What would be done, people's word for it, and what became of it.
import { h, tags, useState } from "./lib.js";
import { useLive } from "./api.js";
import { Act, List, Notice, Table, When } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, a, span, div, dl, dt, dd, form, label, input, select, option, button } = tags;

export function Plans() {
  return section({ class: "wide" },
    h2(null, "The last plans"),
    h(List, {
      path: "/plans", seconds: 2, size: 50, title: "Newest first", empty: "No plan was made yet.",
      columns: [
        { name: "Plan", number: true, of: (plan) => a({ href: `#/plans/${plan.number}` }, plan.number) },
        { name: "State", of: (plan) => h(State, { plan }) },
        { name: "Made", of: (plan) => h(When, { at: plan.made }) },
        { name: "Files", number: true, of: (plan) => words.count(plan.files) },
        { name: "Moves", number: true, of: (plan) => words.count(plan.moves) },
        { name: "Copies", number: true, of: (plan) => `${isOnlyReported(plan) ? "would copy " : ""}${words.bytes(plan.plannedBytes)}` },
        { name: "Note", long: true, of: (plan) => plan.note },
      ],
    }));
}

// In shadow mode.
const isOnlyReported = (plan) => plan.state === "REPORTED";

const State = ({ plan }) => span({ class: `tag ${plan.state === "WAITING" ? "hot" : ""}` }, plan.state.toLowerCase());

export function Plan({ number }) {
  const plan = useLive(`/plans/${number}`, 2);
  const [done, setDone] = useState(null);
  const shown = plan.data;
  return [
    section({ class: "wide" },
      h2(null, `Plan ${number}`),
      h(Notice, { error: plan.error }),
      shown && dl({ class: "facts" },
        dt(null, "State"), dd(null, h(State, { plan: shown }), " ", shown.note),
        dt(null, "Made"), dd(null, h(When, { at: shown.made })),
        dt(null, isOnlyReported(shown) ? "Would do" : "Does"), dd(null, `${words.count(shown.moves)} moves of ${words.count(shown.files)} files, ${words.bytes(shown.plannedBytes)}`),
        shown.policies.length > 0 && [
          dt(null, "Sets on directories"),
          dd(null, shown.policies.map((each) => p({ key: each.path },
            `${each.policy} on ${each.path}: for its ${words.count(each.files)} files and new ones`)))],
        dt(null, "Approved by"), dd(null, shown.approvals.map((each) => `${each.who}: ${each.why}`).join("; ") || "nobody"),
        shown.missingApprovals > 0 && [dt(null, "Still to approve"), dd(null, shown.missingApprovals)]),
      shown && h(Steps, { plan: shown, onDone: (accepted) => setDone(accepted.what) }),
      done && p({ role: "status" }, done)),
    shown && section({ class: "wide" },
      h2(null, isOnlyReported(shown) ? "What it would do" : "What it does"),
      h(Table, {
        title: "The most bytes first", rows: shown.parts, empty: "Nothing.",
        columns: [
          { name: "Why", of: (part) => part.cause.toLowerCase().replaceAll("_", " ") },
          { name: "From", of: (part) => part.from },
          { name: "To", long: true, of: (part) => part.target },
          { name: "Files", number: true, of: (part) => words.count(part.files) },
          { name: "Moves", number: true, of: (part) => words.count(part.moves) },
          { name: isOnlyReported(shown) ? "Would copy" : "Copies", number: true, of: (part) => words.bytes(part.plannedBytes) },
        ],
      })),
    section({ class: "wide" },
      h2(null, "Before and after"),
      h(List, {
        path: `/plans/${number}/space`, size: 25, title: "Space of storage types, and of DataNodes where it changes", empty: "Not known any more.",
        columns: [
          { name: "Node", of: (space) => space.node || "all" },
          { name: "Type", of: (space) => space.type },
          { name: "Before", number: true, of: (space) => words.bytes(space.beforeBytes) },
          { name: "After", number: true, of: (space) => words.bytes(space.afterBytes) },
          { name: "Capacity", number: true, of: (space) => words.bytes(space.capacityBytes) },
        ],
      })),
    h(Files, { number }),
    shown?.unplaced > 0 && section({ class: "wide" },
      h2(null, "What it leaves"),
      h(List, {
        path: `/plans/${number}/unplaced`, size: 25, title: "Files that it finds no place for", empty: "Not known any more.",
        columns: [
          { name: "File", long: true, of: (file) => file.path },
          { name: "To", long: true, of: (file) => file.target },
          { name: "Why", long: true, of: (file) => file.reason },
        ],
      })),
  ];
}

const ORDERS = [["", "the plan's order"], ["BYTES", "most bytes first"], ["MOVES", "most moves first"], ["PATH", "by path"]];

function Files({ number }) {
  const [typed, setTyped] = useState("");
  const [path, setPath] = useState("");
  const [sort, setSort] = useState("");
  const query = [path && `path=${encodeURIComponent(path)}`, sort && `sort=${sort}`].filter(Boolean).join("&");
  return section({ class: "wide" },
    h2(null, "Each file, and why"),
    form({ onSubmit: (event) => {
      event.preventDefault();
      setPath(typed.trim());
    } },
      label(null, "File or directory", input({ value: typed, placeholder: "/warehouse/…", onInput: (e) => setTyped(e.target.value) })),
      label(null, "Order", select({ value: sort, onChange: (event) => setSort(event.target.value) },
        ORDERS.map(([value, name]) => option({ key: value, value }, name)))),
      div({ class: "actions" }, button({ type: "submit" }, "Show"))),
      h(List, {
        key: query, path: `/plans/${number}/files${query ? `?${query}` : ""}`, size: 25, title: "Its files",
        empty: path ? `It is about no file of ${path}.` : "Not known any more.",
        columns: [
          { name: "File", long: true, of: (file) => file.path },
          { name: "To", long: true, of: (file) => file.target },
          { name: "Moves", number: true, of: (file) => file.moves },
          { name: "Copies", number: true, of: (file) => words.bytes(file.bytes) },
          { name: "Why", long: true, of: (file) => file.reason },
        ],
      }));
}

const ENDED = ["DONE", "INTERRUPTED"];

function Steps({ plan, onDone }) {
  const path = `/plans/${plan.number}`;
  return div({ class: "actions" },
    plan.state === "WAITING" && h(Act, { name: "Approve", kind: "primary", path: `${path}/approve`, body: { execute: true }, onDone }),
    plan.state === "APPROVED" && h(Act, { name: "Carry out", kind: "primary", path: `${path}/execute`, onDone }),
    ["WAITING", "APPROVED"].includes(plan.state) && h(Act, { name: "Discard", path: `${path}/discard`, onDone }),
    plan.state === "RUNNING" && h(Act, { name: "Cancel", path: `${path}/cancel`, onDone }),
    ENDED.includes(plan.state) && h(Act, { name: "Undo", path: `${path}/undo`, onDone }));
}
