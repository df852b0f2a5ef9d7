"""p4runtime-shell against a switch that runs the program 'entities'. Arguments: address, P4Info, device config."""
import os
import sys
import traceback

import p4runtime_sh.shell as sh
from p4runtime_sh.p4runtime import P4RuntimeClient, P4RuntimeWriteException

address, p4info, config = sys.argv[1:4]
role = sys.argv[4] if len(sys.argv) > 4 else None

# Left alone, the shell waits two seconds for the answer to its claim and gives up.
stream_packet = P4RuntimeClient.get_stream_packet
P4RuntimeClient.get_stream_packet = lambda client, kind, timeout=1: stream_packet(
    client, kind, 300 if kind == "arbitration" else timeout
)


def setup(election_id, config=None):
    sh.setup(device_id=5, grpc_addr=address, election_id=election_id, role_name=role, config=config, verbose=False)


def check(what, actual, expected):
    if actual != expected:
        raise AssertionError("%s: expected %r, got %r" % (what, expected, actual))
    print("ok:", what)


def main():
    # Pipeline and arbitration.
    setup((0, 1), sh.FwdPipeConfig(p4info, config))
    check("version", sh.APIVersion().split(".")[0], "1")

    # Entries of every match kind.
    entry = sh.TableEntry("In.exact_table")(action="In.answer")
    entry.match["hdr.probe.small"] = "7"
    entry.match["hdr.probe.medium"] = "0x123"
    entry.action["value"] = "42"
    entry.metadata = b"mine"
    entry.insert()
    entry = sh.TableEntry("In.prefixes")(action="In.answer")
    entry.match["hdr.probe.word"] = "10.0.0.0/8"
    entry.match["hdr.probe.nibble"] = "3"
    entry.action["value"] = "43"
    entry.idle_timeout_ns = 5_000_000_000
    entry.insert()
    entry = sh.TableEntry("In.masks")(action="In.metered")
    entry.match["hdr.probe.small"] = "0x10&&&0xf0"
    entry.match["hdr.probe.nibble"] = "1"
    entry.priority = 9
    entry.action["value"] = "44"
    entry.insert()
    entry = sh.TableEntry("In.ranges")(action="In.pair")
    entry.match["hdr.probe.medium"] = "5..9"
    entry.priority = 3
    entry.action["port"] = "2"
    entry.action["wide"] = "2001:db8::1"
    entry.insert()
    entry = sh.TableEntry("In.options")(action="In.answer")
    entry.match["hdr.probe.small"] = "8"
    entry.priority = 4
    entry.action["value"] = "45"
    entry.insert()
    read = list(sh.TableEntry("In.exact_table").read())
    check("one entry", len(read), 1)
    check("its metadata", read[0].metadata, b"mine")
    check("its parameter", read[0].action["value"].value, b"*")
    check("a table with initial entries", len(list(sh.TableEntry("In.initial").read())), 2)
    check("a constant table", len(list(sh.TableEntry("In.constant").read())), 3)
    check("entries of all tables", len(list(sh.TableEntry("In.prefixes").read())), 1)

    # Refusals come with their reason.
    again = sh.TableEntry("In.exact_table")(action="In.answer")
    again.match["hdr.probe.small"] = "7"
    again.match["hdr.probe.medium"] = "0x123"
    again.action["value"] = "1"
    try:
        again.insert()
        raise AssertionError("a second entry with the same key was taken")
    except P4RuntimeWriteException as refusal:
        check("refusal", "already has this entry" in str(refusal), True)
    again.modify()
    again.delete()
    check("deleted", list(sh.TableEntry("In.exact_table").read()), [])

    # Default entry.
    default = sh.TableEntry("In.options")(action="In.answer", is_default=True)
    default.action["value"] = "99"
    default.modify()

    # Counters, direct counters, meters, direct meters.
    counter = sh.CounterEntry("In.hits")
    counter.index = 3
    counter.packet_count = 10
    counter.byte_count = 100
    counter.modify()
    cells = list(sh.CounterEntry("In.hits").read())
    check("counter cells", [c.packet_count for c in cells], [0, 0, 0, 10, 0])
    direct = sh.DirectCounterEntry("In.exact_counter")
    check("direct counters", list(direct.read()), [])
    meter = sh.MeterEntry("In.rates")
    meter.index = 1
    meter.cir = 1
    meter.cburst = 2
    meter.pir = 3
    meter.pburst = 4
    meter.modify()
    check("meter cells", [m.pir for m in sh.MeterEntry("In.rates").read()], [0, 3, 0, 0])
    direct_meter = sh.DirectMeterEntry("In.ternary_meter")
    direct_meter.table_entry.match["hdr.probe.small"] = "0x10&&&0xf0"
    direct_meter.table_entry.match["hdr.probe.nibble"] = "1"
    direct_meter.table_entry.priority = 9
    direct_meter.cir = 5
    direct_meter.cburst = 6
    direct_meter.pir = 7
    direct_meter.pburst = 8
    direct_meter.modify()
    check("direct meters", [m.pir for m in sh.DirectMeterEntry("In.ternary_meter").read()], [7])
    # Multicast groups and clone sessions.
    group = sh.MulticastGroupEntry(5)
    group.add(1, 1).add(2, 2)
    group.insert()
    check("replicas", [len(g.replicas) for g in sh.MulticastGroupEntry(5).read()], [2])
    group.delete()
    session = sh.CloneSessionEntry(7)
    session.add(3, 1)
    session.insert()
    check("clone session", [len(c.replicas) for c in sh.CloneSessionEntry(7).read()], [1])
    session.delete()
    sh.teardown()


# The shell's threads outlive an exception; they must not keep a failed test waiting.
try:
    main()
    print("done", flush=True)
    os._exit(0)
except BaseException:
    traceback.print_exc()
    os._exit(1)
