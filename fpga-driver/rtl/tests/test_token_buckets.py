"""sluice_token_buckets: 16 buckets with sizes of their own, against exact arithmetic."""

import random

import cocotb
from bench import MTU_BYTES, start_clock
from cocotb.triggers import RisingEdge

BUCKETS = 16
LEVEL_BYTES = 2000


async def ask(dut, index):
    """Tokens, tick, rate, burst and whether a packet passes."""
    dut.index.value = index
    for _ in range(5):
        await RisingEdge(dut.clk)
    tokens = dut.tokens.value.to_signed()
    return tokens, int(dut.tokens_tick.value), int(dut.rate.value), int(dut.burst.value), bool(dut.passes.value)


async def store(dut, index, tokens, tick, rate=None, burst=0):
    dut.write_index.value = index
    dut.new_tokens.value = tokens & 0x1FFFF
    dut.new_tick.value = tick % (1 << 21)
    dut.new_note.value = 0
    dut.write_tokens.value = 1
    if rate is not None:
        dut.new_rate.value = rate
        dut.new_burst.value = burst
        dut.write_rate.value = 1
    await RisingEdge(dut.clk)
    dut.write_tokens.value = 0
    dut.write_rate.value = 0


@cocotb.test()
async def tokens_are_exact_and_never_over_the_size(dut):
    rng = random.Random(4)
    dut.write_tokens.value = 0
    dut.write_rate.value = 0
    dut.bucket_bytes.value = LEVEL_BYTES
    dut.tick.value = 100
    await start_clock(dut)
    while dut.busy.value:
        await RisingEdge(dut.clk)
    now = 100
    # After a reset: empty, one byte a tick, the level's size.
    model = [(0, 100, 1, 0)] * BUCKETS
    for _ in range(3000):
        now += rng.choice((0, 1, 7, 500, 40_000, 1_900_000))
        dut.tick.value = now % (1 << 21)
        index = rng.randrange(BUCKETS)
        tokens, then, rate, burst = model[index]
        # Idle for longer than the clock's range, a bucket is credited the rest of the division.
        elapsed = (now - then) % (1 << 21)
        tokens = min(burst or LEVEL_BYTES, tokens + elapsed * rate)
        passes = rate != 0 and tokens >= MTU_BYTES
        assert await ask(dut, index) == (tokens, now % (1 << 21), rate, burst, passes)
        if rng.random() < 0.4:
            rate = rng.choice((0, 1, 71, rng.getrandbits(18)))
            burst = rng.choice((0, 1600, 32767))
            await store(dut, index, tokens, now, rate, burst)
            model[index] = tokens, now, rate, burst
        elif passes:
            tokens -= rng.randint(1, 2048)
            await store(dut, index, tokens, now)
            model[index] = tokens, now, rate, burst


@cocotb.test()
async def a_question_a_clock_is_answered(dut):
    rng = random.Random(2)
    dut.write_tokens.value = 0
    dut.write_rate.value = 0
    dut.bucket_bytes.value = 32767
    dut.tick.value = 0
    await start_clock(dut)
    while dut.busy.value:
        await RisingEdge(dut.clk)
    levels = [rng.randrange(32767) for _ in range(BUCKETS)]
    for index, tokens in enumerate(levels):
        await store(dut, index, tokens, 0)
    asked = [rng.randrange(BUCKETS) for _ in range(100)]
    answers = []
    for index in asked + [0] * 5:
        dut.index.value = index
        await RisingEdge(dut.clk)
        answers.append(dut.tokens.value.to_signed())
    assert [levels[index] for index in asked] == answers[4 : 4 + len(asked)] or [
        levels[index] for index in asked
    ] == answers[5:]
