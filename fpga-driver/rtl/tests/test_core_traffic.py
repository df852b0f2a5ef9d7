"""The core under random traffic against the emulator's model: the same packets dropped by depth, by want of buffers and by
CoDel, and each of the others sent in the same tick. The file is written by the model's test CoreTrafficTest;
CoreRecording tells its form."""

import pathlib

import cocotb
from bench import Bench
from cocotb.triggers import RisingEdge, Timer

ROOT = pathlib.Path(__file__).parents[3]
TRAFFIC = ROOT / "emulator" / "netsim" / "src" / "test" / "resources" / "golden" / "fpga-traffic.txt"
TICK_CLOCKS = 1248
CLOCK_NANOS = 10


async def until(dut, clock):
    """Until a clock of the bench, which counts from the reset on."""
    missing = clock - int(dut.clock.value)
    assert missing > 0, (missing, "the accesses took longer than the file gives them")
    await Timer((missing - 1) * CLOCK_NANOS + 1, "ns")
    await RisingEdge(dut.clk)


@cocotb.test()
async def the_core_drops_and_sends_in_the_ticks_of_the_model(dut):
    bench = await Bench.start(dut)
    first_tick = tick = None
    expected = {}
    wrong = []
    for number, line in enumerate(TRAFFIC.read_text().splitlines(), 1):
        kind, *words = line.split()
        if kind == "t":
            if first_tick is None:
                first_tick = tick = int(dut.clock.value) // TICK_CLOCKS
            tick += int(words[0])
            await until(dut, tick * TICK_CLOCKS + int(words[1]))
        elif kind == "w":
            await bench.write_address(int(words[0], 16), int(words[1], 16))
        elif kind == "r":
            answer = await bench.read_address(int(words[0], 16))
            if answer != int(words[1], 16):
                wrong.append((number, line, f"{answer:08x}"))
        elif kind == "s":
            expected[int(words[0])] = int(words[1])
        else:
            await bench.put(int(words[0], 16), int(words[1]))
    sent = {packet.number: packet.clock // TICK_CLOCKS - first_tick for packet in bench.got}
    differ = {n: (expected.get(n), sent.get(n)) for n in {**expected, **sent} if expected.get(n) != sent.get(n)}
    # The first ones tell most: what follows may follow from them.
    assert not differ, (len(differ), sorted(differ.items(), key=lambda d: d[1][0] or d[1][1])[:10])
    assert not wrong, wrong
    assert len(sent) == len(bench.got) > 500
    queues = bench.by_queue()
    assert all(numbers == sorted(numbers) for numbers in queues.values())
    assert int(dut.wrong.value) == 0
