"""sluice_buffer_allocator: 24 large buffers and 10 small ones."""

import random

import cocotb
from bench import start_clock
from cocotb.triggers import RisingEdge

LARGE, SMALL, SMALL_BYTES = 24, 10, 512


async def start(dut):
    for signal in (dut.take, dut.drop_valid, dut.sent_valid):
        signal.value = 0
    await start_clock(dut)


async def take(dut, length):
    """A buffer for a packet of that length, or None."""
    dut.take_length.value = length
    # A returned buffer is on offer again after a few clocks.
    for _ in range(6):
        await RisingEdge(dut.clk)
    if not dut.take_valid.value:
        return None
    block = int(dut.take_block.value)
    dut.take.value = 1
    await RisingEdge(dut.clk)
    dut.take.value = 0
    return block


async def give(dut, dropped, sent):
    """Returns buffers by both ways at once."""
    for valid, block, number in (
        (dut.drop_valid, dut.drop_block, dropped),
        (dut.sent_valid, dut.sent_block, sent),
    ):
        valid.value = number is not None
        block.value = number or 0
    await RisingEdge(dut.clk)
    dut.drop_valid.value = 0
    if sent is not None and dropped is not None:
        assert not dut.sent_ready.value
        await RisingEdge(dut.clk)
    assert dut.sent_ready.value or sent is None
    dut.sent_valid.value = 0


@cocotb.test()
async def no_buffer_is_given_twice_and_none_is_lost(dut):
    rng = random.Random(9)
    await start(dut)
    out = []
    for step in range(4000):
        # Now and then everything is out, or everything back.
        if rng.random() < (0.8 if step % 400 < 200 else 0.2):
            length = rng.choice((4, SMALL_BYTES, SMALL_BYTES + 1, 2048))
            block = await take(dut, length)
            small_left = SMALL - sum(b >= LARGE for b in out)
            large_left = LARGE - sum(b < LARGE for b in out)
            if length <= SMALL_BYTES and small_left:
                assert block is not None and LARGE <= block < LARGE + SMALL
            elif large_left:
                assert block is not None and block < LARGE
            else:
                assert block is None
            if block is not None:
                assert block not in out
                out.append(block)
        else:
            rng.shuffle(out)
            dropped = out.pop() if out and rng.random() < 0.6 else None
            sent = out.pop() if out and rng.random() < 0.6 else None
            await give(dut, dropped, sent)


@cocotb.test()
async def a_large_buffer_is_given_every_clock(dut):
    await start(dut)
    dut.take_length.value = 2048
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.take.value = 1
    given = []
    for _ in range(LARGE):
        await RisingEdge(dut.clk)
        assert dut.take_valid.value
        given.append(int(dut.take_block.value))
    dut.take.value = 0
    assert sorted(given) == list(range(LARGE))
    await RisingEdge(dut.clk)
    assert not dut.take_valid.value
