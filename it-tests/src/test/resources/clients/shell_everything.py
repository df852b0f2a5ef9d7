"""p4runtime-shell against a switch process that runs 'everything'. Arguments: address, wires, P4Info, device config."""
import os
import queue
import sys
import traceback

import p4runtime_sh.shell as sh
from p4runtime_sh.p4runtime import P4RuntimeClient, P4RuntimeWriteException
from wire import PATIENCE, Wire, check, frame

address, wires, p4info, config = sys.argv[1:5]

# Left alone, the shell waits two seconds for the answer to its claim and gives up.
stream_packet = P4RuntimeClient.get_stream_packet
P4RuntimeClient.get_stream_packet = lambda client, kind, timeout=1: stream_packet(
    client, kind, PATIENCE if kind == "arbitration" else timeout
)


def station(dst, action, **parameters):
    entry = sh.TableEntry("In.stations")(action="In." + action)
    entry.match["hdr.ethernet.dst"] = ":".join(dst[i : i + 2] for i in range(0, 12, 2))
    for name, value in parameters.items():
        entry.action[name] = str(value)
    return entry


def rule(priority, port, word, addr=None, key=None, words=None):
    entry = sh.TableEntry("In.rules")(action="In.answer")
    if addr:
        entry.match["hdr.probe.addr"] = addr
    if key:
        entry.match["hdr.probe.key"] = key
    if words:
        entry.match["hdr.probe.word"] = words
    entry.priority = priority
    entry.action["port"] = str(port)
    entry.action["word"] = str(word)
    return entry


def tables(wire):
    station("0a0000000002", "forward", port=2).insert()
    wire.send(1, frame(0))
    wire.expect("an exact match forwards", 2, frame(0))
    again = station("0a0000000002", "forward", port=3)
    try:
        again.insert()
        raise AssertionError("the same key was taken twice")
    except P4RuntimeWriteException as refusal:
        check("a key that is there is refused", "already has this entry" in str(refusal), True)
    again.modify()
    wire.send(1, frame(0))
    wire.expect("MODIFY changes the action", 3, frame(0))
    counted = list(sh.DirectCounterEntry("In.station_counter").read())
    check("the direct counter has counted", [c.packet_count for c in counted], [2])
    again.delete()
    check("DELETE deletes", list(sh.TableEntry("In.stations").read()), [])

    rule(10, 1, 100, addr="10.0.0.0&&&255.0.0.0").insert()
    higher = rule(20, 1, 200, addr="10.1.0.0&&&255.255.0.0", key="7")
    higher.insert()
    rule(30, 1, 300, words="50..60").insert()
    wire.send(1, frame(1, key=7, addr=0x0A010203))
    check("the higher of two priorities", wire.word_of_next(1), 200)
    wire.send(1, frame(1, key=6, addr=0x0A010203))
    check("an optional field that does not match", wire.word_of_next(1), 100)
    wire.send(1, frame(1, key=7, word=55, addr=0x0A010203))
    check("a range above both", wire.word_of_next(1), 300)
    check("a wildcard read", len(list(sh.TableEntry("In.rules").read())), 3)
    one = sh.TableEntry("In.rules")
    one.priority = 20
    check("a read by priority", [e.action["word"].value for e in one.read()], [b"\xc8"])
    higher.delete()
    wire.send(1, frame(1, key=7, addr=0x0A010203))
    check("the lower one when the higher is gone", wire.word_of_next(1), 100)

    route = sh.TableEntry("In.routes")(action="In.metered")
    route.match["hdr.probe.addr"] = "10.0.0.0/8"
    route.action["port"] = "2"
    route.insert()
    longer = sh.TableEntry("In.routes")(action="In.metered")
    longer.match["hdr.probe.addr"] = "10.9.0.0/16"
    longer.action["port"] = "3"
    longer.insert()
    wire.send(1, frame(2, addr=0x0A090001))
    wire.expect("the longest prefix", 3, frame(2, addr=0x0A090001))
    wire.send(1, frame(2, addr=0x0A080001))
    wire.expect("a shorter prefix", 2, frame(2, addr=0x0A080001))
    check("constant entries", len(list(sh.TableEntry("In.fixed").read())), 1)
    default = sh.TableEntry("In.rules")(action="In.answer", is_default=True)
    default.action["port"] = "1"
    default.action["word"] = "9"
    default.modify()
    wire.send(1, frame(1))
    check("a new default entry", wire.word_of_next(1), 9)


def meters_and_cells(wire):
    meter = sh.DirectMeterEntry("In.rate_meter")
    meter.table_entry.match["hdr.probe.addr"] = "10.9.0.0/16"
    meter.cir, meter.cburst, meter.pir, meter.pburst = 0, 1, 0, 2
    meter.modify()
    for _ in range(3):
        wire.send(1, frame(2, addr=0x0A090001))
    check("the direct meter's colours", [wire.key_of_next(3) for _ in range(3)], [0, 1, 2])
    cell = sh.MeterEntry("In.colours")
    cell.index = 2
    cell.cir, cell.cburst, cell.pir, cell.pburst = 0, 1, 0, 1
    cell.modify()
    for _ in range(2):
        wire.send(1, frame(6, key=2))
    check("the meter cell's colours", [wire.key_of_next(1) for _ in range(2)], [0, 2])
    check("all meter cells", [m.cburst for m in sh.MeterEntry("In.colours").read()], [0, 0, 1, 0])
    counter = sh.CounterEntry("In.kinds")
    counter.index = 6
    check("a counter cell", [c.packet_count for c in counter.read()], [2])
    counter.packet_count, counter.byte_count = 40, 50
    counter.modify()
    wire.send(1, frame(6))
    wire.next(1)
    check("a counter cell goes on from what was written", [c.packet_count for c in counter.read()], [41])


def profiles(wire):
    for number, port in ((1, 2), (2, 3), (3, 1)):
        member = sh.ActionProfileMember("In.picked")(action="In.to", member_id=number)
        member.action["port"] = str(port)
        member.insert()
    group = sh.ActionProfileGroup("In.picked")(group_id=1)
    group.max_size = 4
    group.add(1).add(2, weight=2)
    group.insert()
    entry = sh.TableEntry("In.balanced")(group_id=1)
    entry.match["hdr.probe.key"] = "1"
    entry.insert()
    out = {2: 0, 3: 0}
    for word in range(60):
        wire.send(1, frame(3, key=1, word=word))
        out[wire.port_of_next(2, 3)] += 1
    check("both members of a group are picked", out[2] > 5 and out[3] > out[2], True)
    single = sh.ActionProfileGroup("In.picked")(group_id=1)
    single.max_size = 4
    single.add(3)
    single.modify()
    wire.send(1, frame(3, key=1))
    wire.expect("a modified group", 1, frame(3, key=1))
    try:
        single.delete()
        raise AssertionError("a group in use was deleted")
    except P4RuntimeWriteException as refusal:
        check("a group in use stays", "group 1" in str(refusal), True)
    check("groups are read", [len(g.members) for g in sh.ActionProfileGroup("In.picked").read()], [1])
    check("members are read", len(list(sh.ActionProfileMember("In.picked").read())), 3)
    entry.delete()
    single.delete()
    for number in (1, 2, 3):
        sh.ActionProfileMember("In.picked")(member_id=number).delete()
    shot = sh.TableEntry("In.balanced")
    shot.match["hdr.probe.key"] = "2"
    actions = sh.Oneshot("In.balanced")
    to = sh.Action("In.to")
    to["port"] = "2"
    actions.add(to, weight=3)
    shot.oneshot = actions
    shot.insert()
    wire.send(1, frame(3, key=2))
    wire.expect("a one-shot action set", 2, frame(3, key=2))
    check("it is read back", len(next(iter(sh.TableEntry("In.balanced").read())).oneshot.actions), 1)
    shot.delete()
    member = sh.ActionProfileMember("In.shared")(action="In.to", member_id=5)
    member.action["port"] = "3"
    member.insert()
    pinned = sh.TableEntry("In.pinned")(member_id=5)
    pinned.match["hdr.probe.key"] = "9"
    pinned.insert()
    wire.send(1, frame(4, key=9))
    wire.expect("a member of an action profile", 3, frame(4, key=9))


def replication(wire):
    group = sh.MulticastGroupEntry(5)
    group.add(2, 1).add(3, 2)
    group.insert()
    station("0a0000000003", "flood", group=5).insert()
    flooded = frame(0, dst="0a0000000003")
    wire.send(1, flooded)
    wire.expect("a multicast group, first replica", 2, flooded)
    wire.expect("a multicast group, second replica", 3, flooded)
    session = sh.CloneSessionEntry(7)
    session.add(3, 1)
    session.insert()
    station("0a0000000004", "copy", port=2, session=7).insert()
    cloned = frame(0, dst="0a0000000004")
    wire.send(1, cloned)
    wire.expect("a packet that is cloned", 2, cloned)
    wire.expect("its clone", 3, cloned)
    check("groups are read", [g.group_id for g in sh.MulticastGroupEntry(0).read()], [5])
    check("sessions are read", [s.session_id for s in sh.CloneSessionEntry(0).read()], [7])
    group.delete()
    session.delete()
    wire.send(1, cloned)
    wire.expect("without its session it is only forwarded", 2, cloned)
    marker = frame(4, key=9)
    wire.nothing_before("no clone comes out", 3, marker)


def messages(wire):
    packet_in = sh.PacketIn()
    station("0a0000000005", "to_controller", reason=3).insert()
    punted = frame(0, dst="0a0000000005")
    wire.send(2, punted)
    message = packet_in.packet_in_queue.get(timeout=PATIENCE).packet
    check("packet-in", message.payload, punted)
    check("its metadata", [(m.metadata_id, m.value) for m in message.metadata], [(1, b"\x02"), (2, b"\x03")])
    out = sh.PacketOut(frame(0), egress_port="3")
    out.send()
    wire.expect("packet-out", 3, frame(0))

    digest = sh.DigestEntry("seen_t")
    digest.max_timeout_ns = 0
    digest.max_list_size = 1
    digest.ack_timeout_ns = 60_000_000_000
    digest.insert()
    lists = sh.DigestList()
    station("0a0000000006", "learn").insert()
    wire.send(3, frame(0, dst="0a0000000006"))
    message = lists.digest_list_queue.get(timeout=PATIENCE).digest
    members = message.data[0].struct.members
    check("digest", [m.bitstring for m in members], [bytes.fromhex("0a0000000001"), b"\x03"])
    # The shell acknowledges by itself, some time; from then on the same message is told anew.
    for _ in range(2 * PATIENCE):
        wire.send(3, frame(0, dst="0a0000000006"))
        try:
            message = lists.digest_list_queue.get(timeout=0.5).digest
            break
        except queue.Empty:
            message = None
    check("digest after its acknowledgement", message is not None, True)
    check("its configuration is read", [d.max_list_size for d in sh.DigestEntry("seen_t").read()], [1])
    digest.delete()

    expired = sh.IdleTimeoutNotification()
    idle = station("0a0000000007", "forward", port=2)
    idle.idle_timeout_ns = 50_000_000
    idle.insert()
    note = expired.notification_queue.get(timeout=PATIENCE).idle_timeout_notification
    check("idle timeout", [e.idle_timeout_ns for e in note.table_entry], [50_000_000])
    check("of this entry", note.table_entry[0].match[0].exact.value, bytes.fromhex("0a0000000007"))
    idle.delete()


def main():
    sh.setup(
        device_id=1,
        grpc_addr=address,
        election_id=(0, 1),
        config=sh.FwdPipeConfig(p4info, config),
        verbose=False,
    )
    wire = Wire(wires)
    tables(wire)
    meters_and_cells(wire)
    profiles(wire)
    replication(wire)
    messages(wire)


# The shell's threads outlive an exception; they must not keep a failed test waiting.
try:
    main()
    print("done", flush=True)
    os._exit(0)
except BaseException:
    traceback.print_exc()
    os._exit(1)
