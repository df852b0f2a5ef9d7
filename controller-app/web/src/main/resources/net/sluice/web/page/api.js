// The API of the controller that this page came from, with the proof of the user who has signed in.

const meta = (name) => document.querySelector(`meta[name="sluice-${name}"]`).content;
const KEY = "sluice-login";

/** Where the API is, with a slash at the end. */
export const base = new URL(meta("api"), document.baseURI);

/** How callers prove who they are: Bearer (a token), Basic (name and password), or none. */
export const login = meta("login");

/** Kept as long as the tab is open, and in no other tab. */
export const session = {
  get: () => sessionStorage.getItem(KEY),
  set: (authorization) => sessionStorage.setItem(KEY, authorization),
  end: () => sessionStorage.removeItem(KEY),
};

export function bearer(token) {
  return `Bearer ${token}`;
}

export function basic(name, password) {
  const octets = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...octets))}`;
}

/** A refusal or failure, as RFC 9457 tells it. */
export class Problem extends Error {
  constructor(status, told) {
    super(told.detail ?? told.title ?? `The controller answered ${status}.`);
    this.status = status;
    this.errors = told.errors ?? [];
    // A controller that measures nothing knows the path and has no answer.
    this.isNotMeasured = status === 409 && this.errors.some((each) => each.field === "path");
    // No such resource, in contrast to no such declaration.
    this.isUnknownPath = status === 404 && this.errors.some((each) => each.field === "path");
  }
}

const listeners = new Set();

/** Calls back when the API does not know the caller any more. */
export function onSignedOut(listener) {
  listeners.add(listener);
}

function request(path, { method = "GET", body, headers = {}, signal } = {}) {
  const all = { Accept: "application/json", ...headers };
  const authorization = session.get();
  if (authorization) {
    all.Authorization = authorization;
  }
  return fetch(new URL(path, base), {
    method,
    body,
    signal,
    headers: all,
    cache: "no-store",
    // Else browsers ask for a password themselves.
    credentials: login === "Basic" ? "omit" : "same-origin",
  });
}

async function refused(response) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // Not from the API; a proxy, for instance.
  }
  const problem = new Problem(response.status, told);
  if (response.status === 401) {
    session.end();
    listeners.forEach((each) => each(problem.message));
  }
  return problem;
}

/** Asks, and returns the answer as text, with its status and tag. */
export async function send(path, options) {
  let response;
  try {
    response = await request(path, options);
  } catch (e) {
    if (e.name === "AbortError") {
      throw e;
    }
    throw new Problem(0, { detail: "The controller does not answer. It may be starting anew." });
  }
  if (!response.ok) {
    throw await refused(response);
  }
  return {
    status: response.status,
    tag: response.headers.get("ETag"),
    text: await response.text(),
  };
}

/** The JSON that is at a path. */
export async function get(path, options) {
  const answer = await send(path, options);
  return answer.text ? JSON.parse(answer.text) : null;
}

/** Paths that this controller does not have: asked for once, and then known. */
const lacking = new Set();

/**
 * The JSON of a resource that the controller may lack; undefined if it does.
 *
 * @param kind what tells the resource, whatever its ids
 */
export async function getIfThere(kind, path, options) {
  if (lacking.has(kind)) {
    return undefined;
  }
  try {
    return await get(path, options);
  } catch (e) {
    if (e.isUnknownPath || e.isNotMeasured || e.status === 405) {
      lacking.add(kind);
      return undefined;
    }
    throw e;
  }
}

/** A part of a path. */
export const part = encodeURIComponent;

const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

/** The same request for a terminal. No secret is in it, but the name of a variable. */
export function curl({ method, path, body, type }) {
  const words = ["curl"];
  if (method !== "GET") {
    words.push("-X", method);
  }
  if (login === "Bearer") {
    words.push("-H", `"Authorization: Bearer $SLUICE_TOKEN"`);
  } else if (login === "Basic") {
    words.push("-u", `"$ONOS_USER:$ONOS_PASSWORD"`);
  }
  if (body !== undefined) {
    words.push("-H", quoted(`Content-Type: ${type}`), "--data-binary", quoted(body));
  }
  words.push(quoted(new URL(path, base)));
  return words.join(" ");
}

const NEWEST = 300;
const AGAIN_MILLIS = 3000;

/** The events since the page was opened and some before, newest first, and the listeners for new ones. */
export const events = {
  all: [],
  state: "connecting",
  followers: new Set(),
  running: null,

  follow(listener) {
    this.followers.add(listener);
    return () => this.followers.delete(listener);
  },

  tell() {
    this.followers.forEach((each) => each());
  },

  start() {
    if (!this.running) {
      this.running = new AbortController();
      this.run(this.running.signal);
    }
  },

  stop() {
    this.running?.abort();
    this.running = null;
    this.all = [];
    this.state = "connecting";
  },

  async run(signal) {
    let last = null;
    while (!signal.aborted) {
      try {
        const headers = { Accept: "text/event-stream, application/json" };
        if (last) {
          headers["Last-Event-ID"] = last;
        }
        const response = await request(last ? "events" : `events?last=${NEWEST}`, { headers, signal });
        if (!response.ok) {
          throw await refused(response);
        }
        this.state = "live";
        this.tell();
        for await (const event of parsed(response.body)) {
          last = event.id ?? last;
          if (event.name === "closed") {
            break;
          }
          this.all = [JSON.parse(event.data), ...this.all].slice(0, NEWEST);
          this.tell();
        }
      } catch (e) {
        if (signal.aborted) {
          return;
        }
        if (e.status === 401) {
          this.running = null;
          return;
        }
      }
      this.state = "broken";
      this.tell();
      await new Promise((done) => setTimeout(done, AGAIN_MILLIS));
    }
  },
};

/** Server-sent events (WHATWG HTML section 9.2) of a stream. */
async function* parsed(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { data: "" };
      for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        const text = line.slice(colon + 1).replace(/^ /, "");
        const field = line.slice(0, Math.max(colon, 0));
        if (field === "id") {
          event.id = text;
        } else if (field === "event") {
          event.name = text;
        } else if (field === "data") {
          event.data += text;
        }
      }
      if (event.data) {
        yield event;
      }
    }
  }
}
