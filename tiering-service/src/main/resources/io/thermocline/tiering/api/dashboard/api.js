// SPDX-License-Identifier: Apache-2.0
// Requests to the service. A session's cookie goes along by itself.
import { useEffect, useState } from "./lib.js";

const ROOT = "/api/v1";

export class ApiError extends Error {
  constructor(status, body) {
    super(body.message ?? `the service answered ${status}`);
    this.status = status;
    this.code = body.code ?? "";
    this.whatToDo = body.whatToDo ?? "";
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
  if (!response.ok) throw new ApiError(response.status, body);
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
}

export const signOut = () => fetch("/session", { method: "DELETE" });

// What a path answers, again and again while it is shown: { data, error }. Keeps the last answer
// where the service goes away, and goes on by itself when it is back.
export function useLive(path, seconds = 3) {
  const [shown, setShown] = useState({ data: null, error: null, path });
  useEffect(() => {
    let timer;
    let ended = false;
    const ask = async () => {
      try {
        const data = await get(path);
        if (!ended) setShown({ data, error: null, path });
      } catch (error) {
        if (!ended) setShown((before) => ({ data: before.path === path ? before.data : null, error, path }));
      }
      if (!ended) timer = setTimeout(ask, seconds * 1000);
    };
    ask();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [path, seconds]);
  return shown;
}
