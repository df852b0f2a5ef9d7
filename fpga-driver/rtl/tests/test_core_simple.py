"""The core with a bucket a queue, two external memories and no small buffers."""

import random

import cocotb
from bench import Bench
from test_core import LARGEST_BUCKET, LARGEST_WORD, TICK_CLOCKS, ideal_ticks, tick_offset

QUEUES = 2048
# A round of the search without a hierarchy is 64 windows.
LATENCY_CLOCKS = 64 + 60


@cocotb.test()
async def packets_in_two_memories_keep_their_order(dut):
    rng = random.Random(11)
    bench = await Bench.start(dut, 60)
    await bench.write("QUEUE_BUCKET", LARGEST_BUCKET)
    for traffic_class in range(8):
        await bench.write("DEPTH_LIMIT", 0xFFFFF8, traffic_class)
    queues = rng.sample(range(QUEUES), 20)
    for queue in queues:
        await bench.write("QUEUE_RATE", LARGEST_WORD, queue)
    expected = {}
    for _ in range(500):
        queue = rng.choice(queues)
        expected.setdefault(queue, []).append(await bench.put(queue, rng.randint(4, 2048)))
    await bench.wait_for(500, 900_000)
    await bench.clocks(2000)
    assert bench.by_queue() == expected
    assert int(dut.wrong.value) == 0


@cocotb.test()
async def each_queue_has_a_rate_of_its_own(dut):
    """Neighbours of one customer and of one window, all flooded, at rates of their own, to the tick."""
    bench = await Bench.start(dut)
    words = {8: 90, 9: 140, 10: 61, 31: 200}
    length, packets = 800, 12
    for queue, word in words.items():
        await bench.write("QUEUE_RATE", LARGEST_WORD, queue)
        await bench.write("DEPTH_LIMIT", 0xFFFFF8, queue & 7)
    await bench.clocks(TICK_CLOCKS)
    for queue, word in words.items():
        await bench.write("QUEUE_RATE", 0, queue)
    for _ in range(packets):
        for queue in words:
            await bench.put(queue, length)
    await bench.sent()
    for queue, word in words.items():
        await bench.write("QUEUE_RATE", word, queue)
    await bench.wait_for(packets * len(words), 14 * packets * TICK_CLOCKS)
    offset = tick_offset(dut)
    for queue, word in words.items():
        clocks = [p.clock for p in bench.got if p.queue == queue]
        ticks = ideal_ticks(word, [length] * packets, 2000, (clocks[0] - offset) // TICK_CLOCKS)
        for clock, tick in list(zip(clocks, ticks))[1:]:
            assert 0 <= clock - (tick * TICK_CLOCKS + offset) <= 3 * LATENCY_CLOCKS, (queue, clock)


@cocotb.test()
async def a_queue_beyond_the_first_half_has_its_registers(dut):
    bench = await Bench.start(dut)
    await bench.write("QUEUE_RATE", 77, QUEUES - 1)
    assert await bench.read("QUEUE_RATE", QUEUES - 1) == 77
    assert await bench.read("QUEUE_RATE", QUEUES - 2) == 1
    await bench.write("QUEUE_BUCKET", 3000)
    assert await bench.read("QUEUE_BUCKET") == 3000
    for name in ("CUSTOMER_RATE", "TREE_BUCKET", "CODEL_TARGET"):
        assert await bench.read(name) == 0xCAFEBABE
