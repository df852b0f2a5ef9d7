"""sluice_queue_memory without CoDel: 256 queues of 32 customers, 64 buffers, against lists."""

import random
from collections import deque

import cocotb
from bench import start_clock
from cocotb.triggers import RisingEdge

QUEUES = 256
BLOCKS = 64


async def start(dut):
    for signal in (dut.push_valid, dut.pop_valid, dut.scan_enable, dut.tick, dut.access_valid):
        signal.value = 0
    for traffic_class in range(8):
        dut.depth_bytes[traffic_class].value = 500 + 8 * traffic_class
    await start_clock(dut)
    while dut.busy.value:
        await RisingEdge(dut.clk)


async def push(dut, queue, length, block):
    dut.push_queue.value = queue
    dut.push_length.value = length
    dut.push_block.value = block
    dut.push_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.push_ready.value:
        await RisingEdge(dut.clk)
    dut.push_valid.value = 0


async def pop(dut, queue):
    """(length, block) of the packet taken, or None."""
    dut.pop_queue.value = queue
    dut.pop_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.pop_done.value:
        await RisingEdge(dut.clk)
    dut.pop_valid.value = 0
    if not dut.pop_found.value:
        return None
    return int(dut.pop_length.value), int(dut.pop_block.value)


async def access(dut, customer, data=None):
    """Sets a customer's own depth, unless data is None; the depth that was there."""
    dut.access_index.value = customer
    dut.access_field.value = 0
    dut.access_write.value = data is not None
    dut.access_data.value = data or 0
    dut.access_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.access_done.value:
        await RisingEdge(dut.clk)
    dut.access_valid.value = 0
    return int(dut.access_result.value)


async def valid_bits(dut):
    """The queues that the search sees."""
    seen = set()
    dut.scan_enable.value = 1
    for window in range(QUEUES // 32):
        dut.scan_window.value = window
        await RisingEdge(dut.clk)
        await RisingEdge(dut.clk)
        bits = int(dut.scan_bits.value)
        seen |= {32 * window + i for i in range(32) if bits >> i & 1}
    dut.scan_enable.value = 0
    return seen


@cocotb.test()
async def queues_are_first_in_first_out_and_end_at_their_depth(dut):
    rng = random.Random(1)
    await start(dut)
    dropped = []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            if dut.drop_valid.value:
                dropped.append(int(dut.drop_block.value))

    cocotb.start_soon(watch())
    model = {queue: deque() for queue in range(QUEUES)}
    free = list(range(BLOCKS))
    expected_drops = []
    some = rng.sample(range(QUEUES), 12)
    # Of these some have a depth of their own, which changes meanwhile.
    own = {}
    for step in range(1500):
        queue = rng.choice(some)
        if free and rng.random() < 0.55:
            block = free.pop(rng.randrange(len(free)))
            length = rng.randint(1, 300)
            await push(dut, queue, length, block)
            # The check comes before the packet is added.
            if sum(p[0] for p in model[queue]) > (own.get(queue >> 3) or 500 + 8 * (queue & 7)):
                expected_drops.append(block)
                free.append(block)
            else:
                model[queue].append((length, block))
        else:
            got = await pop(dut, queue)
            assert got == (model[queue].popleft() if model[queue] else None)
            if got:
                free.append(got[1])
        if step % 50 == 0:
            customer = rng.choice(some) >> 3
            assert await access(dut, customer) == own.get(customer, 0)
            own[customer] = 8 * rng.choice((0, rng.randint(1, 200)))
            await access(dut, customer, own[customer] | 7)
        if step % 100 == 0:
            for _ in range(6):
                await RisingEdge(dut.clk)
            assert await valid_bits(dut) == {q for q, packets in model.items() if packets}
    for _ in range(6):
        await RisingEdge(dut.clk)
    assert dropped == expected_drops and len(dropped) > 20


@cocotb.test()
async def pushes_and_pops_at_once_take_turns(dut):
    await start(dut)
    for block in range(20):
        await push(dut, 5, 10, block)
    popped = []

    async def pops():
        for _ in range(20):
            popped.append(await pop(dut, 5))

    task = cocotb.start_soon(pops())
    # Accesses to what customers have of their own come between.
    for block in range(20, 40):
        await access(dut, 7, 8 * block)
        await push(dut, 9, 10, block)
        assert await access(dut, 7) == 8 * block
    await task
    assert popped == [(10, block) for block in range(20)]
    assert [await pop(dut, 9) for _ in range(21)] == [(10, b) for b in range(20, 40)] + [None]
