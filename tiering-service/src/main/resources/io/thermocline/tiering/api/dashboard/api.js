// SPDX-License-Identifier: Apache-2.0
// Requests to the service. A session's cookie goes along by itself.
import { useEffect, useState } from "./lib.js";

const ROOT = "/api/v1";
const SIGNED_IN = "thermocline.signedIn";

export class ApiError extends Error {
  constructor(status, body, wait = 0) {
    super(body.message ?? `the service answered ${status}`);
    this.status = status;
    this.code = body.code ?? "";
    this.whatToDo = body.whatToDo ?? "";
    // Seconds, where the service says when to ask again.
    this.wait = wait;
  }
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json", ...options?.headers } });
  } catch {
    throw new ApiError(0, { code: "UNREACHABLE", message: "the service does not answer" });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, body, Number(response.headers.get("Retry-After") ?? 0));
  return body;
}

export const get = (path) => send(ROOT + path);

export const post = (path, body) =>
  send(ROOT + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

export async function signIn(token) {
  const response = await fetch("/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  localStorage.setItem(SIGNED_IN, "yes");
}

// While the service does not answer the session goes on, and so does what says so.
export async function signOut() {
  try {
    await fetch("/session", { method: "DELETE" });
  } catch {
    return;
  }
  localStorage.removeItem(SIGNED_IN);
  window.location.reload();
}

// The session is all tabs', and so is its end: one in the background, which seldom asks, shows nothing any more either.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === SIGNED_IN && newValue === null) window.location.reload();
});

// The cookie itself can't be seen from here. That there is one is no secret.
export const isSignedIn = () => localStorage.getItem(SIGNED_IN) !== null;

// What a path answers, again and again while it is shown: { data, error }. Keeps the last answer
// where the service goes away, and goes on by itself when it is back.
export function useLive(path, seconds = 3) {
  const [shown, setShown] = useState({ data: null, error: null, path });
  useEffect(() => {
    let timer;
    let ended = false;
    const ask = async () => {
      let wait = seconds;
      try {
        const data = await get(path);
        if (!ended) setShown({ data, error: null, path });
      } catch (error) {
        wait = Math.max(wait, error.wait ?? 0);
        if (!ended) setShown((before) => ({ data: before.path === path ? before.data : null, error, path }));
      }
      if (!ended) timer = setTimeout(ask, wait * 1000);
    };
    ask();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [path, seconds]);
  return shown;
}
