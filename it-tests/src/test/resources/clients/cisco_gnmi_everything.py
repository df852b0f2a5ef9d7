"""cisco-gnmi against a switch process. Arguments: address, name of an interface."""
import sys

import grpc
from cisco_gnmi import Client, proto
from cisco_gnmi.client import Client as Paths
from wire import PATIENCE, check

address, name = sys.argv[1:3]


def path(text):
    return Paths.parse_xpath_to_gnmi_path("/interfaces/interface[name='%s']/%s" % (name, text))


with grpc.insecure_channel(address) as channel:
    client = Client(channel, timeout=PATIENCE)
    check("version", client.capabilities().gNMI_version, "0.10.0")
    got = client.get([path("state/oper-status")], encoding="PROTO")
    check("Get", got.notification[0].update[0].val.string_val, "UP")
    down = proto.gnmi_pb2.Update(path=path("config/enabled"), val=proto.gnmi_pb2.TypedValue(bool_val=False))
    check("Set", len(client.set(updates=[down]).response), 1)
    got = client.get([path("config/enabled")])
    check("Get in JSON_IETF", got.notification[0].update[0].val.json_ietf_val, b"false")
    client.set(deletes=[path("config/enabled")])
    once = client.subscribe_xpaths(
        "/interfaces/interface[name='%s']/state/counters/in-pkts" % name, request_mode="ONCE", sub_mode="SAMPLE", encoding="PROTO"
    )
    heard = list(once)
    check("Subscribe ONCE", [len(m.update.update) for m in heard], [1, 0])
    check("it ends with a sync response", heard[-1].sync_response, True)
    stream = client.subscribe_xpaths(
        "/interfaces/interface[name='%s']/state/counters/in-pkts" % name,
        request_mode="STREAM",
        sub_mode="SAMPLE",
        encoding="PROTO",
        sample_interval=200_000_000,
    )
    samples = []
    for message in stream:
        samples += [u.val.uint_val for u in message.update.update]
        if len(samples) == 3:
            break
    check("Subscribe STREAM SAMPLE", len(samples), 3)
    stream.cancel()
    try:
        client.get([path("nothing")])
        raise AssertionError("an unknown path was answered")
    except grpc.RpcError as refusal:
        check("a refusal", "'nothing' is unknown" in refusal.details(), True)
print("done")
