// SPDX-License-Identifier: Apache-2.0
// DataNodes, and the buckets that their storages make up.
import { h, tags } from "./lib.js";
import { useLive } from "./api.js";
import { List, Table } from "./parts.js";
import * as words from "./words.js";

const { section, h2, div } = tags;

export function Nodes() {
  const buckets = useLive("/buckets", 5);
  return [
    section({ class: "wide" },
      h2(null, "Buckets"),
      h(Table, {
        live: buckets, title: "The number line of each storage type", empty: "Not known before the first plan.",
        columns: [
          { name: "Type", of: (bucket) => bucket.type },
          { name: "Storages", number: true, of: (bucket) => words.count(bucket.storages) },
          { name: "Segments", number: true, of: (bucket) => words.count(bucket.segments) },
          { name: "Length", number: true, of: (bucket) => words.count(bucket.cells) },
          { name: "Used", number: true, of: (bucket) => words.bytes(bucket.usedBytes) },
          { name: "Capacity", number: true, of: (bucket) => words.bytes(bucket.capacityBytes) },
          { name: "Fingerprint", of: (bucket) => bucket.fingerprint },
        ],
      })),
    section({ class: "wide" },
      h2(null, "Nodes"),
      h(List, {
        path: "/nodes", title: "DataNodes that were live with the last plan", empty: "Not known before the first plan.",
        columns: [
          { name: "Node", of: (node) => node.host },
          { name: "State", of: (node) => [node.silent ? "silent" : "live", node.excluded && "excluded"].filter(Boolean).join(", ") },
          { name: "Rack", of: (node) => node.rack },
          { name: "Storages", number: true, of: (node) => node.storages },
          { name: "Space", of: (node) => Object.entries(node.space).map(([type, space]) =>
            div({ key: type }, `${type} ${words.bytes(space.usedBytes)} of ${words.bytes(space.capacityBytes)}`)) },
          { name: "Cache", number: true, of: (node) => `${words.bytes(node.cacheUsedBytes)} of ${words.bytes(node.cacheBytes)}` },
        ],
      })),
  ];
}
