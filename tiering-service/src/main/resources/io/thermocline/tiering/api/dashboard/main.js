// SPDX-License-Identifier: Apache-2.0
// The frame of all pages: where we are, how the service is, and signing in.
import { h, render, tags, useEffect, useState } from "./lib.js";
import { isSignedIn, signIn, signOut, useLive } from "./api.js";
import { Act, Notice } from "./parts.js";
import { Overview } from "./overview.js";
import { Heat } from "./heat.js";
import { Plan, Plans } from "./plans.js";
import { Savings } from "./savings.js";
import { Rules } from "./rules.js";
import { Hints } from "./hints.js";
import { Nodes } from "./nodes.js";
import { Groups } from "./groups.js";

const { header, nav, ul, li, a, span, main, h1, p, form, label, input, button, div } = tags;

const PAGES = [
  { path: "", name: "Overview", page: Overview },
  { path: "heat", name: "Heat", page: Heat },
  { path: "plans", name: "Plans", page: Plans },
  { path: "savings", name: "Savings", page: Savings },
  { path: "rules", name: "Rules", page: Rules },
  { path: "hints", name: "Hints", page: Hints },
  { path: "groups", name: "Groups", page: Groups },
  { path: "nodes", name: "Nodes", page: Nodes },
];

// Where who is signed in signs in as another.
const SIGN_IN = "sign-in";

function useRoute() {
  const read = () => {
    try {
      return decodeURIComponent(window.location.hash.replace(/^#\/?/, "")).split("/");
    } catch {
      // Typed, and no address of ours.
      return [""];
    }
  };
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = () => setRoute(read());
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return route;
}

function App() {
  const [first, ...rest] = useRoute();
  const state = useLive("/state", 2);
  const current = PAGES.find((page) => page.path === first) ?? PAGES[0];
  useEffect(() => {
    document.title = `${current.name} – Thermocline`;
  }, [current]);
  if ([401, 403].includes(state.error?.status) || first === SIGN_IN) return h(SignIn, { error: state.error });
  const page = first === "plans" && rest.length > 0 ? h(Plan, { key: rest[0], number: rest[0] }) : h(current.page, { state: state.data });
  return [
    header(null,
      span({ class: "name" }, "Thermocline"),
      nav({ "aria-label": "Pages" }, ul(null, PAGES.map(({ path, name }) =>
        li({ key: path }, a({ href: `#/${path}`, "aria-current": path === current.path ? "page" : null }, name))))),
      state.data && h(Control, { state: state.data })),
    main({ id: "main" },
      h1(null, current.name),
      state.error && h(Notice, { error: { message: `${state.error.message}; what is shown may be old, trying again` } }),
      page),
  ];
}

const mode = ({ mode, applied }) =>
  applied.length > 0 ? `shadow, apply below ${applied.join(", ")}` : mode.toLowerCase();

function Control({ state }) {
  const { control } = state;
  const runs = control.state === "RUNNING";
  return div({ class: "actions", role: "status" },
    span({ class: `tag ${runs ? "" : "hot"}` }, `${mode(state)} · ${control.state.toLowerCase()}`),
    runs
      ? h(Act, { key: "Pause", name: "Pause", path: "/control/pause" })
      : h(Act, { key: "Resume", name: "Resume", path: "/control/resume", kind: "primary" }),
    isSignedIn() && button({ type: "button", onClick: signOut }, "Sign out"));
}

function SignIn({ error }) {
  // When its time is over the browser no longer sends it along: the service can't tell that there was one.
  const [hasEnded] = useState(error?.status === 401 && isSignedIn());
  const nobody = error?.status === 403 ? { message: error.message, whatToDo: error.whatToDo } : null;
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState(null);
  const enter = async (event) => {
    event.preventDefault();
    try {
      await signIn(token);
      if (window.location.hash === `#/${SIGN_IN}`) window.location.hash = "#/";
      window.location.reload();
    } catch (problem) {
      setRefused(problem);
    }
  };
  return main({ id: "main" },
    h1(null, "Thermocline"),
    tags.section({ class: "wide" },
      form({ onSubmit: enter },
        p(null, "Sign in with a token. With a Kerberos ticket a browser that is set up for it signs in by itself."),
        h(Notice, { error: refused ?? nobody ?? (hasEnded ? { message: "Your session has ended." } : null) }),
        label(null, "Token", input({ type: "password", autocomplete: "current-password", required: true, value: token,
          onInput: (e) => setToken(e.target.value) })),
        div({ class: "actions" }, button({ type: "submit", class: "primary" }, "Sign in")))));
}

render(h(App), document.getElementById("app"));
