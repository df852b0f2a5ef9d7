"""Walks through the API by the client that openapi-python-client makes; the argument is its base."""

import io
import json
import sys

from sluice_client import Client
from sluice_client.api.audit import get_audit
from sluice_client.api.bulk import bulk
from sluice_client.api.policies import list_policies, patch_policy, put_policy
from sluice_client.models import Policy, PolicyPatch
from sluice_client.types import File

client = Client(base_url=sys.argv[1])


def policy(function):
    return {"throughputValue": {"builtIn": function}}


made = put_policy.sync_detailed("gold", client=client, body=Policy.from_dict(policy("gold")))
assert made.status_code == 201, made
patched = patch_policy.sync_detailed(
    "gold", client=client, body=PolicyPatch(display_name="Gold 100"))
assert patched.status_code == 200, patched
assert patched.parsed.declared.display_name == "Gold 100", patched

lines = "".join(
    json.dumps({"op": "put", "kind": "policy", "id": name, "value": policy("silver")}) + "\n"
    for name in ("a", "b"))
answer = bulk.sync_detailed(client=client, body=File(payload=io.BytesIO(lines.encode())))
results = [json.loads(line) for line in answer.content.splitlines()]
assert [each["status"] for each in results] == [200, 200], answer

page = list_policies.sync(client=client, limit=2)
assert [each.id for each in page.items] == ["a", "b"], page
assert page.next_, page

events = client.get_httpx_client()
with events.stream("GET", "/events", headers={"Last-Event-ID": "0"}) as stream:
    data = next(line for line in stream.iter_lines() if line.startswith("data:"))
    assert json.loads(data[len("data:"):])["specversion"] == "1.0", data

log = get_audit.sync(client=client)
assert [each.path for each in log.items if each.path][:1], log
print("ok")
