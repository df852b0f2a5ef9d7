// Who there is, and the search.

import { useState } from "preact/hooks";
import { get, part } from "./api.js";
import { count, plural } from "./format.js";
import { Awaited, Change, Empty, Panel, State, Table, changeOf, html, may, useAsked, useEvents, walk, worst } from "./parts.js";

const PAGE = 50;

/** A search that has taken so long shows what it has found, and goes on when it is asked to. */
const PATIENCE_MILLIS = 600;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The subscriber of exactly this id, whatever others have it in their names; null if there is none. */
function exactly(text, signal) {
  return ID.test(text)
    ? get(`subscribers/${part(text)}`, { signal }).catch((e) => {
        if (e.status === 404) {
          return null;
        }
        throw e;
      })
    : null;
}

/** How a text is searched for: as an address, a label, or in ids and names. */
export function filterOf(text) {
  if (/^[0-9.]+$/.test(text) && text.split(".").length === 4) {
    return `address=${part(text)}`;
  }
  if (/^[0-9a-fA-F:.]+$/.test(text) && text.split(":").length > 2) {
    return `address=${part(text)}`;
  }
  if (/^[A-Za-z0-9][\w.-]*:[A-Za-z0-9][\w.-]*(,[A-Za-z0-9][\w.-]*:[A-Za-z0-9][\w.-]*)*$/.test(text)) {
    return `label=${part(text)}`;
  }
  return `text=${part(text)}`;
}

const FILTERS = ["policy", "tariff", "switch", "port", "tree", "state"];

async function find(query, cursor, signal) {
  const text = query.get("q") ?? "";
  const filters = FILTERS.filter((name) => query.get(name)).map((name) => `${name}=${part(query.get(name))}`);
  if (text) {
    filters.push(filterOf(text));
  }
  const isAlone = filters.length === 1 && filters[0].startsWith("text=");
  const one = isAlone && !cursor ? await exactly(text, signal) : null;
  const items = one ? [one] : [];
  const begun = performance.now();
  let next = cursor;
  let total;
  while (items.length < PAGE) {
    const asked = [...filters, `limit=${PAGE - items.length}`, ...(next ? [`cursor=${part(next)}`] : [])];
    const page = await get(`subscribers?${asked.join("&")}`, { signal });
    items.push(...page.items.filter((each) => each.id !== one?.id));
    total = page.total;
    next = page.next;
    if (!next || performance.now() - begun > PATIENCE_MILLIS) {
      break;
    }
  }
  return { items, next, total };
}

/** What a subscriber is attached to, in words. */
export function placeOf({ attachment }) {
  const at = attachment ?? {};
  return `${at.switch ? `${at.switch} ` : ""}port ${at.port} · tree ${at.tree}`;
}

export function isSuspended(subscriber) {
  const held = (subscriber.inForce ?? {}).suspended ?? subscriber.declared.suspended;
  return Boolean(held);
}

const TEMPLATE = `{
  "policy": "gold",
  "prefixes": ["192.0.2.1/32"],
  "attachment": {"port": 0, "tree": 0}
}`;

function Declare({ onClose, onMade }) {
  const [id, setId] = useState("");
  const [text, setText] = useState(TEMPLATE);
  let value;
  let wrong;
  try {
    value = JSON.parse(text);
  } catch (e) {
    wrong = e.message;
  }
  const change = id && value ? changeOf("PUT", `subscribers/${part(id)}`, value) : null;
  return html`<${Change} title="Declare a subscriber" change=${change} onClose=${onClose} onMade=${onMade}>
    <label>Id <input value=${id} pattern="[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}" onInput=${(event) => setId(event.target.value)} /></label>
    <label>Declaration (JSON)
      <textarea rows="7" spellcheck=${false} value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
    </label>
    ${wrong && html`<p class="hint bad">No JSON: ${wrong}</p>`}
  <//>`;
}

function Subscribers({ query, caller }) {
  const key = query.toString();
  const [cursors, setCursors] = useState({ key, all: [null] });
  const trail = cursors.key === key ? cursors.all : [null];
  const cursor = trail.at(-1);
  const [isNew, setNew] = useState(false);
  const found = useAsked((signal) => find(query, cursor, signal), [key, cursor]);
  useEvents((event) => (event.subject ?? "").startsWith("subscribers/"), found.again);
  const text = query.get("q");
  const filters = FILTERS.filter((name) => query.get(name)).map((name) => `${name} ${query.get(name)}`);
  const title = [text && `“${text}”`, ...filters].filter(Boolean).join(", ");
  return html`
    <h1>Subscribers</h1>
    <${Panel}
      title=${title ? `Found for ${title}` : "All"}
      wide
      aside=${html`
        ${title && html`<a href="#/subscribers">All subscribers</a>`}
        ${may(caller, "operate") && html`<button onClick=${() => setNew(true)}>Declare a subscriber</button>`}
      `}
    >
      <${Awaited} of=${found}>${({ items, next, total }) => html`
        ${total !== undefined && html`<p class="hint">${plural(total, "subscriber")} in force.</p>`}
        ${items.length === 0
          ? html`<${Empty}>${title
              ? next
                ? "No subscriber among those searched so far. Search on with the button below."
                : "No subscriber found. Search by part of an id or name, by an address, or by a label as key:value."
              : html`There are no subscribers yet. Declare one here, or import some: <code>sluice import FILE</code>.`}<//>`
          : html`<div onKeyDown=${walk}><${Table} label="Subscribers" head=${["Subscriber", "State", "Policy", "At", "Addresses", "Labels"]}>
              ${items.map((each) => {
                const { declared } = each;
                return html`<tr key=${each.id}>
                  <th scope="row"><a data-walk href=${`#/subscribers/${part(each.id)}`}>${declared.displayName ?? each.id}</a>${declared.displayName && html` <small>${each.id}</small>`}</th>
                  <td>${isSuspended(each) ? html`<${State} of="SUSPENDED" />` : html`<${State} of=${worst(each.targets)} />`}</td>
                  <td>${declared.policy ?? (declared.tariff && `tariff ${declared.tariff}`)}</td>
                  <td>${placeOf(declared)}</td>
                  <td class="addresses">${(declared.prefixes ?? []).slice(0, 2).join(", ")}${declared.prefixes?.length > 2 ? ` and ${count(declared.prefixes.length - 2)} more` : ""}${declared.sVlan ? ` VLAN ${declared.sVlan}${declared.cVlan ? `.${declared.cVlan}` : ""}` : ""}</td>
                  <td>${Object.entries(declared.labels ?? {}).map(([name, value]) => html`<a class="label" href=${`#/subscribers?q=${part(`${name}:${value}`)}`}>${name}:${value}</a>`)}</td>
                </tr>`;
              })}
            <//></div>`}
        <footer class="pages">
          ${trail.length > 1 && html`<button onClick=${() => setCursors({ key, all: trail.slice(0, -1) })}>Back</button>`}
          ${next && html`<button onClick=${() => setCursors({ key, all: [...trail, next] })}>${items.length === 0 ? "Look on" : "More"}</button>`}
        </footer>
      `}<//>
    <//>
    ${isNew && html`<${Declare} onClose=${() => setNew(false)} onMade=${found.again} />`}
  `;
}

export const VIEWS = { subscribers: Subscribers };
