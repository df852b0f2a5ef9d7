// The frame around the views: who has signed in, where one is, and the search.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { basic, bearer, events, get, login, onSignedOut, part, session } from "./api.js";
import { Guarded, Refusal, html, useEvents } from "./parts.js";
import { Overview } from "./overview.js";

/** Views that are loaded when they are first seen. */
const LATER = {
  subscribers: () => import("./subscribers.js"),
  subscriber: () => import("./subscriber.js"),
  switches: () => import("./switches.js"),
  ports: () => import("./ports.js"),
  port: () => import("./ports.js"),
  events: () => import("./events.js"),
  conflicts: () => import("./switches.js"),
  simulate: () => import("./simulate.js"),
};

const TABS = [
  ["", "Overview"],
  ["subscribers", "Subscribers"],
  ["switches", "Switches"],
  ["ports", "Ports"],
  ["events", "Events"],
  ["conflicts", "Conflicts"],
  ["simulate", "Simulate"],
];

/** Where one is: `#/subscribers/alice?range=6h`. */
function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const steps = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { tab: steps[0] ?? "", steps: steps.slice(1), query: new URLSearchParams(query) };
}

function viewOf({ tab, steps }) {
  if (tab === "subscribers" && steps.length > 0) {
    return "subscriber";
  }
  if (tab === "ports" && steps.length > 1) {
    return "port";
  }
  return tab;
}

function Later({ name, ...rest }) {
  const [loaded, setLoaded] = useState({});
  useEffect(() => {
    LATER[name]().then(
      (views) => setLoaded({ name, view: views.VIEWS[name] }),
      () => setLoaded({ name, problem: new Error("This view cannot be loaded: the controller does not answer.") }),
    );
  }, [name]);
  if (loaded.name !== name) {
    return html`<p class="loading">Loading…</p>`;
  }
  return loaded.problem
    ? html`<${Refusal} problem=${loaded.problem} again=${() => location.reload()} />`
    : html`<${loaded.view} ...${rest} />`;
}

/** Asks for a token, or for name and password where the host's own users call. */
function SignIn({ why, onDone }) {
  const [problem, setProblem] = useState(why && new Error(why));
  const first = useRef(null);
  useEffect(() => first.current.focus(), []);
  const tried = async (authorization) => {
    if (authorization) {
      session.set(authorization);
    }
    try {
      onDone(await get("version"));
    } catch (e) {
      session.end();
      setProblem(e);
      first.current?.select();
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    tried(
      login === "Basic"
        ? basic(given.get("name"), given.get("password"))
        : bearer(given.get("token").trim()),
    );
  };
  return html`<main class="signin">
    <form onSubmit=${submit}>
      <h1><img src="page/icon.svg" alt="" width="28" height="28" /> Sluice</h1>
      ${login === "Basic"
        ? html`
            <label>User of ONOS <input ref=${first} name="name" autocomplete="username" required /></label>
            <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
          `
        : html`
            <label>Token <input ref=${first} name="token" type="password" autocomplete="off" required minlength="8" /></label>
            <p class="hint">Made by <code>sluice token add NAME --role read</code> on the controller's host. It is kept in this tab until you close it or sign out.</p>
          `}
      ${problem && html`<${Refusal} problem=${problem} />`}
      <button class="main">Sign in</button>
      ${login === "Bearer" &&
      location.protocol === "https:" &&
      html`<button type="button" class="quiet" onClick=${() => tried(null)}>Use this browser's certificate</button>`}
    </form>
  </main>`;
}

function Search() {
  const field = useRef(null);
  useEffect(() => {
    const onKey = (event) => {
      const isTyping = event.target.closest?.("input, textarea, select, dialog");
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.current.focus();
        field.current.select();
      } else if (event.key === "Escape" && event.target === field.current) {
        field.current.blur();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    location.hash = text ? `#/subscribers?q=${part(text)}` : "#/subscribers";
    field.current.blur();
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <input ref=${field} type="search" aria-label="Find a subscriber by id, name, address or label" aria-keyshortcuts="/" placeholder="Id, name, address or label" />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}

const LINK = {
  live: ["good", "✓", "live"],
  connecting: ["wait", "…", "connecting"],
  broken: ["bad", "✕", "controller does not answer"],
};

function Live() {
  const { state } = useEvents(() => false);
  const [tone, sign, word] = LINK[state];
  return html`<span class="state ${tone}" role="status"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function Frame({ version, onOut }) {
  const [at, setAt] = useState(here());
  const main = useRef(null);
  useEffect(() => {
    const moved = () => {
      setAt(here());
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const view = viewOf(at);
  useEffect(() => {
    const tab = TABS.find(([name]) => name === at.tab);
    document.title = [at.steps.join(" "), tab?.[1], "Sluice"].filter(Boolean).join(" · ");
  }, [location.hash]);
  useEffect(() => {
    // On a phone there is no room for all of them.
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [at.tab]);
  const { caller } = version;
  return html`
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      main.current.focus();
    }}>To the content</a>
    <header class="top">
      <a class="brand" href="#/"><img src="page/icon.svg" alt="" width="22" height="22" /> Sluice</a>
      <nav aria-label="Views">
        ${TABS.map(
          ([name, label]) =>
            html`<a href=${`#/${name}`} aria-current=${at.tab === name ? "page" : undefined}>${label}</a>`,
        )}
      </nav>
      <${Search} />
      <div class="who">
        <${Live} />
        <span title="who has signed in, and what that role may do">${caller.name} · ${caller.role}</span>
        ${session.get() && html`<button class="quiet" onClick=${onOut}>Sign out</button>`}
      </div>
    </header>
    <main id="main" ref=${main} tabindex="-1">
      <${Guarded} key=${`${view}/${at.steps.join("/")}`}>
        ${view === ""
          ? html`<${Overview} caller=${caller} />`
          : LATER[view]
            ? html`<${Later} name=${view} caller=${caller} steps=${at.steps} query=${at.query} />`
            : html`<div class="refusal" role="alert"><p>There is no view ${at.tab}. <a href="#/">To the overview</a></p></div>`}
      <//>
    </main>
    <footer class="bottom">Sluice ${version.version} · ${version.commit.slice(0, 8)} · <span>times are local, UTC where you point</span></footer>
  `;
}

function App() {
  const [version, setVersion] = useState(null);
  const [isOut, setOut] = useState(login !== "none" && !session.get());
  const [why, setWhy] = useState(null);
  const [problem, setProblem] = useState(null);
  const ask = () => {
    setProblem(null);
    get("version").then(setVersion, (e) => e.status === 401 || setProblem(e));
  };
  useEffect(() => {
    onSignedOut((reason) => {
      events.stop();
      setWhy(reason);
      setVersion(null);
      setOut(true);
    });
    isOut || ask();
  }, []);
  useEffect(() => {
    version && events.start();
  }, [version]);
  const signOut = () => {
    session.end();
    events.stop();
    setWhy(null);
    setVersion(null);
    setOut(true);
  };
  if (isOut && !version) {
    return html`<${SignIn} why=${why} onDone=${(known) => {
      setOut(false);
      setVersion(known);
    }} />`;
  }
  if (!version) {
    return problem
      ? html`<main class="signin"><${Refusal} problem=${problem} again=${ask} /></main>`
      : html`<p class="loading">Loading…</p>`;
  }
  return html`<${Frame} version=${version} onOut=${signOut} />`;
}

const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
