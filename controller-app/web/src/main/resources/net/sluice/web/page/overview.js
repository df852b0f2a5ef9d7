// The network at a glance: one sentence, what needs attention, throughput, and the latest events.

import { useRef } from "preact/hooks";
import { get, getIfThere, part } from "./api.js";
import { count, millis, percent, plural, rate } from "./format.js";
import { Awaited, Bar, Empty, EventLine, Panel, State, Table, grouped, html, typeOf, useAsked, useEvents } from "./parts.js";

const EVERY_SECONDS = 5;

/** What is known of each switch: of one the status itself tells it. */
export function switchesOf(status) {
  return status.switches ?? [{ switch: null, ...status }];
}

async function look(signal) {
  const [status, subscribers, nextHops] = await Promise.all([
    get("status", { signal }),
    get("subscribers?limit=1&fields=targets", { signal }),
    get("next-hops", { signal }),
  ]);
  return { status, total: subscribers.total, nextHops: nextHops.nextHops ?? [] };
}

const nameOf = (each) => (each.switch ? `${each.switch} ` : "");
// A switch that is the only one has no name in the status, and this one everywhere else.
const portAt = (each, port) => `#/ports/${part(each.switch ?? "switch")}/${port.port}`;

/** From this part of its speed on a port may be congested. */
const BUSY = 0.7;
const MOST_BUSY = 8;

/** The busiest ports at which subscribers offer more than the port carries. */
async function congested(status, signal) {
  const busy = switchesOf(status)
    .flatMap((each) => (each.ports ?? []).map((port) => ({ each, port })))
    .filter(({ port }) => port.utilisation >= BUSY)
    .sort((a, b) => b.port.utilisation - a.port.utilisation)
    .slice(0, MOST_BUSY);
  const told = await Promise.all(
    busy.map(({ each, port }) => getIfThere("shares", `switches/${part(each.switch ?? "switch")}/ports/${port.port}/shares`, { signal }).catch(() => undefined)),
  );
  return busy.flatMap((at, i) =>
    ["down", "up"].filter((direction) => told[i]?.[direction]?.congested).map((direction) => ({ ...at, shares: told[i][direction] })),
  );
}

/** All that a person has to look at, worst first, each with what to do. */
function concerns({ status, nextHops }, crowded) {
  const found = [];
  const add = (tone, what, cure, href) => found.push({ tone, what, cure, href });
  if (status.store?.state === "FAILED") {
    add("bad", `The store cannot be written: ${status.store.error}`, "Free or repair its disk; changes are refused until then, and it is tried again by itself.");
  }
  for (const lack of status.lacking ?? []) {
    add("bad", `Changes lack ${lack.need}: ${lack.reason}`, "They are refused until it is there.");
  }
  for (const target of status.targets) {
    if (target.session === "REFUSING") {
      add("bad", `${target.target} is not corrected: ${target.detail ?? "that would delete too much of it"}`, "Look at what differs, then adopt it or repair the target.", "#/switches");
    } else if (target.session !== "READY") {
      add("bad", `${target.target} is out of step: ${target.detail ?? target.session.toLowerCase()}`, "What is declared is written when it is back. See that it runs and can be reached.", "#/switches");
    }
    if (target.failed > 0) {
      add("bad", `${target.target} has refused ${plural(target.failed, "declaration")}`, "See why; each is tried again by itself.", "#/subscribers?state=FAILED");
    }
  }
  for (const each of switchesOf(status)) {
    if (each.portSession && each.portSession !== "READY") {
      add("wait", `Ports of ${nameOf(each) || "the switch "}are not known: ${each.portDetail ?? "gNMI is not connected"}`, "See that the switch's gNMI server can be reached.", "#/ports");
    }
    for (const port of each.ports ?? []) {
      if (port.state === "DOWN") {
        add(port.enabled === false ? "wait" : "bad", `Port ${nameOf(each)}${port.name ?? port.port} is down`, port.enabled === false ? "It is switched off." : "See to its cable and to the other end.", portAt(each, port));
      } else if (port.utilisation >= 0.95 && !crowded.some((it) => it.port.port === port.port && it.each.switch === each.switch)) {
        add("wait", `Port ${nameOf(each)}${port.name ?? port.port} is full: ${percent(port.utilisation)} of ${rate(port.rateBps)}`, "Packets of least value are dropped there; see who shares it.", portAt(each, port));
      }
      if (port.note) {
        add("wait", `Port ${nameOf(each)}${port.name ?? port.port}: ${port.note}`, "It is used as the switch has it.", portAt(each, port));
      }
    }
    for (const table of each.tables ?? []) {
      if (table.note) {
        add("wait", `${nameOf(each)}${table.resource}: ${count(table.used)} of ${count(table.size)} used`, "What is declared beyond that is refused.", "#/switches");
      }
    }
    if (each.conflicts > 0) {
      add("wait", `${plural(each.conflicts, "declaration")} stored${each.switch ? ` at ${each.switch}` : ""} and not in force`, "Declare or forget each.", "#/conflicts");
    }
    if (each.leaving > 0) {
      add("wait", `${plural(each.leaving, "subscriber")} on the way to another switch`, "The old switch serves them until the new one does.");
    }
  }
  for (const { each, port, shares } of crowded) {
    const held = shares.heldBack.length;
    add("wait", `Port ${nameOf(each)}${port.name ?? port.port} is congested: ${plural(shares.subscribers, "subscriber")} offer ${rate(shares.offeredBps)} to ${rate(shares.rateBps)}`, held > 0 ? `It holds back ${held === 20 ? "20 or more" : count(held)} by their policies.` : "", portAt(each, port));
  }
  for (const hop of nextHops) {
    if (hop.state === "unanswered") {
      add("bad", `Next hop ${hop.address} at port ${hop.switch} ${hop.port} does not answer`, `Packets to it are dropped (${count(hop.packetsDropped)} so far). See that it is up.`, "#/ports");
    }
  }
  for (const note of status.notes ?? []) {
    add("wait", note, "");
  }
  return found.sort((a, b) => (a.tone === b.tone ? 0 : a.tone === "bad" ? -1 : 1));
}

/** The one sentence about everything. */
function sentence({ status, total }, found, crowded) {
  const targets = status.targets;
  const pending = targets.reduce((sum, each) => sum + each.pending, 0);
  const failed = targets.reduce((sum, each) => sum + each.failed, 0);
  const away = targets.filter((each) => each.session !== "READY");
  const full = new Set([
    ...switchesOf(status).flatMap((each) => (each.ports ?? []).filter((port) => port.utilisation >= 0.95).map((port) => `${each.switch} ${port.port}`)),
    ...crowded.map(({ each, port }) => `${each.switch} ${port.port}`),
  ]).size;
  const words = [
    `${plural(total, "subscriber")} on ${plural(switchesOf(status).length, "switch", "switches")}`,
    total === 0 ? "" : failed > 0 ? `, ${count(failed)} refused` : pending > 0 ? `, ${count(pending)} on their way` : status.allInstalled ? ", all installed" : "",
    full > 0 ? `; ${plural(full, "port")} congested` : "",
    away.length > 0 ? `; ${plural(away.length, "target")} out of step` : "",
  ];
  return `${words.join("")}${found.length === 0 ? "; nothing needs you." : "."}`;
}

function Throughput({ status }) {
  const all = switchesOf(status).flatMap((each) => (each.ports ?? []).map((port) => ({ each, port })));
  if (all.length === 0) {
    return html`<${Empty}>Rates of ports come from the switch's gNMI server: name it with <code>--gnmi</code>.<//>`;
  }
  const known = all.filter(({ port }) => port.outBps !== undefined);
  const busiest = [...known].sort((a, b) => (b.port.utilisation ?? 0) - (a.port.utilisation ?? 0)).slice(0, 8);
  return html`
    <p class="big">${rate(known.reduce((sum, { port }) => sum + port.outBps, 0))} <span>leaving by ${plural(all.length, "port")}</span></p>
    <${Table} label="Busiest ports" head=${["Port", null, ["out"], ["in"], ["of"]]}>
      ${busiest.map(
        ({ each, port }) => html`<tr>
          <th scope="row"><a href=${portAt(each, port)}>${nameOf(each)}${port.name ?? port.port}</a></th>
          <td class="barcell"><${Bar} part=${port.utilisation} label=${`${percent(port.utilisation)} used`} /></td>
          <td class="number">${rate(port.outBps)}</td>
          <td class="number">${rate(port.inBps)}</td>
          <td class="number">${rate(port.rateBps)}</td>
        </tr>`,
      )}
    <//>
    ${known.length === 0 && html`<${Empty}>Two samples of the ports' counters are needed; the next one comes in seconds.<//>`}
  `;
}

const TOPS = [
  ["rate", "Most traffic", (each) => rate(each.gotBps)],
  ["drops", "Most dropped under limits", (each) => rate((each.policedBps ?? 0) + (each.overflowedBps ?? 0) + (each.droppedBps ?? 0))],
  // The 95th percentile, where the answer has percentiles.
  ["delay", "Longest delay under limits", (each) => millis(each.delayMillis?.p95 ?? each.delayMillis)],
];

const NONE = { rate: "No traffic was measured in the last minute.", drops: "No drop under a limit was measured in the last minute.", delay: "No wait under a limit was measured in the last minute." };

function Tops() {
  const tops = useAsked(
    (signal) => Promise.all(TOPS.map(([by]) => getIfThere("top", `top?by=${by}&direction=down&limit=8`, { signal }))),
    [],
    30,
  );
  return html`<${Awaited} of=${tops}>${(lists) =>
    lists[0] === undefined
      ? html`<${Empty}>This controller does not measure usage: start it with <code>--usage-interval 1m</code>.<//>`
      : html`<div class="columns">
          ${TOPS.map(
            ([by, title, written], i) => html`<div>
              <h3>${title}, down</h3>
              ${lists[i].top.length === 0
                ? html`<${Empty}>${lists[i].at ? NONE[by] : "The first figures come two minutes after the start."}<//>`
                : html`<ol class="top-list">
                    ${lists[i].top.map(
                      (each) => html`<li><a href=${`#/subscribers/${part(each.id)}`}>${each.id}</a><span class="number">${written(each)}</span></li>`,
                    )}
                  </ol>`}
            </div>`,
          )}
        </div>`}<//>`;
}

export function Overview() {
  const seen = useAsked(look, [], EVERY_SECONDS);
  // Beside the rest, which does not wait for what has to be summed up.
  const latest = useRef(null);
  latest.current = seen.value;
  const crowds = useAsked((signal) => (latest.current ? congested(latest.current.status, signal) : Promise.resolve([])), [Boolean(seen.value)], 10);
  const { all } = useEvents((event) => !typeOf(event).startsWith("declaration."), seen.again);
  return html`<${Awaited} of=${seen}>${(now) => {
    const crowded = crowds.value ?? [];
    const found = concerns(now, crowded);
    return html`
      <h1 class="sentence">${sentence(now, found, crowded)}</h1>
      <div class="grid">
        ${found.length > 0 &&
        html`<${Panel} title="Needs attention" wide>
          <ul class="concerns">
            ${found.map(
              (each) => html`<li class=${each.tone}>
                <span class="sign" aria-hidden="true">${each.tone === "bad" ? "✕" : "!"}</span>
                <div><b>${each.what}</b>${each.cure && html` <span class="cure">${each.cure}</span>`}${each.href && html` <a href=${each.href}>Look</a>`}</div>
              </li>`,
            )}
          </ul>
        <//>`}
        <${Panel} title="Throughput"><${Throughput} status=${now.status} /><//>
        <${Panel} title="Targets">
          <${Table} label="Targets" head=${["Target", "Session", ["installed"], ["pending"], ["failed"]]}>
            ${now.status.targets.map(
              (each) => html`<tr>
                <th scope="row"><a href="#/switches">${each.target}</a></th>
                <td><${State} of=${each.session} title=${each.detail} /></td>
                <td class="number">${count(each.installed)}</td>
                <td class="number">${count(each.pending)}</td>
                <td class=${each.failed > 0 ? "number differs" : "number"}>${count(each.failed)}</td>
              </tr>`,
            )}
          <//>
          ${now.total === 0 &&
          html`<${Empty}>There are no subscribers yet. <a href="#/subscribers">Declare a subscriber</a>, or import some: <code>sluice import FILE</code>.<//>`}
        <//>
        <${Panel} title="Top lists" wide><${Tops} /><//>
        <${Panel} title="Latest events" wide aside=${html`<a href="#/events">All events</a>`}>
          ${all.length === 0
            ? html`<${Empty}>None yet. Changes and sessions are told here as they happen.<//>`
            : html`<ul class="events">${grouped(all, 8).map(({ event, more }) => html`<${EventLine} key=${event.id} event=${event} more=${more} />`)}</ul>`}
        <//>
      </div>
    `;
  }}<//>`;
}
