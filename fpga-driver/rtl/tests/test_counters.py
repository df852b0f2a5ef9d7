"""sluice_counters: 16 queues."""

import random

import cocotb
from bench import start_clock
from cocotb.triggers import RisingEdge

QUEUES = 16


async def start(dut):
    dut.count_valid.value = 0
    dut.select_valid.value = 0
    await start_clock(dut)
    while dut.busy.value:
        await RisingEdge(dut.clk)


async def count(dut, queue, length):
    dut.count_queue.value = queue
    dut.count_length.value = length
    dut.count_valid.value = 1
    await RisingEdge(dut.clk)
    dut.count_valid.value = 0
    for _ in range(3):
        await RisingEdge(dut.clk)


async def select(dut, queue):
    dut.select_queue.value = queue
    dut.select_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.select_done.value:
        await RisingEdge(dut.clk)
    dut.select_valid.value = 0
    word = int(dut.snapshot.value)
    return word >> 37, word & (1 << 37) - 1


@cocotb.test()
async def packets_and_bytes_are_counted_while_they_are_read(dut):
    rng = random.Random(3)
    await start(dut)
    packets, sizes = [0] * QUEUES, [0] * QUEUES
    done = False

    async def read_all_the_time():
        while not done:
            await select(dut, rng.randrange(QUEUES))

    reader = cocotb.start_soon(read_all_the_time())
    for _ in range(2000):
        queue, length = rng.randrange(QUEUES), rng.randint(1, 2048)
        await count(dut, queue, length)
        packets[queue] += 1
        sizes[queue] += length
    done = True
    await reader
    await RisingEdge(dut.clk)
    for queue in range(QUEUES):
        assert await select(dut, queue) == (packets[queue], sizes[queue])


@cocotb.test()
async def bytes_wrap_without_touching_packets(dut):
    await start(dut)
    await count(dut, 3, 100)
    dut.words.memory[3].value = ((1 << 27) - 1) << 37 | (1 << 37) - 50
    await RisingEdge(dut.clk)
    assert await select(dut, 3) == ((1 << 27) - 1, (1 << 37) - 50)
    await count(dut, 3, 60)
    assert await select(dut, 3) == (0, 10)
