"""finsy against a switch that runs the program 'entities'. Arguments: address, P4Info, device config."""
import asyncio
import pathlib
import sys

import finsy as fy

address, p4info, config = sys.argv[1:4]


def check(what, actual, expected):
    if actual != expected:
        sys.exit("%s: expected %r, got %r" % (what, expected, actual))
    print("ok:", what)


def options(**more):
    return fy.SwitchOptions(p4info=pathlib.Path(p4info), p4blob=pathlib.Path(config), device_id=5, **more)


async def main():
    async with fy.Switch("first", address, options(initial_election_id=20)) as switch:
        check("primary", switch.is_primary, True)
        await switch.delete_all()
        await switch.write(
            [
                +fy.P4TableEntry(
                    "exact_table",
                    match=fy.P4TableMatch({"hdr.probe.small": 7, "hdr.probe.medium": 0x123}),
                    action=fy.P4TableAction("answer", value=42),
                    metadata=b"mine",
                    counter_data=fy.P4CounterData(byte_count=100, packet_count=3),
                ),
                +fy.P4TableEntry(
                    "prefixes",
                    match=fy.P4TableMatch({"hdr.probe.word": "10.0.0.0/8", "hdr.probe.nibble": 3}),
                    action=fy.P4TableAction("answer", value=43),
                    idle_timeout_ns=5_000_000_000,
                ),
                +fy.P4TableEntry(
                    "masks",
                    match=fy.P4TableMatch({"hdr.probe.small": (0x10, 0xF0), "hdr.probe.nibble": 1}),
                    action=fy.P4TableAction("metered", value=44),
                    priority=9,
                    meter_config=fy.P4MeterConfig(cir=1, cburst=2, pir=3, pburst=4),
                ),
                +fy.P4TableEntry(
                    "ranges",
                    match=fy.P4TableMatch({"hdr.probe.medium": (5, 9)}),
                    action=fy.P4TableAction("pair", port=2, wide="2001:db8::1"),
                    priority=3,
                ),
                +fy.P4TableEntry(
                    "options",
                    match=fy.P4TableMatch({"hdr.probe.small": 8}),
                    action=fy.P4TableAction("answer", value=45),
                    priority=4,
                ),
                ~fy.P4CounterEntry("hits", index=3, data=fy.P4CounterData(byte_count=100, packet_count=10)),
                ~fy.P4MeterEntry("rates", index=1, config=fy.P4MeterConfig(cir=1, cburst=2, pir=3, pburst=4)),
                ~fy.P4RegisterEntry("narrow", index=2, data=0x55),
                ~fy.P4RegisterEntry("broad", index=0, data=1 << 150),
            ]
        )
        entries = [entry async for entry in switch.read(fy.P4TableEntry("exact_table", counter_data=fy.P4CounterData()))]
        check("one entry", len(entries), 1)
        check("its metadata", entries[0].metadata, b"mine")
        check("its counter", entries[0].counter_data.packet_count, 3)
        check("its action", entries[0].action.args["value"], 42)
        cells = [cell.data.packet_count async for cell in switch.read(fy.P4CounterEntry("hits"))]
        check("counter cells", cells, [0, 0, 0, 10, 0])
        meters = [cell async for cell in switch.read(fy.P4MeterEntry("rates", index=1))]
        check("a meter cell", meters[0].config.pir, 3)
        registers = [cell.data async for cell in switch.read(fy.P4RegisterEntry("narrow"))]
        check("register cells", registers, [0, 0, 0x55, 0])
        wide = [cell.data async for cell in switch.read(fy.P4RegisterEntry("broad", index=0))]
        check("a wide register cell", wide, [1 << 150])
        direct = [cell async for cell in switch.read(fy.P4DirectMeterEntry(table_entry=fy.P4TableEntry("masks")))]
        check("direct meters", [cell.config.pir for cell in direct], [3])
        try:
            await switch.insert([fy.P4TableEntry("options", match=fy.P4TableMatch({"hdr.probe.small": 8}),
                                                 action=fy.P4TableAction("answer", value=1), priority=4)])
            sys.exit("a second entry with the same key was taken")
        except fy.P4ClientError as refusal:
            check("refusal", "already has this entry" in str(refusal), True)
        await switch.write(
            [~fy.P4TableEntry("options", is_default_action=True, action=fy.P4TableAction("answer", value=99))]
        )
        # A backup on a second connection reads, and is told who is primary.
        async with fy.Switch("second", address, options(initial_election_id=10, fail_fast=True)) as backup:
            check("backup", backup.is_primary, False)
            seen = [entry async for entry in backup.read(fy.P4TableEntry("ranges"))]
            check("what the backup reads", len(seen), 1)
        await switch.write([
            +fy.P4MulticastGroupEntry(5, replicas=[1, 2]),
            +fy.P4CloneSessionEntry(7, replicas=[3]),
        ])
        groups = [group async for group in switch.read(fy.P4MulticastGroupEntry())]
        check("multicast group", [len(group.replicas) for group in groups], [2])
        # With constant tables in the program, delete_all leaves everything but table entries.
        await switch.delete_all()
        await switch.delete([fy.P4MulticastGroupEntry(5), fy.P4CloneSessionEntry(7)])
        groups = [group async for group in switch.read(fy.P4MulticastGroupEntry())]
        check("no multicast group left", groups, [])
        left = [entry async for entry in switch.read(fy.P4TableEntry("exact_table"))]
        check("nothing left", left, [])
    print("done")


asyncio.run(main())
