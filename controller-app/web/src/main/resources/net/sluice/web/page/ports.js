// Ports: what they carry and drop, how their queues are managed, and who is at the other end.

import { get, getIfThere, part } from "./api.js";
import { bytes, count, percent, plural, rate } from "./format.js";
import { Charts, Usage } from "./chart.js";
import { useLive } from "./live.js";
import { Awaited, Bar, Curl, Empty, Facts, Panel, State, Table, Time, html, useAsked, walk } from "./parts.js";

const EVERY_SECONDS = 5;

async function look(signal) {
  const [all, queues, drops, wires, hops] = await Promise.all(
    ["switches", "queues", "drops", "wires", "next-hops"].map((path) => get(path, { signal }).catch((e) => {
      // A switch that cannot be read has no counters, and the rest is told all the same.
      if (e.status === 503) {
        return {};
      }
      throw e;
    })),
  );
  return {
    switches: all.switches ?? [],
    queues: queues.queues ?? [],
    drops: drops.drops ?? [],
    wires: wires.wires ?? [],
    hops: hops.nextHops ?? [],
    unread: queues.unread ?? [],
  };
}

const hrefOf = (each, port) => `#/ports/${part(each.id)}/${port.port}`;

/**
 * The BNG ports that lead through a switch port: as the switch's document says or, where it has
 * none, those at which somebody is attached.
 */
async function bngPortsOf(id, number, signal) {
  const { declared } = await get(`switches/${part(id)}`, { signal });
  const known = declared?.topology?.bngPorts;
  if (known) {
    return { all: Object.keys(known).filter((bng) => String(known[bng]) === number) };
  }
  const pages = await Promise.all(
    [...Array(8).keys()].map((bng) => get(`subscribers?switch=${part(id)}&port=${bng}&limit=1&fields=declared`, { signal })),
  );
  return { isGuess: true, all: pages.flatMap((page, bng) => (page.items.length > 0 ? [String(bng)] : [])) };
}

/** What reasons of drops mean, in words. */
const REASONS = {
  "below-threshold": "worth less than the congested port's threshold",
  policed: "above a policed rate",
  "shaping-buffer": "no room to wait under a limit",
  "limit-codel": "dropped by CoDel under a limit",
  "limit-wait": "would have waited too long under a limit",
  suspended: "of a suspended subscriber",
  "no-subscriber": "of no subscriber",
  "spoofed-source": "with somebody else's source address",
  "no-route": "without a route",
  "ttl-expired": "whose time to live was over",
  "unknown-port": "at a port of no role",
  "bad-checksum": "with a broken checksum",
  "not-ip": "not IP",
  "no-sidecar": "while the FPGA was away",
};

function Drops({ drops }) {
  const seen = drops.filter((each) => each.packets > 0).sort((a, b) => b.packets - a.packets);
  return seen.length === 0
    ? html`<${Empty}>No packet has been dropped since the switches' programs were loaded.<//>`
    : html`<${Table} label="Dropped packets" head=${["Why", "Switch", ["packets"], ["bytes"]]}>
        ${seen.map(
          (each) => html`<tr>
            <th scope="row">${REASONS[each.reason] ?? each.reason}</th>
            <td>${each.switch}</td>
            <td class="number">${count(each.packets)}</td>
            <td class="number">${bytes(each.bytes)}</td>
          </tr>`,
        )}
      <//>`;
}

function Queues({ queues }) {
  return html`<${Table} label="Managed queues" head=${["Port", "Queue", "Managed by", ["dropped"], ["marked"], ["cycles"]]}>
    ${queues.map((each) => {
      const aqm = each.aqm ?? {};
      return html`<tr>
        <th scope="row">${each.switch ? `${each.switch} ` : ""}${each.port}</th>
        <td>${each.queue}</td>
        <td>${each.rio ? "RIO" : (aqm.kind ?? "–")}${aqm.targetMicros ? ` to ${aqm.targetMicros / 1000} ms` : ""}${each.policy ? html` <small>as policy ${each.policy} says</small>` : ""}</td>
        <td class="number">${count(each.droppedPackets)}</td>
        <td class="number">${count(each.markedPackets)}</td>
        <td class="number">${count(each.cycles)}</td>
      </tr>`;
    })}
  <//>`;
}

function Ports({ query }) {
  const seen = useAsked(look, [], EVERY_SECONDS);
  const only = query.get("switch");
  return html`<h1>Ports</h1><${Awaited} of=${seen}>${({ switches, queues, drops, hops }) => {
    const shown = switches.filter((each) => !only || each.id === only);
    const all = shown.flatMap((each) => (each.ports ?? []).map((port) => ({ each, port })));
    return html`
      <${Panel} title=${only ? `Ports of ${only}` : "All ports"} wide aside=${only && html`<a href="#/ports">All ports</a>`}>
        ${all.length === 0
          ? html`<${Empty}>Ports are told by the switch's gNMI server: name it at the start with <code>--gnmi</code>.<//>`
          : html`<div onKeyDown=${walk}><${Table} label="Ports" head=${["Port", "State", ["out"], null, ["in"], ["of"], ["discards"], ["errors"]]}>
              ${all.map(
                ({ each, port }) => html`<tr>
                  <th scope="row"><a data-walk href=${hrefOf(each, port)}>${switches.length > 1 ? `${each.id} ` : ""}${port.port}${port.name && port.name !== String(port.port) ? html` <small>${port.name}</small>` : ""}</a></th>
                  <td><${State} of=${port.state} title=${port.note} /></td>
                  <td class="number">${rate(port.outBps)}</td>
                  <td class="barcell"><${Bar} part=${port.utilisation} label=${`${percent(port.utilisation)} used`} /></td>
                  <td class="number">${rate(port.inBps)}</td>
                  <td class="number">${rate(port.rateBps)}</td>
                  <td class="number">${count((port.inDiscards ?? 0) + (port.outDiscards ?? 0))}</td>
                  <td class="number">${count((port.inErrors ?? 0) + (port.outErrors ?? 0))}</td>
                </tr>`,
              )}
            <//></div>`}
      <//>
      <div class="grid">
        <${Panel} title="Dropped, by reason" aside=${html`<${Curl} small of=${{ path: "drops" }} />`}><${Drops} drops=${drops} /><//>
        ${queues.length > 0 && html`<${Panel} title="Managed queues" aside=${html`<${Curl} small of=${{ path: "queues" }} />`}><${Queues} queues=${queues} /><//>`}
        ${hops.length > 0 &&
        html`<${Panel} title="Next hops">
          <${Table} label="Next hops" head=${["Address", "Port", "State", ["dropped"]]}>
            ${hops.map(
              (hop) => html`<tr><th scope="row">${hop.address}</th><td>${hop.switch} ${hop.port}</td><td>${hop.state}</td><td class="number">${count(hop.packetsDropped)}</td></tr>`,
            )}
          <//>
        <//>`}
      </div>
    `;
  }}<//>`;
}

/** A bar of the port's speed, of which each policy has its piece. */
function Shares({ told }) {
  const whole = Math.max(told.rateBps, told.gotBps, 1);
  const name = (each) => `${each.policy}: ${rate(each.gotBps)}`;
  return html`
    <p>${told.congested ? html`<span class="state bad"><span aria-hidden="true">✕</span> congested</span>` : html`<span class="state good"><span aria-hidden="true">✓</span> all fits</span>`}
      ${" "}${plural(told.subscribers, "subscriber")} ${told.subscribers === 1 ? "offers" : "offer"} ${rate(told.offeredBps)} and ${told.subscribers === 1 ? "gets" : "get"} ${rate(told.gotBps)} of ${rate(told.rateBps)}.</p>
    <div class="stacked" role="img" aria-label=${told.policies.map(name).join(", ")}>
      ${told.policies.map((each, i) => html`<i class=${`part${i % 6}`} style=${{ width: `${(100 * each.gotBps) / whole}%` }} title=${name(each)}></i>`)}
    </div>
    <${Table} label="Shares by policy" head=${["Policy", ["subscribers"], ["offered"], ["got"], ["of the port"], ["dropped from"]]}>
      ${told.policies.map(
        (each, i) => html`<tr>
          <th scope="row"><i class=${`patch part${i % 6}`}></i> <a href=${`#/subscribers?policy=${part(each.policy)}`}>${each.policy}</a></th>
          <td class="number">${count(each.subscribers)}</td>
          <td class="number">${rate(each.offeredBps)}</td>
          <td class="number">${rate(each.gotBps)}</td>
          <td class="number">${percent(each.gotBps / told.rateBps)}</td>
          <td class="number">${each.thresholdBps === undefined ? "–" : rate(each.thresholdBps)}</td>
        </tr>`,
      )}
    <//>
    ${told.congested && html`<p class="hint">Dropped from: the rate of one subscriber at which its packets are worth what the port still carries.</p>`}
  `;
}

function HeldBack({ told }) {
  return told.heldBack.length === 0
    ? html`<${Empty}>The port holds back no subscriber.<//>`
    : html`<div onKeyDown=${walk}><${Table} label="Held back" head=${["Subscriber", "Policy", ["offered"], ["got"], null, ["entitled to"]]}>
        ${told.heldBack.map(
          (each) => html`<tr>
            <th scope="row"><a data-walk href=${`#/subscribers/${part(each.id)}`}>${each.id}</a></th>
            <td>${each.policy}</td>
            <td class="number">${rate(each.offeredBps)}</td>
            <td class="number">${rate(each.gotBps)}</td>
            <td class="barcell"><${Bar} part=${each.gotBps / each.offeredBps} label=${`got ${percent(each.gotBps / each.offeredBps)} of what it offered`} /></td>
            <td class="number">${rate(each.entitledBps)}</td>
          </tr>`,
        )}
      <//></div>`;
}

const WAYS = { down: "towards subscribers", up: "from subscribers" };

/** Who shares a port of a switch, in each direction in which somebody does. */
function Sharing({ name, number }) {
  const path = `switches/${part(name)}/ports/${part(number)}/shares`;
  const shares = useAsked((signal) => getIfThere("shares", path, { signal }).then((it) => it ?? null), [path], 10);
  return html`<${Awaited} of=${shares}>${(told) =>
    told &&
    ["down", "up"]
      .filter((direction) => told[direction])
      .map(
        (direction) => html`<div class="grid">
          <${Panel} title=${`Who shares it, ${WAYS[direction]}`} aside=${html`<${Curl} small of=${{ path }} />`}><${Shares} told=${told[direction]} /><//>
          <${Panel} title=${`Held back, ${WAYS[direction]}`}><${HeldBack} told=${told[direction]} /><//>
        </div>`,
      )}<//>`;
}

/** The rates of a port while its page is open. */
function Lately({ name, number }) {
  const points = (now) => {
    const port = now.ports?.find((it) => String(it.port) === number);
    return { down: port && { gotBps: port.outBps }, up: port && { gotBps: port.inBps } };
  };
  const live = useLive(`switches/${part(name)}`, points, `port ${name} ${number}`);
  return html`<${Panel} title="Last five minutes" wide>
    ${live.points.length < 2
      ? html`<${Empty}>Two readings are needed; the second comes in seconds.<//>`
      : html`<${Charts} points=${live.points} range="5 minutes" directions=${["out", "in"]} got="rate" />`}
  <//>`;
}

function Port({ steps }) {
  const [name, number] = steps;
  const seen = useAsked(look, [name, number], EVERY_SECONDS);
  const bngs = useAsked((signal) => bngPortsOf(name, number, signal), [name, number]);
  return html`<${Awaited} of=${seen}>${({ switches, queues, wires }) => {
    const each = switches.find((it) => it.id === name);
    const port = each?.ports?.find((it) => String(it.port) === number);
    const isHere = (it) => String(it.port) === number && (!it.switch || it.switch === name || switches.length === 1);
    const own = queues.filter(isHere);
    const wire = wires.find(isHere);
    return html`
      <h1>Port ${number} of ${name}${port?.name && port.name !== number ? ` (${port.name})` : ""}</h1>
      ${!port
        ? html`<${Empty}>There is no port of that number, or no gNMI session says anything about it. <a href="#/ports">All ports</a><//>`
        : html`<div class="grid">
            <${Panel} title="Now">
              <p class="big">${rate(port.outBps)} <span>out, of ${rate(port.rateBps)}</span></p>
              <p><${Bar} part=${port.utilisation} label=${`${percent(port.utilisation)} used`} /></p>
              <${Facts} of=${[
                ["State", html`<${State} of=${port.state} />${port.since && html` since <${Time} at=${port.since} />`}`],
                ["In", rate(port.inBps)],
                ["Used", percent(port.utilisation)],
                ["Note", port.note],
              ]} />
            <//>
            <${Panel} title="Since the switch started">
              <${Table} label="Counters" head=${["", ["out"], ["in"]]}>
                <tr><th scope="row">bytes</th><td class="number">${bytes(port.outOctets)}</td><td class="number">${bytes(port.inOctets)}</td></tr>
                <tr><th scope="row">discarded packets</th><td class="number">${count(port.outDiscards)}</td><td class="number">${count(port.inDiscards)}</td></tr>
                <tr><th scope="row">broken packets</th><td class="number">${count(port.outErrors)}</td><td class="number">${count(port.inErrors)}</td></tr>
                ${wire && html`<tr><th scope="row">of no subscriber (wire to port ${wire.partner})</th><td class="number">${bytes(wire.unknown.bytesOut)}</td><td class="number">${bytes(wire.unknown.bytesIn)}</td></tr>`}
              <//>
              ${own.length > 0 && html`<h3>Its queues</h3><${Queues} queues=${own} />`}
            <//>
          </div>`}
      ${port && html`<div class="grid"><${Lately} key=${`${name}/${number}`} name=${name} number=${number} /></div>`}
      <${Sharing} name=${name} number=${number} />
      <${Awaited} of=${bngs}>${({ all, isGuess }) => html`
        ${isGuess && all.length > 0 && html`<p class="hint">The switch's document does not say which BNG ports lead through this port. Here are all that have subscribers.</p>`}
        ${all.map((bng) => html`<${Panel}
          title=${`Usage of BNG port ${bng}`}
          wide
          aside=${html`<a href=${`#/subscribers?switch=${part(name)}&port=${bng}`}>Its subscribers</a><${Curl} small of=${{ path: `ports/${part(name)}/${bng}/usage` }} />`}
        ><${Usage} kind="port-usage" path=${`ports/${part(name)}/${bng}/usage`} /><//>`)}
      `}<//>
    `;
  }}<//>`;
}

export const VIEWS = { ports: Ports, port: Port };
