"""sluice_classifier with 8 bytes a beat and 11 bits of queue id."""

import random

import cocotb
from bench import start_clock
from cocotb.triggers import ReadOnly, RisingEdge

DATA_BYTES = 8
QUEUES = 1 << 11


async def drive(dut, packets, rng, pause):
    """Sends packets as (queue id, bytes behind it, bad)."""
    for queue, body, bad in packets:
        data = queue.to_bytes(4, "big") + body
        for at in range(0, len(data), DATA_BYTES):
            while rng.random() < pause:
                dut.in_valid.value = 0
                await RisingEdge(dut.clk)
            beat = data[at : at + DATA_BYTES]
            last = at + DATA_BYTES >= len(data)
            dut.in_valid.value = 1
            dut.in_data.value = int.from_bytes(beat, "little")
            dut.in_keep.value = (1 << len(beat)) - 1
            dut.in_last.value = last
            dut.in_bad.value = bad and last
            while True:
                await ReadOnly()
                taken = dut.in_ready.value
                await RisingEdge(dut.clk)
                if taken:
                    break
    dut.in_valid.value = 0


async def collect(dut, rng, pause, out, malformed):
    body, number = b"", 0
    while True:
        await RisingEdge(dut.clk)
        dut.out_ready.value = rng.random() >= pause
        await ReadOnly()
        malformed.append(bool(dut.malformed.value))
        if dut.out_valid.value and dut.out_ready.value:
            keep = int(dut.out_keep.value)
            count = keep.bit_length()
            assert keep == (1 << count) - 1 and count > 0
            body += int(dut.out_data.value).to_bytes(DATA_BYTES, "little")[:count]
            assert count == DATA_BYTES or dut.out_last.value
            if dut.out_last.value:
                out.append((int(dut.out_queue.value), body, bool(dut.out_bad.value)))
                body = b""


@cocotb.test()
async def the_queue_id_is_cut_off_and_bad_packets_are_marked(dut):
    for seed, pause in ((1, 0.0), (2, 0.3), (3, 0.7)):
        rng = random.Random(seed)
        dut.in_valid.value = 0
        dut.out_ready.value = 1
        await start_clock(dut)
        packets, malformed = [], []
        for _ in range(150):
            body = rng.randbytes(rng.choice((0, 1, 4, 5, rng.randrange(60))))
            queue = rng.choice((rng.randrange(QUEUES), rng.randrange(QUEUES), QUEUES, rng.getrandbits(32)))
            packets.append((queue, body, rng.random() < 0.1))
        out = []
        task = cocotb.start_soon(collect(dut, rng, pause, out, malformed))
        await drive(dut, packets, rng, pause)
        for _ in range(60):
            await RisingEdge(dut.clk)
        task.cancel()
        good = [(q, b, False) for q, b, bad in packets if b and q < QUEUES and not bad]
        assert [p for p in out if not p[2]] == good
        # A bad packet leaves, marked, if there is anything of it; each is counted once.
        assert len(out) == sum(1 for _, b, _ in packets if b)
        assert sum(malformed) == len(packets) - len(good)
