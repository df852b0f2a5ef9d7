// Switches with their targets, what differed there and its cure; and what is stored and not in force.

import { useState } from "preact/hooks";
import { part, send } from "./api.js";
import { count, percent, plural, rate } from "./format.js";
import { Awaited, Bar, Curl, Dialog, Empty, Panel, Refusal, State, Table, Time, html, may, useEvents, useJson } from "./parts.js";

/** A request without a dry run and a body: it says what it does, and asks. */
function Made({ title, what, method, path, onClose, onMade }) {
  const [problem, setProblem] = useState(null);
  const make = async () => {
    try {
      await send(path, { method });
      onMade();
      onClose();
    } catch (e) {
      setProblem(e);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <div class="change">
      <p>${what}</p>
      ${problem && html`<${Refusal} problem=${problem} />`}
      <footer><${Curl} of=${{ method, path }} /><button class="main" onClick=${make}>${title}</button></footer>
    </div>
  <//>`;
}

function Drift({ target }) {
  const drift = useJson(`targets/${part(target)}/drift`);
  return html`<${Awaited} of=${drift}>${(told) =>
    !told.comparedAt
      ? html`<${Empty}>It has not been compared yet.<//>`
      : html`
          <p class="hint">Compared <${Time} at=${told.comparedAt} />: ${count(told.read)} entries read in ${count(told.tookMillis)} ms${told.repairs ? `; ${count(told.repairs.done)} of ${count(told.repairs.written)} repairs done` : ""}${told.repairs?.failed ? `, ${count(told.repairs.failed)} refused` : ""}.</p>
          ${told.tables.length === 0
            ? html`<${Empty}>Nothing differed.<//>`
            : html`<${Table} label="What differed" head=${["Table", ["foreign"], ["missing"], ["changed"], "for example"]}>
                ${told.tables.map(
                  (each) => html`<tr>
                    <th scope="row">${each.table}</th>
                    <td class="number">${count(each.foreign)}</td>
                    <td class="number">${count(each.missing)}</td>
                    <td class="number">${count(each.changed)}</td>
                    <td>${each.samples?.[0] && `${each.samples[0].difference}: held ${each.samples[0].held ?? "nothing"}; declared ${each.samples[0].declared ?? "nothing"}`}</td>
                  </tr>`,
                )}
              <//>`}
        `}<//>`;
}

function Target({ target, caller, again }) {
  const [asked, setAsked] = useState(null);
  const [isOpen, setOpen] = useState(false);
  const path = `targets/${part(target.target)}`;
  const isReady = target.session === "READY";
  return html`
    <tr>
      <th scope="row">${target.target}</th>
      <td><${State} of=${target.session} />${target.detail && html` <small>${target.detail}</small>`}</td>
      <td class="number">${count(target.installed)}</td>
      <td class="number">${count(target.pending)}</td>
      <td class=${target.failed > 0 ? "number differs" : "number"}>${count(target.failed)}</td>
      <td class="number">${count(target.queuedWrites + target.inFlightWrites)}</td>
      <td class="actions">
        <button class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Drift</button>
        ${may(caller, "admin") &&
        html`<button class="quiet" disabled=${!isReady && target.session !== "REFUSING"} onClick=${() => setAsked("reconcile")}>Compare</button>
          ${target.session === "REFUSING" && html`<button onClick=${() => setAsked("adopt")}>Adopt</button>`}`}
      </td>
    </tr>
    ${isOpen && html`<tr><td colspan="7" class="inset"><${Drift} target=${target.target} /></td></tr>`}
    ${asked === "reconcile" &&
    html`<${Made} method="POST" path=${`${path}/reconcile`} title="Compare and correct" what=${`Everything that ${target.target} holds is read and compared with what is declared, and what differs is mended. Traffic goes on.`} onClose=${() => setAsked(null)} onMade=${again} />`}
    ${asked === "adopt" &&
    html`<${Made} method="POST" path=${`${path}/adopt`} title="Adopt" what=${`${target.target} is corrected whatever that deletes: ${target.detail ?? ""} What it holds beyond what is declared is lost.`} onClose=${() => setAsked(null)} onMade=${again} />`}
  `;
}

function One({ each, caller, again }) {
  const down = (each.ports ?? []).filter((port) => port.state === "DOWN").length;
  return html`<${Panel}
    title=${each.id}
    wide
    aside=${html`<a href=${`#/subscribers?switch=${part(each.id)}`}>Subscribers</a><a href=${`#/ports?switch=${part(each.id)}`}>Ports</a><${Curl} small of=${{ path: `switches/${part(each.id)}` }} />`}
  >
    <${Table} label=${`Targets of ${each.id}`} head=${["Target", "Session", ["installed"], ["pending"], ["failed"], ["writes waiting"], ""]}>
      ${each.targets.map((target) => html`<${Target} key=${target.target} target=${target} caller=${caller} again=${again} />`)}
    <//>
    <div class="columns">
      <div>
        <h3>How full it is</h3>
        <${Table} label=${`Tables of ${each.id}`} head=${["Table", null, ["used"], ["of"]]}>
          ${(each.tables ?? []).map(
            (table) => html`<tr>
              <th scope="row">${table.resource}</th>
              <td class="barcell"><${Bar} part=${table.used / table.size} tone=${table.note ? "wait" : "grey"} label=${percent(table.used / table.size)} /></td>
              <td class="number">${count(table.used)}</td>
              <td class="number">${count(table.size)}</td>
            </tr>`,
          )}
        <//>
      </div>
      <div>
        <h3>Ports and trunks</h3>
        <p>${each.ports ? `${plural(each.ports.length, "port")}, ${down === 0 ? "none down" : `${count(down)} down`}, ${rate(each.ports.reduce((sum, port) => sum + (port.outBps ?? 0), 0))} out` : "Ports are not known: the controller has no gNMI address of this switch."}</p>
        ${(each.trunks ?? []).map((trunk) => html`<p>Port ${trunk.port} leads to ${trunk.toSwitch} port ${trunk.toPort}.</p>`)}
        <details><summary>Declared</summary><pre>${JSON.stringify(each.declared ?? {}, null, 2)}</pre></details>
      </div>
    </div>
  <//>`;
}

function Switches({ caller }) {
  const all = useJson("switches", 5);
  useEvents((event) => event.type.includes("target.") || event.type.includes("switch."), all.again);
  return html`<h1>Switches</h1><${Awaited} of=${all}>${({ switches }) =>
    switches.length === 0
      ? html`<${Empty}>There is none. Put one over the API (<code>PUT /switches/bng1</code>), or name one at the start.<//>`
      : switches.map((each) => html`<${One} key=${each.id} each=${each} caller=${caller} again=${all.again} />`)}<//>`;
}

function Conflict({ conflict, caller, again }) {
  const [asked, setAsked] = useState(null);
  const path = `conflicts/${[conflict.switch, conflict.kind, conflict.id].map(part).join("/")}`;
  return html`<tr>
    <th scope="row">${conflict.kind} ${conflict.id}</th>
    <td>${conflict.switch}</td>
    <td>${conflict.reason}<details><summary>What is stored</summary><pre>${JSON.stringify(conflict.declared, null, 2)}</pre></details></td>
    <td class="actions">
      ${may(caller, "admin") &&
      html`<button onClick=${() => setAsked("declare")}>Declare it here</button> <button onClick=${() => setAsked("forget")}>Forget it</button>`}
      ${asked === "declare" && html`<${Made} title="Declare it here" what=${`${conflict.kind} ${conflict.id} comes into force at ${conflict.switch} as it is stored there. In force elsewhere, it moves.`} method="POST" path=${`${path}/declare`} onClose=${() => setAsked(null)} onMade=${again} />`}
      ${asked === "forget" && html`<${Made} title="Forget it" what=${`What ${conflict.switch} has stored of ${conflict.kind} ${conflict.id} is gone for good. What is in force stays.`} method="DELETE" path=${path} onClose=${() => setAsked(null)} onMade=${again} />`}
    </td>
  </tr>`;
}

function Conflicts({ caller }) {
  const all = useJson("conflicts?limit=1000", 10);
  return html`<h1>Conflicts</h1><${Panel} title="Stored and not in force" wide aside=${html`<${Curl} small of=${{ path: "conflicts" }} />`}>
    <${Awaited} of=${all}>${({ total, items, switchesLeftOut }) => html`
      ${(switchesLeftOut ?? []).map((each) => html`<p class="refusal">Switch ${each.switch} is left out of the network: ${each.reason}</p>`)}
      ${items.length === 0
        ? html`<${Empty}>None. A switch that was away may bring back what was given to others meanwhile; that is told here, with what to do about it.<//>`
        : html`<p class="hint">${plural(total, "declaration")}${total > items.length ? `; the first ${count(items.length)}` : ""}.</p>
            <${Table} label="Conflicts" head=${["What", "Stored at", "Why it is not in force", ""]}>
              ${items.map((each) => html`<${Conflict} key=${`${each.switch}/${each.kind}/${each.id}`} conflict=${each} caller=${caller} again=${all.again} />`)}
            <//>`}
    `}<//>
  <//>`;
}

export const VIEWS = { switches: Switches, conflicts: Conflicts };
