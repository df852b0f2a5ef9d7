"""finsy against a switch process that runs 'everything'. Arguments: address, wires, P4Info, device config, gNMI address."""
import asyncio
import json
import pathlib
import sys

import finsy as fy
from finsy.gnmiclient import GNMIClientError
from finsy.p4entity import P4ValueSetMember
from wire import PATIENCE, Wire, check, frame

address, wires, p4info, config, gnmi = sys.argv[1:6]


def station(dst, action, **more):
    return fy.P4TableEntry("stations", match=fy.P4TableMatch({"hdr.ethernet.dst": int(dst, 16)}), action=action, **more)


def rule(priority, answer, **match):
    fields = {"hdr.probe." + name: value for name, value in match.items()}
    return fy.P4TableEntry(
        "rules", match=fy.P4TableMatch(fields), priority=priority, action=fy.P4TableAction("answer", port=1, word=answer)
    )


def out_of(port):
    return fy.P4TableAction("to", port=port)


async def all_of(entries):
    return [entry async for entry in entries]


async def tables(switch, wire):
    forward = fy.P4TableAction("forward", port=2)
    await switch.insert([station("0a0000000002", forward, metadata=b"mine", counter_data=fy.P4CounterData(byte_count=7, packet_count=5))])
    wire.send(1, frame(0))
    wire.expect("an exact match forwards", 2, frame(0))
    read = await all_of(switch.read(fy.P4TableEntry("stations", counter_data=fy.P4CounterData())))
    check("its counter goes on", [e.counter_data.packet_count for e in read], [6])
    check("its metadata", [e.metadata for e in read], [b"mine"])
    await switch.modify([station("0a0000000002", fy.P4TableAction("forward", port=3))])
    wire.send(1, frame(0))
    wire.expect("MODIFY changes the action", 3, frame(0))
    try:
        await switch.insert([station("0a0000000002", forward)])
        raise AssertionError("the same key was taken twice")
    except fy.P4ClientError as refusal:
        check("a key that is there is refused", "already has this entry" in str(refusal), True)
    await switch.delete([station("0a0000000002", forward)])
    check("DELETE deletes", await all_of(switch.read(fy.P4TableEntry("stations"))), [])

    await switch.write(
        [+rule(10, 100, addr=(0x0A000000, 0xFF000000)), +rule(20, 200, addr=(0x0A010000, 0xFFFF0000), key=7), +rule(30, 300, word=(50, 60))]
    )
    wire.send(1, frame(1, key=7, addr=0x0A010203))
    check("the higher of two priorities", wire.word_of_next(1), 200)
    wire.send(1, frame(1, key=7, word=55, addr=0x0A010203))
    check("a range above both", wire.word_of_next(1), 300)
    check("every entry of every table", len(await all_of(switch.read(fy.P4TableEntry()))), 4)
    # finsy asks for CONTINUE_ON_ERROR: the first update stays.
    try:
        await switch.write([+rule(40, 400), +rule(30, 300, word=(50, 60))])
        raise AssertionError("a batch with a wrong update was taken")
    except fy.P4ClientError as refusal:
        check("a refused batch tells which update it was", "already has this entry" in str(refusal), True)
    await switch.delete([rule(40, 400)])

    metered = fy.P4TableAction("metered", port=3)
    await switch.insert(
        [
            fy.P4TableEntry("routes", match=fy.P4TableMatch({"hdr.probe.addr": "10.0.0.0/8"}), action=fy.P4TableAction("metered", port=2)),
            fy.P4TableEntry(
                "routes",
                match=fy.P4TableMatch({"hdr.probe.addr": "10.9.0.0/16"}),
                action=metered,
                meter_config=fy.P4MeterConfig(cir=0, cburst=1, pir=0, pburst=2),
            ),
        ]
    )
    for _ in range(3):
        wire.send(1, frame(2, addr=0x0A090001))
    check("the longest prefix, metered", [wire.key_of_next(3) for _ in range(3)], [0, 1, 2])
    wire.send(1, frame(2, addr=0x0A080001))
    wire.expect("a shorter prefix", 2, frame(2, addr=0x0A080001))


async def cells(switch, wire):
    await switch.write([~fy.P4CounterEntry("kinds", index=7, data=fy.P4CounterData(byte_count=1, packet_count=40))])
    await switch.write([~fy.P4RegisterEntry("last", index=1, data=0xCAFE)])
    wire.send(1, frame(7))
    check("a register that was written", wire.addr_of_next(1), 0xCAFE)
    wire.send(1, frame(7, addr=0x01020304))
    wire.next(1)
    check("a register that the program wrote", [r.data async for r in switch.read(fy.P4RegisterEntry("last", index=0))], [0x01020304])
    check("a counter", [c.data.packet_count async for c in switch.read(fy.P4CounterEntry("kinds", index=7))], [42])
    await switch.write([~fy.P4MeterEntry("colours", index=2, config=fy.P4MeterConfig(cir=0, cburst=1, pir=0, pburst=1))])
    for _ in range(2):
        wire.send(1, frame(6, key=2))
    check("a meter cell", [wire.key_of_next(1) for _ in range(2)], [0, 2])
    other = frame(5, key=1, type=0x9999)
    await switch.write([~fy.P4ValueSetEntry("P.more_probes", members=[P4ValueSetMember(0x9999)])])
    wire.send(1, other)
    check("a value set", wire.word_of_next(1), 0xC0DE)


async def profiles(switch, wire):
    member = lambda number, port: fy.P4ActionProfileMember("picked", member_id=number, action=out_of(port))
    group = fy.P4ActionProfileGroup(
        "picked", group_id=1, max_size=4, members=[fy.P4Member(1, weight=1), fy.P4Member(2, weight=2)]
    )
    use = lambda key, **what: fy.P4TableEntry(
        "balanced", match=fy.P4TableMatch({"hdr.probe.key": key}), action=fy.P4IndirectAction(**what)
    )
    await switch.insert([member(1, 2), member(2, 3), group, use(1, group_id=1), use(2, member_id=1)])
    out = {2: 0, 3: 0}
    for word in range(60):
        wire.send(1, frame(3, key=1, word=word))
        out[wire.port_of_next(2, 3)] += 1
    check("both members of a group are picked", out[2] > 5 and out[3] > out[2], True)
    await switch.modify([member(1, 1)])
    wire.send(1, frame(3, key=2))
    wire.expect("a modified member", 1, frame(3, key=2))
    check("groups are read", [len(g.members) async for g in switch.read(fy.P4ActionProfileGroup())], [2])
    check("members are read", [m.member_id async for m in switch.read(fy.P4ActionProfileMember())], [1, 2])
    await switch.delete([use(1, group_id=1), use(2, member_id=1), group, member(1, 2), member(2, 3)])
    await switch.insert([use(3, action_set=[3 * out_of(2), 1 * out_of(2)])])
    wire.send(1, frame(3, key=3))
    wire.expect("a one-shot action set", 2, frame(3, key=3))
    await switch.delete([use(3, action_set=[])])
    check("nothing left", [m async for m in switch.read(fy.P4ActionProfileMember())], [])


async def replication(switch, wire):
    await switch.insert(
        [
            fy.P4MulticastGroupEntry(5, replicas=[2, (3, 2)]),
            fy.P4CloneSessionEntry(7, replicas=[3]),
            station("0a0000000003", fy.P4TableAction("flood", group=5)),
            station("0a0000000004", fy.P4TableAction("copy", port=2, session=7)),
        ]
    )
    wire.send(1, frame(0, dst="0a0000000003"))
    for port in (2, 3):
        wire.expect("a multicast group", port, frame(0, dst="0a0000000003"))
    wire.send(1, frame(0, dst="0a0000000004"))
    for port in (2, 3):
        wire.expect("a clone", port, frame(0, dst="0a0000000004"))
    await switch.modify([fy.P4MulticastGroupEntry(5, replicas=[3])])
    wire.send(1, frame(0, dst="0a0000000003"))
    wire.expect("a modified group", 3, frame(0, dst="0a0000000003"))
    check("sessions are read", [len(s.replicas) async for s in switch.read(fy.P4CloneSessionEntry())], [1])
    await switch.delete([fy.P4MulticastGroupEntry(5), fy.P4CloneSessionEntry(7)])


async def messages(switch, wire):
    packets = switch.read_packets()
    first = asyncio.ensure_future(packets.__anext__())
    await asyncio.sleep(0)
    await switch.insert([station("0a0000000005", fy.P4TableAction("to_controller", reason=3))])
    punted = frame(0, dst="0a0000000005")
    wire.send(2, punted)
    packet = await asyncio.wait_for(first, PATIENCE)
    check("packet-in", (packet.payload, packet["ingress_port"], packet["reason"]), (punted, 2, 3))
    await switch.write([fy.P4PacketOut(frame(0), egress_port=3, unused=0)])
    wire.expect("packet-out", 3, frame(0))

    digests = switch.read_digests("seen_t")
    told = asyncio.ensure_future(digests.__anext__())
    await asyncio.sleep(0)
    await switch.insert(
        [
            fy.P4DigestEntry("seen_t", max_list_size=1, ack_timeout_ns=60_000_000_000),
            station("0a0000000006", fy.P4TableAction("learn")),
        ]
    )
    wire.send(3, frame(0, dst="0a0000000006"))
    heard = await asyncio.wait_for(told, PATIENCE)
    check("digest", heard[0], {"src": 0x0A0000000001, "port": 3})
    await switch.write([heard.ack()])
    told = asyncio.ensure_future(digests.__anext__())
    for _ in range(2 * PATIENCE):
        wire.send(3, frame(0, dst="0a0000000006"))
        done, _ = await asyncio.wait([told], timeout=0.5)
        if done:
            break
    check("digest after its acknowledgement", len(told.result()), 1)
    await switch.delete([fy.P4DigestEntry("seen_t")])

    timeouts = switch.read_idle_timeouts()
    expired = asyncio.ensure_future(timeouts.__anext__())
    await asyncio.sleep(0)
    await switch.insert([station("0a0000000007", fy.P4TableAction("forward", port=2), idle_timeout_ns=50_000_000)])
    note = await asyncio.wait_for(expired, PATIENCE)
    check("idle timeout", [e.idle_timeout_ns for e in note.table_entry], [50_000_000])


def plain(update):
    """What a subscription tells: finsy asks for JSON and leaves it as it comes."""
    return json.loads(update.value)


async def interfaces():
    """finsy has a gNMI client of its own."""
    async with fy.GNMIClient(gnmi) as client:
        check("gNMI version", (await client.capabilities()).gNMI_version, "0.10.0")
        state = fy.GNMIPath("interfaces/interface[name=*]/state/oper-status")
        # Three interfaces and the CPU port.
        check("gNMI Get", [u.value for u in await client.get(state)], ["UP"] * 4)
        name = (await client.get(fy.GNMIPath("interfaces/interface[name=*]/state/name")))[0].value
        once = client.subscribe()
        once.once(state)
        check("gNMI Subscribe ONCE", [plain(u) async for u in once.synchronize()], ["UP"] * 4)
        sampled = client.subscribe()
        packets = fy.GNMIPath("interfaces/interface[name=*]/state/counters/in-pkts").set(name=name)
        sampled.sample(packets, sample_interval=100_000_000)
        check("gNMI Subscribe SAMPLE, as it is", len([u async for u in sampled.synchronize()]), 1)
        async for update in sampled.updates():
            check("gNMI Subscribe SAMPLE, later", plain(update) > 0, True)
            break
        sampled.cancel()
        enabled = fy.GNMIPath("interfaces/interface[name=*]/config/enabled").set(name=name)
        changes = client.subscribe()
        changes.on_change(enabled)
        check("gNMI Subscribe ON_CHANGE, as it is", [plain(u) async for u in changes.synchronize()], [True])
        await client.set(update=[(enabled, False)])
        async for update in changes.updates():
            check("gNMI Subscribe ON_CHANGE, changed", plain(update), False)
            break
        changes.cancel()
        await client.set(delete=[enabled])
        check("gNMI Set deletes", [u.value for u in await client.get(enabled)], [True])
        try:
            await client.get(fy.GNMIPath("interfaces/nothing"))
            raise AssertionError("an unknown path was answered")
        except GNMIClientError as refusal:
            check("gNMI refusal", "'nothing' is unknown" in refusal.message, True)


async def main():
    options = fy.SwitchOptions(
        p4info=pathlib.Path(p4info), p4blob=pathlib.Path(config), device_id=1, initial_election_id=20
    )
    wire = Wire(wires)
    async with fy.Switch("first", address, options) as switch:
        await tables(switch, wire)
        await cells(switch, wire)
        await profiles(switch, wire)
        await replication(switch, wire)
        await messages(switch, wire)
    await interfaces()
    print("done")


asyncio.run(main())
