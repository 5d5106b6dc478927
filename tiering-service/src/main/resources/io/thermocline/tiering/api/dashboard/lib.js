// SPDX-License-Identifier: Apache-2.0
// The two libraries, which are plain scripts, under the names that the pages use.
export const { h, render, Fragment } = window.preact;
export const { useEffect, useRef, useState } = window.preactHooks;
export const echarts = window.echarts;

// Elements by their names: const { p } = tags; p({ class: "note" }, "text"). Text is never markup.
export const tags = new Proxy({}, {
  get: (_, name) => (attributes, ...children) => h(name, attributes, ...children),
});
