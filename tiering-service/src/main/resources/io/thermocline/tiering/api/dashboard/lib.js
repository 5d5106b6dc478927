// SPDX-License-Identifier: Apache-2.0
// The two libraries, which are plain scripts, under the names that the pages use.
export const { h, render, Fragment } = window.preact;
export const { useEffect, useRef, useState } = window.preactHooks;
export const echarts = window.echarts;

// Names come from whoever may name a file: controls, but for line breaks, and marks that turn the order of letters round are
// shown as escapes.
export const visible = (text) =>
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (mark) =>
    `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);

const shown = (child) => typeof child === "string" ? visible(child) : Array.isArray(child) ? child.map(shown) : child;

// Elements by their names: const { p } = tags; p({ class: "note" }, "text"). Text is never markup.
export const tags = new Proxy({}, {
  get: (_, name) => (attributes, ...children) => h(name, attributes, ...children.map(shown)),
});
