// What the views are made of.

import { Component, h } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import htm from "htm";
import { curl, events, get, send } from "./api.js";
import { count, local, millis, percent, plural, rate, utc } from "./format.js";

export const html = htm.bind(h);

/**
 * What an asynchronous function answers, asked again every so many seconds while the page is seen.
 *
 * @return value and problem of the last answer, and a function that asks at once
 */
export function useAsked(ask, needs, everySeconds = 0) {
  const [answer, setAnswer] = useState({});
  const asking = useRef(null);
  const again = useCallback(async () => {
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    try {
      const value = await ask(mine.signal);
      if (!mine.signal.aborted) {
        setAnswer({ value, at: Date.now() });
      }
    } catch (problem) {
      if (!mine.signal.aborted) {
        setAnswer((before) => ({ value: before.value, at: before.at, problem }));
      }
    }
  }, needs);
  useEffect(() => {
    setAnswer({});
    again();
    const every =
      everySeconds > 0 ? setInterval(() => document.hidden || again(), everySeconds * 1000) : 0;
    return () => {
      clearInterval(every);
      asking.current?.abort();
    };
  }, needs);
  return { ...answer, again };
}

/** The JSON at a path, asked again every so many seconds. */
export function useJson(path, everySeconds = 0) {
  return useAsked((signal) => get(path, { signal }), [path], everySeconds);
}

/** Draws anew when events come, and has an answer asked for again shortly after those that count. */
export function useEvents(counts, again) {
  const [, draw] = useState(0);
  useEffect(() => {
    let newest = events.all[0];
    let soon = 0;
    const stop = events.follow(() => {
      draw((n) => n + 1);
      const come = [];
      for (const each of events.all) {
        if (each === newest) {
          break;
        }
        come.push(each);
      }
      newest = events.all[0];
      if (again && !soon && come.some(counts)) {
        soon = setTimeout(() => {
          soon = 0;
          again();
        }, 300);
      }
    });
    return () => {
      stop();
      clearTimeout(soon);
    };
  }, [again]);
  return events;
}

/** A moment: local time, and UTC for who points at it. */
export function Time({ at }) {
  return at
    ? html`<time datetime=${new Date(at).toISOString()} title=${utc(at)}>${local(at)}</time>`
    : "–";
}

const STATES = {
  INSTALLED: ["good", "✓", "installed"],
  READY: ["good", "✓", "ready"],
  UP: ["good", "✓", "up"],
  PENDING: ["wait", "…", "pending"],
  CONNECTING: ["wait", "…", "connecting"],
  RECONCILING: ["wait", "…", "reading back"],
  UNKNOWN: ["wait", "?", "unknown"],
  FAILED: ["bad", "✕", "failed"],
  REFUSING: ["bad", "✕", "refusing"],
  CLOSED: ["bad", "✕", "closed"],
  DOWN: ["bad", "✕", "down"],
  SUSPENDED: ["held", "‖", "suspended"],
};

/** A state: a word with a sign and a colour that say the same. */
export function State({ of, title }) {
  const [tone, sign, word] = STATES[of] ?? ["wait", "?", String(of).toLowerCase()];
  return html`<span class="state ${tone}" title=${title}><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** The worst state of a declaration's targets. */
export function worst(targets) {
  return (
    ["FAILED", "PENDING"].find((state) => targets.some((each) => each.state === state)) ?? "INSTALLED"
  );
}

/** Why something was refused, with each field. */
export function Refusal({ problem, again }) {
  return html`<div class="refusal" role="alert">
    <p>${problem.message}</p>
    ${problem.errors?.length > 1 &&
    html`<ul>
      ${problem.errors.map(
        (each) =>
          html`<li><code>${each.line ? `line ${each.line}: ` : ""}${each.field}</code> is ${each.value}; allowed: ${each.allowed}</li>`,
      )}
    </ul>`}
    ${again && html`<button onClick=${again}>Try again</button>`}
  </div>`;
}

/** What an answer that is awaited looks like until it is there, or if it does not come. */
export function Awaited({ of, children }) {
  if (of.value !== undefined) {
    return html`${of.problem && html`<${Refusal} problem=${of.problem} again=${of.again} />`}${children(of.value)}`;
  }
  return of.problem
    ? html`<${Refusal} problem=${of.problem} again=${of.again} />`
    : html`<p class="loading">Loading…</p>`;
}

export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

/** A titled part of a view. */
export function Panel({ title, aside, children, wide }) {
  return html`<section class=${wide ? "panel wide" : "panel"} aria-label=${title}>
    <header><h2>${title}</h2>${aside && html`<div class="aside">${aside}</div>`}</header>
    ${children}
  </section>`;
}

/**
 * A table that is scrolled sideways where there is no room.
 *
 * @param head the columns' names: an array around that of numbers, null for bars, which phones leave out
 */
export function Table({ label, head, children }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table>
      <thead><tr>${head.map((each) =>
        each === "" || each === null
          ? html`<td class=${each === null ? "barcell" : undefined}></td>`
          : Array.isArray(each)
            ? html`<th scope="col" class="number">${each[0]}</th>`
            : html`<th scope="col">${each}</th>`,
      )}</tr></thead>
      <tbody>${children}</tbody>
    </table>
  </div>`;
}

/** A bar for a part of a whole; the number stands beside it. */
export function Bar({ part, tone = "got", label, mark }) {
  const width = Math.max(0, Math.min(1, part || 0));
  return html`<span class="bar" role="img" aria-label=${label}>
    <span class=${tone} style=${{ width: `${width * 100}%` }}></span>
    ${mark !== undefined && html`<i style=${{ left: `${Math.min(1, mark) * 100}%` }}></i>`}
  </span>`;
}

/** Names and values beside each other. */
export function Facts({ of }) {
  return html`<dl class="facts">
    ${of
      .filter((each) => each && each[1] !== undefined && each[1] !== null && each[1] !== "")
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Copies a request as a command for a terminal. */
export function Curl({ of, small }) {
  const [copied, setCopied] = useState(false);
  const [shown, setShown] = useState(false);
  const command = curl({ method: "GET", ...of });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      // Browsers have no clipboard for pages without TLS: there it is to be marked by hand.
      setShown(!shown);
    }
  };
  return html`<span class="curl">
    <button class=${small ? "quiet small" : "quiet"} onClick=${copy} title=${command} aria-label=${copied ? undefined : "Copy as curl"}>${copied ? "Copied" : small ? "curl" : "Copy as curl"}</button>
    ${shown && html`<code class="command">${command}</code>`}
  </span>`;
}

const ROLES = ["read", "operate", "admin"];

/** Whether a caller's role includes another. */
export function may(caller, role) {
  return ROLES.indexOf(caller.role) >= ROLES.indexOf(role);
}

/** A window over the page, which the keyboard does not leave before it is closed. */
export function Dialog({ title, onClose, children }) {
  const window = useRef(null);
  useEffect(() => {
    window.current.showModal();
  }, []);
  return html`<dialog ref=${window} onClose=${onClose} aria-label=${title}>
    <header><h2>${title}</h2><button class="quiet" onClick=${() => window.current.close()}>Close</button></header>
    ${children}
  </dialog>`;
}

const JSON_TYPE = "application/json";
const MERGE_TYPE = "application/merge-patch+json";

/** The request for a change as it is sent: with the type that its method takes. */
export function changeOf(method, path, value) {
  return {
    method,
    path,
    body: value === undefined ? undefined : JSON.stringify(value),
    type: method === "PATCH" ? MERGE_TYPE : JSON_TYPE,
  };
}

function sent(change, query, tag) {
  const headers = {};
  if (change.body !== undefined) {
    headers["Content-Type"] = change.type;
  }
  if (tag) {
    headers["If-Match"] = tag;
  }
  const path = change.path + (change.path.includes("?") ? "&" : "?") + query;
  return send(path, { method: change.method, body: change.body, headers });
}

const LIMITERS = { fpga: "the FPGA", shape: "the switch, which shapes", police: "meters, which drop what is above" };

const NAMES = {
  downBps: "down",
  upBps: "up",
  burstBytes: "burst",
  downBurstBytes: "burst down",
  upBurstBytes: "burst up",
  downCommittedBps: "committed down",
  upCommittedBps: "committed up",
};

/** A number with the unit that its name says. */
function united(name, value) {
  if (typeof value !== "number") {
    return String(value);
  }
  return /Bps$/.test(name) ? rate(value) : /Bytes$/.test(name) ? `${count(value)} byte` : count(value);
}

/** By which part a granted number differs from the one that was asked for. */
function by(requested, granted, name) {
  const asked = requested[name];
  return typeof asked === "number" && asked > 0 && typeof granted[name] === "number"
    ? Math.abs(granted[name] / asked - 1)
    : 0;
}

/** Which limiter enforces a direction, and what others would have granted. */
function Enforced({ direction, granted }) {
  const limiter = granted?.[`${direction}Limiter`];
  const others = Object.entries(granted?.[`${direction}OtherLimiters`] ?? {});
  return (
    limiter &&
    html`<li>${direction === "down" ? "Down" : "Up"} is enforced by ${LIMITERS[limiter] ?? limiter}${others.length > 0 &&
    html` <span class="soft">(${others.map(([name, value]) => `${LIMITERS[name]?.split(",")[0] ?? name} would grant ${rate(value)}`).join(", ")})</span>`}.</li>`
  );
}

/** What was asked for beside what the targets can represent, and by which limiters. */
export function Granted({ requested = {}, granted = {} }) {
  const names = [...new Set([...Object.keys(requested), ...Object.keys(granted)])].filter(
    (name) => !/Limiters?$/.test(name),
  );
  if (names.length === 0) {
    return null;
  }
  const told = (of, name) => (of[name] === undefined ? "" : united(name, of[name]));
  return html`<${Table} label="Requested and granted" head=${["", ["requested"], ["granted"]]}>
      ${names.map(
        (name) => html`<tr>
          <th scope="row">${NAMES[name] ?? name}</th>
          <td class="number">${told(requested, name)}</td>
          <td class=${by(requested, granted, name) > 0.02 ? "number differs" : "number"} title=${`${granted[name]}`}>${told(granted, name)}${by(requested, granted, name) > 0 && html` <small>${granted[name] > requested[name] ? "+" : "−"}${percent(by(requested, granted, name))}</small>`}</td>
        </tr>`,
      )}
    <//>
    <ul class="notes"><${Enforced} direction="down" granted=${granted} /><${Enforced} direction="up" granted=${granted} /></ul>`;
}

/** What a dry run says: what would be granted, and what would be written to which target. */
function Outlook({ told }) {
  const plan = Object.entries(told.plan ?? {});
  return html`<div class="outlook">
    <${Granted} requested=${told.requested} granted=${told.granted} />
    ${told.notes?.length > 0 && html`<ul class="notes">${told.notes.map((each) => html`<li>${each}</li>`)}</ul>`}
    <p>
      ${plan.every(([, writes]) => writes.length === 0)
        ? "No target has to be written: nothing changes there."
        : plan
            .filter(([, writes]) => writes.length > 0)
            .map(([target, writes]) => `${plural(writes.length, "write")} to ${target}`)
            .join(", ")}
    </p>
    ${plan.some(([, writes]) => writes.length > 0) &&
    html`<details>
      <summary>Each write</summary>
      <pre>${plan
        .flatMap(([target, writes]) => writes.slice(0, 200).map((each) => `${target}  ${JSON.stringify(each)}`))
        .join("\n")}</pre>
    </details>`}
  </div>`;
}

/**
 * A change: its dry run first, and only then the change, made if the same has not changed
 * meanwhile.
 */
export function Change({ title, change, tag, onClose, onMade, children }) {
  const [dry, setDry] = useState({});
  const [made, setMade] = useState({});
  const key = JSON.stringify(change);
  useEffect(() => {
    let isOld = false;
    // What was made is in force by now, so that the fields ask for no change any more.
    if (made.told) {
      return undefined;
    }
    setMade({});
    if (!change) {
      setDry({});
      return undefined;
    }
    // Not with each letter that is typed.
    const soon = setTimeout(async () => {
      try {
        const answer = await sent(change, "dryRun=true", tag);
        isOld || setDry({ key, told: JSON.parse(answer.text) });
      } catch (problem) {
        isOld || setDry({ key, problem });
      }
    }, 200);
    return () => {
      isOld = true;
      clearTimeout(soon);
    };
  }, [key, tag]);
  const isKnown = change && dry.key === key;
  const make = async () => {
    setMade({ isUnderWay: true });
    try {
      const answer = await sent(change, "waitMillis=2000", tag);
      setMade({ told: answer.text ? JSON.parse(answer.text) : {} });
      onMade?.();
    } catch (problem) {
      setMade({ problem });
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <div class="change">
      ${children}
      ${made.told
        ? html`<p class="made" role="status">
            Made.${" "}${made.told.targets &&
            (worst(made.told.targets) === "INSTALLED"
              ? "Every target holds it."
              : "The targets do not hold it yet; the controller goes on until they do.")}
          </p>`
        : html`
            <h3>What it would do</h3>
            ${!change
              ? html`<p class="loading">Fill in what is to change.</p>`
              : !isKnown
                ? html`<p class="loading">Asking…</p>`
                : dry.problem
                  ? html`<${Refusal} problem=${dry.problem} />`
                  : html`<${Outlook} told=${dry.told} />`}
            ${made.problem && html`<${Refusal} problem=${made.problem} />`}
          `}
      <footer>
        ${change && html`<${Curl} of=${change} />`}
        ${made.told
          ? html`<button class="main" onClick=${onClose}>Done</button>`
          : html`<button class="main" disabled=${!isKnown || dry.problem || made.isUnderWay} onClick=${make}>
              ${made.isUnderWay ? "Making it…" : "Make this change"}
            </button>`}
      </footer>
    </div>
  <//>`;
}

/** Keeps a view that fails from taking the page with it. */
export class Guarded extends Component {
  state = {};

  static getDerivedStateFromError(error) {
    return { error };
  }

  render({ children }, { error }) {
    return error
      ? html`<div class="refusal" role="alert"><p>This view has failed: ${error.message}. Load the page anew; if that does not help, the API tells the same.</p></div>`
      : children;
  }
}

const WORDS = {
  "declaration.put": "declared",
  "declaration.deleted": "deleted",
  "declaration.scheduled": "came into force by its schedule",
  "declaration.refused": "refused",
  "declaration.installed": "installed",
  "declaration.failed": "not installed",
  "target.session": "session",
  "target.compared": "compared: nothing differed",
  "target.drift-mended": "differed, and was mended",
  "next-hop.resolved": "next hop answers",
  "next-hop.unanswered": "next hop does not answer",
  "store.state": "store",
  "switch.put": "came",
  "switch.deleted": "went",
  "controller.started": "started",
  "events.gap": "events are missing here",
};

const TONES = {
  "declaration.refused": "bad",
  "declaration.failed": "bad",
  "next-hop.unanswered": "bad",
  "target.drift-mended": "wait",
  "events.gap": "wait",
};

/** The type of an event without the beginning that all have. */
export const typeOf = (event) => event.type.replace("net.sluice.", "");

/** The view of the subject of an event; null if there is none. */
function place(subject) {
  const [kind, ...id] = (subject ?? "").split("/");
  return { subscribers: `#/subscribers/${id}`, targets: "#/switches", switches: "#/switches" }[kind] ?? null;
}

/** Events of one kind that came at once, as one line each: the newest, and how many more. */
export function grouped(all, most) {
  const lines = [];
  const kindOf = (event) => `${event.type} ${(event.subject ?? "").split("/")[0]} ${event.data?.target} ${event.data?.state}`;
  for (const event of all) {
    const last = lines.at(-1);
    if (last && kindOf(last.event) === kindOf(event) && Date.parse(last.event.time) - Date.parse(event.time) < AT_ONCE_MILLIS) {
      last.more++;
    } else if (lines.length === most) {
      break;
    } else {
      lines.push({ event, more: 0 });
    }
  }
  return lines;
}

const AT_ONCE_MILLIS = 10_000;

/** What a comparison of a target found, in words. */
function compared({ read, changed, foreign, rewritten, tookMillis }) {
  const found = [
    [changed, "set to what is declared"],
    [rewritten, "written"],
    [foreign, "removed"],
  ]
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${count(number)} ${words}`);
  return `${plural(read, "entry", "entries")} read back in ${millis(tookMillis)}${found.length > 0 ? `: ${found.join(", ")}` : ""}`;
}

/** One event as a line of a list. */
export function EventLine({ event, more: others = 0 }) {
  const type = typeOf(event);
  const isComparison = type.startsWith("target.") && event.data?.read !== undefined;
  const { target, state, error, detail, reason, ...more } = isComparison ? { detail: compared(event.data) } : (event.data ?? {});
  const told = [target && `at ${target}`, state?.toLowerCase(), reason, detail, error].filter(Boolean);
  const rest = Object.entries(more)
    .filter(([, value]) => typeof value !== "object")
    .map(([name, value]) => `${name} ${value}`);
  const at = place(event.subject);
  return html`<li class="event">
    <${Time} at=${event.time} />
    <span class="subject">${at ? html`<a href=${at}>${event.subject}</a>` : event.subject}${others > 0 && html` <small>and ${count(others)} more</small>`}</span>
    <span class="what ${TONES[type] ?? ""}">${WORDS[type] ?? type}${told.length + rest.length > 0 ? " · " : ""}${[...told, ...rest].join(" · ")}</span>
  </li>`;
}

/** Moves the focus among the links of a list with the arrows. */
export function walk(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") {
    return;
  }
  const links = [...event.currentTarget.querySelectorAll("[data-walk]")];
  const at = links.indexOf(document.activeElement);
  const to = links[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at >= 0 && to) {
    event.preventDefault();
    to.focus();
  }
}
