"""pygnmi against a switch process. Arguments: address, name of an interface."""
import sys

from pygnmi.client import gNMIclient
from wire import PATIENCE, check

address, name = sys.argv[1:3]
host, port = address.rsplit(":", 1)
interface = "/interfaces/interface[name=%s]" % name


def first(message):
    return [entry["val"] for entry in message["update"]["update"]]


def values(subscription, count):
    heard = []
    for message in subscription:
        if "update" in message and message["update"].get("update"):
            heard += first(message)
        if len(heard) >= count:
            return heard[:count]


def request(path, how, **more):
    return {"subscription": [dict(path=path, **more)], "mode": how, "encoding": "proto"}


with gNMIclient(target=(host, int(port)), insecure=True, gnmi_timeout=PATIENCE) as client:
    capabilities = client.capabilities()
    check("version", capabilities["gnmi_version"], "0.10.0")
    check("a model", "openconfig-interfaces" in [m["name"] for m in capabilities["supported_models"]], True)
    got = client.get(path=[interface + "/state/oper-status"], encoding="json_ietf")
    check("Get", got["notification"][0]["update"][0]["val"], "UP")
    done = client.set(update=[(interface + "/config", {"enabled": False})], encoding="json_ietf")
    check("Set updates", [entry["op"] for entry in done["response"]], ["UPDATE"])
    got = client.get(path=[interface + "/state/admin-status"], encoding="json_ietf")
    check("what was set is in force", got["notification"][0]["update"][0]["val"], "DOWN")
    try:
        client.set(
            update=[(interface + "/config/enabled", True), (interface + "/config", {"name": "other"})], encoding="json_ietf"
        )
        raise AssertionError("a name was changed")
    except Exception as refusal:
        check("Set is refused as a whole", "other" in str(refusal), True)
    got = client.get(path=[interface + "/config/enabled"], encoding="json_ietf")
    check("nothing of it was done", got["notification"][0]["update"][0]["val"], False)
    done = client.set(delete=[interface + "/config/enabled"])
    check("Set deletes", [entry["op"] for entry in done["response"]], ["DELETE"])
    path = interface + "/state/admin-status"
    check("Subscribe ONCE", values(client.subscribe_once(request(path, "once")), 1), ["UP"])
    poll = client.subscribe_poll(request(path, "poll"))
    check("Subscribe POLL", [first(poll.get_update(timeout=PATIENCE)) for _ in range(2)], [["UP"], ["UP"]])
    poll.close()
    counter = interface + "/state/counters/in-octets"
    sampled = client.subscribe_stream(request(counter, "stream", mode="sample", sample_interval=200_000_000))
    check("Subscribe STREAM SAMPLE", len(values(sampled, 3)), 3)
    sampled.close()
    changes = client.subscribe_stream(request(path, "stream", mode="on_change"))
    check("Subscribe STREAM ON_CHANGE, as it is", first(changes.get_update(timeout=PATIENCE)), ["UP"])
    client.set(update=[(interface + "/config", {"enabled": False})], encoding="json_ietf")
    check("Subscribe STREAM ON_CHANGE, changed", first(changes.get_update(timeout=PATIENCE)), ["DOWN"])
    changes.close()
    client.set(replace=[(interface + "/config", {"name": name, "enabled": True})], encoding="json_ietf")
print("done")
