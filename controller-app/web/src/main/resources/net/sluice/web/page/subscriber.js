// A subscriber: what it got and why, through which limits, what is declared, and its change.

import { useRef, useState } from "preact/hooks";
import { get, getIfThere, part, send } from "./api.js";
import { Usage } from "./chart.js";
import { bytes, count, millis, parseRate, plural, rate, typedRate } from "./format.js";
import { ofSubscriber, useLive } from "./live.js";
import { isSuspended, placeOf } from "./subscribers.js";
import { Awaited, Bar, Change, Curl, Empty, EventLine, Facts, Granted, Panel, State, Table, Time, changeOf, html, may, useAsked, useEvents, useJson, worst } from "./parts.js";

const AUDIT_LINES = 1000;

const VERDICTS = {
  "own-limit": ["limited", "limited by its own limit"],
  tree: ["limited", "limited by its tree's limit"],
  port: ["limited", "limited by its port's limit"],
  congestion: ["congested", "limited by a congested port"],
  suspended: ["held", "suspended"],
  "out-of-step": ["bad", "a target is out of step"],
  "port-down": ["bad", "a port is down"],
  nothing: ["good", "not limited"],
};

const DIRECTIONS = ["down", "up"];

async function look(id, signal) {
  const path = `subscribers/${part(id)}`;
  const answer = await send(path, { signal });
  return { ...JSON.parse(answer.text), tag: answer.tag };
}

/** The port that a verdict is about. */
function Where({ of }) {
  // A switch that is the only one may be left unnamed.
  const name = of.switch ?? "switch";
  return html`<a href=${`#/ports/${part(name)}/${of.port}`}>${name} port ${of.port}</a>${of.thresholdBps !== undefined && `, threshold ${rate(of.thresholdBps)}`}${of.subscribers !== undefined && `, shared by ${plural(of.subscribers, "subscriber")}`}`;
}

/** One direction: the sentence, and the numbers that it is about. */
function Why({ direction, told, effective }) {
  const granted = effective?.[`${direction}Bps`];
  if (!told) {
    return html`<div class="why">
      <h3>${direction === "down" ? "Down" : "Up"}</h3>
      <p class="verdict">${granted ? `At most ${rate(granted)}.` : "Without a limit."}</p>
    </div>`;
  }
  // Without a measured load it is not known what limits it.
  const [tone, word] = told.limitedBy ? (VERDICTS[told.limitedBy] ?? ["wait", told.limitedBy]) : ["", null];
  const most = Math.max(told.offeredBps ?? 0, told.gotBps ?? 0, told.entitledBps ?? 0, 1);
  return html`<div class="why ${tone}">
    <h3>${direction === "down" ? "Down" : "Up"} ${word && html`<span class="state ${tone}">${word}</span>`}</h3>
    <p class="verdict">${told.sentence}</p>
    <dl class="bars">
      ${[
        ["offered", told.offeredBps, "offered"],
        ["got", told.gotBps, "got"],
        ["entitled to", told.entitledBps, "entitled"],
      ]
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value, colour]) => html`<div><dt>${name}</dt><dd><${Bar} part=${(value ?? 0) / most} tone=${colour} label=${`${name} ${rate(value)}`} /><b class="number">${rate(value)}</b></dd></div>`)}
    </dl>
    <p class="hint">
      ${told.declaredBps ? `declared ${rate(told.declaredBps)}, granted ${rate(told.grantedBps)}` : "no limit declared"}
      ${told.where && html` · <${Where} of=${told.where} />`}
    </p>
  </div>`;
}

const LEVELS = { port: "Port", tree: "Tree", subscriber: "Subscriber", class: "Class" };

/** A place of the chain in words: its name says of ports and trees what they are. */
function rungName({ level, name }) {
  const says = ["port", "tree"].includes(level) && /port|tree/.test(name);
  return says ? `${name[0].toUpperCase()}${name.slice(1)}` : html`${LEVELS[level] ?? level} <small>${name}</small>`;
}

/** The chain of limits as the controller measures it, or as it is declared. */
function Chain({ id, limits }) {
  const chain = useAsked((signal) => getIfThere("chain", `subscribers/${part(id)}/chain`, { signal }).then((it) => it ?? null), [id], 10);
  return html`<${Awaited} of=${chain}>${(told) => {
    const rungs =
      told ??
      Object.fromEntries(
        DIRECTIONS.map((direction) => [
          direction,
          ["port", "tree", "subscriber"].flatMap((level) => {
            const limit = (limits ?? []).find((each) => each.level === level);
            const granted = limit?.granted?.[`${direction}Bps`];
            return granted === undefined ? [] : [{ level, name: limit.rateLimit, grantedBps: granted }];
          }),
        ]),
      );
    return html`<div class="columns">
      ${DIRECTIONS.map(
        (direction) => html`<div>
          <h3>${direction === "down" ? "Down" : "Up"}</h3>
          ${rungs[direction].length === 0
            ? html`<${Empty}>No limit on this way: it gets what its port has for it.<//>`
            : html`<ol class="ladder">
                ${rungs[direction].map(
                  (rung) => {
                    const isMeasured = rung.gotBps !== undefined && rung.gotBps !== null;
                    return html`<li>
                      <span class="level">${rungName(rung)}</span>
                      ${isMeasured && rung.grantedBps ? html`<${Bar} part=${rung.gotBps / rung.grantedBps} label=${`${rate(rung.gotBps)} of ${rate(rung.grantedBps)}`} />` : html`<span></span>`}
                      <span class="number">${isMeasured ? rate(rung.gotBps) : ""}${isMeasured && rung.grantedBps ? " of " : ""}${rung.grantedBps ? rate(rung.grantedBps) : html`<small>${isMeasured ? ", " : ""}no limit</small>`}</span>
                      <span class="hint">${[
                        rung.delayMillis !== undefined && rung.delayMillis !== null && `waits ${millis(rung.delayMillis)}`,
                        // Where nothing limits nothing is lost: what is missing went further in.
                        rung.grantedBps && rung.droppedBps > 0 && `${rate(rung.droppedBps)} of what came for it got lost`,
                      ]
                        .filter(Boolean)
                        .join(", ")}</span>
                    </li>`;
                  },
                )}
              </ol>`}
        </div>`,
      )}
    </div>`;
  }}<//>`;
}

const COUNTED = [
  ["offered", "In"],
  ["got", "Out"],
  ["dropped above a rate", "Policed"],
  ["dropped for want of room", "Overflowed"],
  ["dropped while suspended", "Suspended"],
];

function Counters({ counters }) {
  return html`<${Awaited} of=${counters}>${(told) => html`
    <${Table} label="Counters" head=${["", ["down"], ["packets"], ["up"], ["packets"]]}>
      ${COUNTED.map(
        ([name, field]) => html`<tr>
          <th scope="row">${name}</th>
          ${DIRECTIONS.map(
            (direction) => html`<td class="number">${bytes(told[direction]?.[`bytes${field}`])}</td><td class="number soft">${count(told[direction]?.[`packets${field}`])}</td>`,
          )}
        </tr>`,
      )}
    <//>
    <${Waits} told=${told} />
  `}<//>`;
}

/** How long packets waited under limits that the switch shapes. */
function Waits({ told }) {
  const down = told.down?.shaped?.waits ?? [];
  const up = told.up?.shaped?.waits ?? [];
  const most = Math.max(1, ...down.map((each) => each.packets), ...up.map((each) => each.packets));
  if (down.every((each) => each.packets === 0) && up.every((each) => each.packets === 0)) {
    return null;
  }
  return html`<h3>Waits under its limits</h3>
    <${Table} label="Waits" head=${["", null, ["down"], null, ["up"]]}>
      ${down.map((each, i) => html`<tr>
        <th scope="row">${each.upToMillis ? `up to ${each.upToMillis} ms` : "longer"}</th>
        <td class="barcell"><${Bar} part=${each.packets / most} tone="delay" label=${plural(each.packets, "packet")} /></td>
        <td class="number">${count(each.packets)}</td>
        <td class="barcell"><${Bar} part=${up[i].packets / most} tone="delay" label=${plural(up[i].packets, "packet")} /></td>
        <td class="number">${count(up[i].packets)}</td>
      </tr>`)}
    <//>`;
}

const ASKED = { PUT: "declare it", PATCH: "change it", DELETE: "delete it", POST: "a set of changes" };

/** Who asked for which change of it. */
function Audit({ id }) {
  const path = `subscribers/${id}`;
  const lines = useAsked(
    async (signal) => {
      const { last } = await get("audit?limit=1", { signal });
      const since = Math.max(0, (last ?? 0) - AUDIT_LINES);
      const { items } = await get(`audit?since=${since}&limit=${AUDIT_LINES}`, { signal });
      const ends = new Map(items.filter((each) => each.of).map((each) => [each.of, each]));
      return items
        .filter((each) => decodeURIComponent(each.path ?? "").includes(path) || each.changes?.some((change) => change.kind === "subscriber" && change.id === id))
        .map((each) => ({ ...each, end: ends.get(each.seq) }))
        .reverse();
    },
    [id],
    30,
  );
  return html`<${Awaited} of=${lines}>${(all) =>
    all.length === 0
      ? html`<${Empty}>No change of it among the newest ${count(AUDIT_LINES)} lines of the audit log.<//>`
      : html`<${Table} label="Audit" head=${["When", "Who", "Asked for", "Outcome"]}>
          ${all.slice(0, 30).map(
            (each) => html`<tr>
              <th scope="row"><${Time} at=${each.at} /></th>
              <td>${each.who} <small>${each.role}, ${each.from}</small></td>
              <td>${ASKED[each.method] ?? each.method}${each.changes ? ", one of many" : ""}<details><summary>Before and after</summary><pre>${JSON.stringify({ before: each.before, after: each.after }, null, 2)}</pre></details></td>
              <td>${each.end ? html`${each.end.outcome ?? ""} <small>${each.end.status ?? ""}</small>` : "under way"}</td>
            </tr>`,
          )}
        <//>`}<//>`;
}

function Happened({ id }) {
  const { all } = useEvents(() => false);
  const subject = `subscribers/${id}`;
  const shown = all.filter((event) => event.subject === subject);
  return shown.length === 0
    ? html`<${Empty}>Nothing lately. What happens to it is told here.<//>`
    : html`<ul class="events">${shown.slice(0, 20).map((event) => html`<${EventLine} key=${event.id} event=${event} />`)}</ul>`;
}

/** The changes that are made most: of policy, of limit, to suspend and to resume. */
function changesOf(subscriber) {
  const { declared, id } = subscriber;
  const path = `subscribers/${part(id)}`;
  const own = (subscriber.limits ?? []).find((each) => each.level === "subscriber");
  return {
    suspend: { title: "Suspend", change: changeOf("PATCH", path, { suspended: true }), tag: subscriber.tag },
    resume: { title: "Resume", change: changeOf("PATCH", path, { suspended: null }), tag: subscriber.tag },
    own,
    path,
    isOfTariff: Boolean(declared.tariff),
  };
}

function PolicyChange({ subscriber, onClose, onMade }) {
  const policies = useJson("policies?limit=1000&fields=declared");
  const [policy, setPolicy] = useState("");
  const { path } = changesOf(subscriber);
  const change = policy && policy !== subscriber.declared.policy ? changeOf("PATCH", path, { policy }) : null;
  return html`<${Change} title="Change the policy" change=${change} tag=${subscriber.tag} onClose=${onClose} onMade=${onMade}>
    <${Awaited} of=${policies}>${({ items }) => html`<label>Policy
      <select value=${policy || subscriber.declared.policy} onChange=${(event) => setPolicy(event.target.value)}>
        ${items.map((each) => html`<option value=${each.id}>${each.declared?.displayName ? `${each.declared.displayName} (${each.id})` : each.id}</option>`)}
      </select></label>`}<//>
  <//>`;
}

function LimitChange({ subscriber, onClose, onMade }) {
  const { own, path, isOfTariff } = changesOf(subscriber);
  const start = (name) => (own?.requested?.[name] ? typedRate(own.requested[name]) : "");
  const [down, setDown] = useState(start("downBps"));
  const [up, setUp] = useState(start("upBps"));
  const typed = { downBps: down, upBps: up };
  const wrong = Object.values(typed).some((text) => text && !parseRate(text));
  const rates = Object.fromEntries(Object.entries(typed).filter(([, text]) => text).map(([name, text]) => [name, parseRate(text)]));
  const isSame = down === start("downBps") && up === start("upBps");
  const isNone = Object.keys(rates).length === 0;
  let change = null;
  if (!wrong && !isSame && isOfTariff) {
    change = changeOf("PATCH", path, { overrides: { downBps: rates.downBps ?? null, upBps: rates.upBps ?? null } });
  } else if (!wrong && !isSame && own) {
    const at = `rate-limits/${part(own.rateLimit)}`;
    change = isNone ? changeOf("DELETE", at) : changeOf("PATCH", at, { downBps: rates.downBps ?? null, upBps: rates.upBps ?? null });
  } else if (!wrong && !isNone && !own) {
    change = changeOf("PUT", `rate-limits/${part(subscriber.id)}`, { scope: { subscriber: subscriber.id }, ...rates });
  }
  return html`<${Change} title="Change the limit" change=${change} onClose=${onClose} onMade=${onMade}>
    <div class="fields">
      <label>Down, bit/s <input value=${down} placeholder="25M" onInput=${(event) => setDown(event.target.value)} /></label>
      <label>Up, bit/s <input value=${up} placeholder="5M" onInput=${(event) => setUp(event.target.value)} /></label>
    </div>
    <p class="hint ${wrong ? "bad" : ""}">${wrong ? "A rate is a number, perhaps with k, M or G: 25M, 1.5G." : isOfTariff ? "In place of what its tariff has; empty for the tariff's." : "Empty for no limit."}</p>
  <//>`;
}

function DeclarationChange({ subscriber, onClose, onMade }) {
  const [text, setText] = useState(JSON.stringify(subscriber.declared, null, 2));
  let value;
  let wrong;
  try {
    value = JSON.parse(text);
  } catch (e) {
    wrong = e.message;
  }
  const isSame = value && JSON.stringify(value) === JSON.stringify(subscriber.declared);
  const change = value && !isSame ? changeOf("PUT", `subscribers/${part(subscriber.id)}`, value) : null;
  return html`<${Change} title="Edit the declaration" change=${change} tag=${subscriber.tag} onClose=${onClose} onMade=${onMade}>
    <label>Declaration (JSON)<textarea rows="14" spellcheck=${false} value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    ${wrong && html`<p class="hint bad">No JSON: ${wrong}</p>`}
  <//>`;
}

function Actions({ subscriber, onMade }) {
  const [asked, setAsked] = useState(null);
  const { suspend, resume } = changesOf(subscriber);
  const held = Boolean(subscriber.declared.suspended);
  const common = { subscriber, onClose: () => setAsked(null), onMade };
  const simple = held ? resume : suspend;
  return html`
    <button onClick=${() => setAsked("policy")}>Change policy</button>
    <button onClick=${() => setAsked("limit")}>Change limit</button>
    <button onClick=${() => setAsked("simple")}>${simple.title}</button>
    ${asked === "policy" && html`<${PolicyChange} ...${common} />`}
    ${asked === "limit" && html`<${LimitChange} ...${common} />`}
    ${asked === "declaration" && html`<${DeclarationChange} ...${common} />`}
    ${asked === "simple" &&
    html`<${Change} ...${simple} onClose=${common.onClose} onMade=${onMade}>
      <p>${held ? "Its packets pass again as its policy and limits have it." : "Its packets are dropped in both directions until it is resumed."}</p>
    <//>`}
    <button class="quiet" onClick=${() => setAsked("declaration")}>Edit</button>
  `;
}

function Limits({ limits }) {
  return !limits || limits.length === 0
    ? html`<${Empty}>No limit: neither of its own, nor of its tree or port.<//>`
    : limits.map(
        (each) => html`<h3>${LEVELS[each.level]} <small>${each.rateLimit}</small></h3><${Granted} requested=${each.requested} granted=${each.granted} />`,
      );
}

function Subscriber({ steps, caller }) {
  const [id] = steps;
  const seen = useAsked((signal) => look(id, signal), [id], 15);
  const why = useAsked((signal) => getIfThere("explain", `subscribers/${part(id)}/explain`, { signal }).then((it) => it ?? null), [id], 5);
  const known = useRef(null);
  known.current = why.value;
  const counters = useLive(`subscribers/${part(id)}/counters`, (now, before, seconds) => {
    const point = ofSubscriber(now, before, seconds);
    DIRECTIONS.forEach((direction) => point[direction] && (point[direction].entitledBps = known.current?.[direction]?.entitledBps));
    return point;
  });
  useEvents((event) => event.subject === `subscribers/${id}` || (event.subject ?? "").startsWith("rate-limits/"), seen.again);
  if (seen.problem?.status === 404 && seen.value === undefined) {
    return html`<h1>${id}</h1><${Empty}>There is no subscriber of this id. <a href=${`#/subscribers?q=${part(id)}`}>Search for it</a> in names, addresses and labels.<//>`;
  }
  return html`<${Awaited} of=${seen}>${(subscriber) => {
    const { declared } = subscriber;
    if (subscriber.deleting) {
      return html`<h1>${id}</h1><${Empty}>It is being deleted: targets still hold some of it.<//>`;
    }
    const held = isSuspended(subscriber);
    const path = `subscribers/${part(id)}`;
    return html`
      <div class="title">
        <div>
          <h1>${declared.displayName ?? id}</h1>
          <p>
            ${held ? html`<${State} of="SUSPENDED" />` : html`<${State} of=${worst(subscriber.targets)} />`}
            ${declared.displayName && html`<code>${id}</code>`}
            <span class="soft">${declared.policy ?? `tariff ${declared.tariff}`} · ${placeOf(declared)}</span>
            ${Object.entries(declared.labels ?? {}).map(([name, value]) => html`<a class="label" href=${`#/subscribers?q=${part(`${name}:${value}`)}`}>${name}:${value}</a>`)}
          </p>
        </div>
        <div class="aside">
          ${may(caller, "operate") ? html`<${Actions} subscriber=${subscriber} onMade=${seen.again} />` : html`<span class="hint">role ${caller.role} looks and changes nothing</span>`}
          <${Curl} of=${{ path }} />
        </div>
      </div>
      ${(subscriber.leaving ?? []).map((each) => html`<p class="hint">Switch ${each.switch} serves it until ${each.waitsFor} holds it, since <${Time} at=${each.since} />.</p>`)}
      <${Panel} title="What limits it" wide aside=${html`<${Curl} small of=${{ path: `${path}/explain` }} />`}>
        <${Awaited} of=${why}>${(told) => html`
          <div class="columns">
            ${DIRECTIONS.map((direction) => html`<${Why} direction=${direction} told=${told?.[direction]} effective=${subscriber.effective} />`)}
          </div>
          ${told === null && html`<${Empty}>This controller does not measure usage, so it shows limits and not what limits.<//>`}
        `}<//>
      <//>
      <${Panel} title="Usage" wide aside=${html`<${Curl} small of=${{ path: `${path}/usage` }} />`}>
        <${Usage} kind="usage" path=${`${path}/usage`} live=${counters.points} limits=${{ down: subscriber.effective?.downBps, up: subscriber.effective?.upBps }} />
      <//>
      <${Panel} title="Chain" wide aside=${html`<${Curl} small of=${{ path: `${path}/chain` }} />`}><${Chain} id=${id} limits=${subscriber.limits} /><//>
      <div class="grid">
        <div class="stack">
          <${Panel} title="Requested and granted"><${Limits} limits=${subscriber.limits} /><//>
          <${Panel} title="Targets">
            <${Table} label="Targets" head=${["Target", "State", "Since", ""]}>
              ${subscriber.targets.map(
                (each) => html`<tr>
                  <th scope="row">${each.target}</th>
                  <td><${State} of=${each.state} /></td>
                  <td><${Time} at=${each.since} /></td>
                  <td>${each.error ?? each.awaits}${each.next && html`, again at <${Time} at=${each.next} />`}</td>
                </tr>`,
              )}
            <//>
          <//>
        </div>
        <div class="stack">
          <${Panel} title="Declared">
            <${Facts} of=${[
              ["Policy", declared.policy && html`<a href=${`#/subscribers?policy=${part(declared.policy)}`}>${declared.policy}</a>`],
              ["Policy up", declared.upstreamPolicy],
              ["Tariff", declared.tariff && html`<a href=${`#/subscribers?tariff=${part(declared.tariff)}`}>${declared.tariff}</a>`],
              ["In force", subscriber.inForce && html`${subscriber.inForce.policy ?? JSON.stringify(subscriber.inForce)}${subscriber.inForce.until && html` until <${Time} at=${subscriber.inForce.until} />`}`],
              ["At", placeOf(declared)],
              ["Addresses", declared.prefixes?.join(", ")],
              ["VLAN", declared.sVlan && `${declared.sVlan}${declared.cVlan ? `.${declared.cVlan}` : ""}`],
            ]} />
            ${subscriber.notes.length > 0 && html`<ul class="notes">${subscriber.notes.map((each) => html`<li>${each}</li>`)}</ul>`}
            <details><summary>As JSON</summary><pre>${JSON.stringify(declared, null, 2)}</pre></details>
          <//>
          <${Panel} title="Since the switch started" aside=${html`<${Curl} small of=${{ path: `${path}/counters` }} />`}><${Counters} counters=${counters} /><//>
        </div>
        <${Panel} title="Events" wide><${Happened} id=${id} /><//>
        ${may(caller, "admin") && html`<${Panel} title="Audit" wide><${Audit} id=${id} /><//>`}
      </div>
    `;
  }}<//>`;
}

export const VIEWS = { subscriber: Subscriber };
