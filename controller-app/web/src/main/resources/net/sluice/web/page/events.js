// All that happens, as it happens.

import { useState } from "preact/hooks";
import { events } from "./api.js";
import { plural } from "./format.js";
import { Empty, EventLine, Panel, html, typeOf, useEvents } from "./parts.js";

const KINDS = [
  ["", "all"],
  ["declaration.", "declarations"],
  ["declaration.refused,declaration.failed,next-hop.unanswered,target.drift-mended", "trouble"],
  ["target.", "targets"],
  ["switch.,controller.,store.", "controller"],
];

function Events({ query }) {
  const [kind, setKind] = useState(query.get("type") ?? "");
  const [text, setText] = useState(query.get("subject") ?? "");
  const [held, setHeld] = useState(null);
  const { all } = useEvents(() => false);
  const listed = held ?? all;
  const waiting = held ? all.findIndex((event) => event === held[0]) : 0;
  const shown = listed.filter(
    (event) =>
      (kind === "" || kind.split(",").some((each) => typeOf(event).startsWith(each))) &&
      (text === "" || (event.subject ?? "").includes(text)),
  );
  return html`
    <h1>Events</h1>
    <${Panel}
      title="Live"
      wide
      aside=${html`
        <label>Kind <select value=${kind} onChange=${(event) => setKind(event.target.value)}>
          ${KINDS.map(([value, label]) => html`<option value=${value}>${label}</option>`)}
        </select></label>
        <label>Subject <input value=${text} placeholder="subscribers/alice" onInput=${(event) => setText(event.target.value)} /></label>
        <button aria-pressed=${held !== null} onClick=${() => setHeld(held ? null : events.all)}>
          ${held ? `Go on (${plural(Math.max(0, waiting), "new event")})` : "Pause"}
        </button>
      `}
    >
      ${shown.length === 0
        ? html`<${Empty}>${all.length === 0 ? "None yet. Changes and sessions are told here as they happen." : "None of these. Choose another kind or subject."}<//>`
        : html`<ul class="events">${shown.map((event) => html`<${EventLine} key=${event.id} event=${event} />`)}</ul>`}
    <//>
  `;
}

export const VIEWS = { events: Events };
