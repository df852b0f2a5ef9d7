// What a set of changes would do: who gains, who loses, and what is refused.

import { useState } from "preact/hooks";
import { getIfThere, part, send } from "./api.js";
import { count, percent, plural, rate } from "./format.js";
import { Curl, Empty, Panel, Refusal, Table, html } from "./parts.js";

const EXAMPLE = `{"op": "put", "kind": "policy", "id": "gold", "value": {"throughputValue": {"builtIn": "gold"}}}`;
const TYPE = "application/x-ndjson";

/** The lines, each checked for being JSON, so that a slip is told beside its line. */
function linesOf(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const wrong = lines.flatMap((line, i) => {
    try {
      JSON.parse(line);
      return [];
    } catch (e) {
      return [`line ${i + 1}: ${e.message}`];
    }
  });
  return { body: lines.map((line) => `${line}\n`).join(""), number: lines.length, wrong };
}

function Refused({ told }) {
  return html`<ul class="notes">${told.map((each) => html`<li><code>line ${each.line}</code> ${each.detail ?? each.problem?.detail}</li>`)}</ul>`;
}

/** What a dry run answers of each line. */
function Planned({ lines }) {
  const targets = {};
  for (const line of lines) {
    for (const [target, writes] of Object.entries(line.plan ?? {})) {
      targets[target] = (targets[target] ?? 0) + writes.length;
    }
  }
  const notes = lines.flatMap((line) => (line.notes ?? []).map((note) => [line.id, note]));
  return html`
    <p class="made">All ${plural(lines.length, "change")} can be made together.</p>
    ${Object.keys(targets).length > 0 &&
    html`<${Table} label="Writes" head=${["Target", ["writes"]]}>
      ${Object.entries(targets).map(([target, writes]) => html`<tr><th scope="row">${target}</th><td class="number">${count(writes)}</td></tr>`)}
    <//>`}
    ${notes.length > 0 && html`<ul class="notes">${notes.slice(0, 50).map(([id, note]) => html`<li><b>${id}</b> ${note}</li>`)}</ul>`}
  `;
}

/** Who would get another rate than now. */
function Gains({ told }) {
  const list = told.subscribers ?? told.items ?? told.changes ?? [];
  return list.length === 0
    ? html`<${Empty}>No subscriber would get another rate.<//>`
    : html`<${Table} label="Who gains and loses" head=${["Subscriber", "", ["now"], ["then"], ["change"]]}>
        ${list.slice(0, 200).map((each) => {
          const before = each.nowBps ?? each.beforeBps;
          const after = each.thenBps ?? each.afterBps;
          return html`<tr>
            <th scope="row"><a href=${`#/subscribers/${part(each.id)}`}>${each.id}</a></th>
            <td>${each.direction}</td>
            <td class="number">${rate(before)}</td>
            <td class="number">${rate(after)}</td>
            <td class=${after < before ? "number differs" : "number"}>${before > 0 ? percent(after / before - 1) : "–"}</td>
          </tr>`;
        })}
      <//>`;
}

function Simulate() {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState({});
  const { body, number, wrong } = linesOf(text);
  const path = "bulk?atomic=true&dryRun=true";
  const ask = async () => {
    setAnswer({ isUnderWay: true });
    try {
      const planned = await send(path, { method: "POST", body, headers: { "Content-Type": TYPE, Accept: TYPE } });
      const lines = planned.text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
      const gains = await getIfThere("simulate", "simulate", { method: "POST", body, headers: { "Content-Type": TYPE } });
      setAnswer({ lines, gains: gains ?? null });
    } catch (problem) {
      setAnswer({ problem });
    }
  };
  return html`
    <h1>Simulate</h1>
    <${Panel} title="Changes" wide aside=${body && html`<${Curl} small of=${{ method: "POST", path, body, type: TYPE }} />`}>
      <label for="changes">One change a line, as <code>POST /bulk</code> and <code>sluice import</code> take them. Nothing is made here.</label>
      <textarea id="changes" rows="8" spellcheck=${false} placeholder=${EXAMPLE} value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
      ${wrong.length > 0 && html`<p class="hint bad">No JSON: ${wrong[0]}</p>`}
      <footer class="pages">
        <button class="main" disabled=${number === 0 || wrong.length > 0 || answer.isUnderWay} onClick=${ask}>${answer.isUnderWay ? "Asking…" : "What would it do?"}</button>
        ${number === 0 && html`<button class="quiet" onClick=${() => setText(EXAMPLE)}>Fill in an example</button>`}
      </footer>
    <//>
    ${(answer.problem || answer.lines) &&
    html`<${Panel} title="What it would do" wide>
      ${answer.problem &&
      html`<${Refusal} problem=${answer.problem} />
        ${answer.problem.errors.some((each) => each.line) && html`<${Refused} told=${answer.problem.errors} />`}`}
      ${answer.lines &&
      html`<${Planned} lines=${answer.lines} />
        <h3>Who gains and loses</h3>
        ${answer.gains ? html`<${Gains} told=${answer.gains} />` : html`<${Empty}>This controller does not foresee rates yet; above is what it would write and refuse.<//>`}`}
    <//>`}
  `;
}

export const VIEWS = { simulate: Simulate };
