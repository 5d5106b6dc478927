// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them.
const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];

export function bytes(count) {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${UNITS[unit]}`;
}

export const share = (part) => `${(100 * part).toFixed(1)} %`;

export const count = (number) => number.toLocaleString("en");

export const heat = (reads) => reads.toFixed(reads < 10 ? 2 : 0);

export function duration(seconds) {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return seconds < 3600 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

// Moments and days as the reader's locale writes them.
export const moment = (instant) => new Date(instant).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

// On an axis, where there is little room.
export const brief = (instant) => new Date(instant).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });

// Of a long path, likewise: directories beside each other begin alike.
export function ending(path) {
  const letters = [...path];
  return letters.length > 28 ? `…${letters.slice(-27).join("")}` : path;
}

export const exact = (instant) => new Date(instant).toISOString();

export const day = (date) => new Date(date).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
