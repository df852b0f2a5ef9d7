"""The core without limits."""

import random

import cocotb
from bench import Bench


@cocotb.test()
async def packets_pass_in_order_and_queues_take_turns(dut):
    rng = random.Random(5)
    bench = await Bench.start(dut)
    for traffic_class in range(8):
        await bench.write("DEPTH_LIMIT", 0xFFFFF8, traffic_class)
    expected = {}
    dut.pause_sink.value = 250
    for _ in range(300):
        queue = rng.randrange(12)
        expected.setdefault(queue, []).append(await bench.put(queue, rng.randint(60, 300)))
    await bench.sent()
    dut.pause_sink.value = 0
    held = len(bench.got)
    await bench.wait_for(300, 200_000)
    assert bench.by_queue() == expected
    assert int(dut.wrong.value) == 0
    # What waited for the line leaves queue by queue.
    turns = [p.queue for p in bench.got[held + 8 : held + 8 + 60]]
    assert max(turns.count(queue) for queue in range(12)) <= 6, turns
    assert await bench.read("CORE_GEOMETRY") == 11


@cocotb.test()
async def the_line_is_kept_busy(dut):
    """Packets of 1,024 bytes leave one behind the other: at least 90 of 100 clocks carry a beat. They are of
    many queues: one alone sends a packet a round of the search."""
    bench = await Bench.start(dut)
    for traffic_class in range(8):
        await bench.write("DEPTH_LIMIT", 0xFFFFF8, traffic_class)
    for i in range(100):
        await bench.put(i * 20, 1024)
    await bench.wait_for(100, 20_000)
    clocks = [p.clock for p in bench.got]
    beats = 1024 // 16
    assert (clocks[-1] - clocks[10]) * 0.9 <= beats * 89
