/** Walks through the API by the client that hey-api's openapi-ts makes; the argument is its base. */
import { client } from "./out/client.gen";
import { bulk, getAudit, listPolicies, patchPolicy, putPolicy } from "./out";

declare const process: { argv: string[]; exit(code: number): never };

const base = process.argv[2];

function check(holds: unknown, what: unknown): asserts holds {
  if (!holds) {
    throw new Error(JSON.stringify(what));
  }
}

async function walk(): Promise<void> {
  client.setConfig({ baseUrl: base });
  const made = await putPolicy({
    path: { id: "gold" },
    body: { throughputValue: { builtIn: "gold" } },
  });
  check(made.response?.status === 201, made.error);
  const patched = await patchPolicy({ path: { id: "gold" }, body: { displayName: "Gold 100" } });
  check(patched.response?.status === 200, patched.error);
  const lines = ["a", "b"]
    .map((id) => ({ op: "put", kind: "policy", id, value: { throughputValue: { builtIn: "silver" } } }))
    .map((change) => JSON.stringify(change) + "\n")
    .join("");
  const answer = await bulk({ body: new Blob([lines]), parseAs: "text" });
  const results = String(answer.data).trim().split("\n").map((line) => JSON.parse(line));
  check(results.length === 2 && results.every((each) => each.status === 200), answer);
  const page = await listPolicies({ query: { limit: 2 } });
  check(page.data?.items.map((each) => each.id).join() === "a,b" && page.data.next, page);
  const events = await fetch(base + "/events", { headers: { "Last-Event-ID": "0" } });
  const first = await events.body!.getReader().read();
  check(new TextDecoder().decode(first.value).includes('"specversion":"1.0"'), "events");
  const log = await getAudit({});
  check(Array.isArray(log.data?.items), log);
  console.log("ok");
  process.exit(0);
}

walk().catch((failure) => {
  console.error(failure);
  process.exit(1);
});
