"""sluice_codel against the pseudocode of RFC 8289, section 5, with the delay from fill level and rate."""

import math
import random

import cocotb
from bench import MTU_BYTES, start_clock
from cocotb.triggers import RisingEdge

QUEUES = 16
MOST_COUNT = 2047
WRAP = 1 << 24


def step(interval, count):
    """interval / sqrt(count) as the core's table gives it."""
    shift = 2 if count >= 1024 else 1 if count >= 256 else 0
    return interval * (math.isqrt((1 << 32) // (count >> 2 * shift)) >> shift) >> 16


class Codel:
    """RFC 8289's dequeue for a queue whose packets are lengths; times never wrap."""

    def __init__(self, target, interval, rate):
        self.target, self.interval, self.rate = target, interval, rate
        self.first_above = None
        self.dropping = False
        self.drop_next = 0
        self.count = self.last_count = 0

    def take(self, packets, now):
        """The next packet and whether it may be dropped; (None, False) from an empty queue."""
        if not packets:
            self.first_above = None
            return None, False
        level = sum(packets)
        packet = packets.pop(0)
        if level < self.target * self.rate or sum(packets) <= MTU_BYTES:
            self.first_above = None
            return packet, False
        if self.first_above is None:
            self.first_above = now + self.interval
            return packet, False
        return packet, now >= self.first_above

    def dequeue(self, packets, now):
        """The number of packets dropped, then whether one was sent."""
        drops = 0
        packet, may_drop = self.take(packets, now)
        if self.dropping:
            if not may_drop:
                self.dropping = False
            while self.dropping and now >= self.drop_next:
                drops += 1
                self.count = min(self.count + 1, MOST_COUNT)
                packet, may_drop = self.take(packets, now)
                if may_drop:
                    self.drop_next += step(self.interval, self.count)
                else:
                    self.dropping = False
        elif may_drop:
            drops += 1
            packet, may_drop = self.take(packets, now)
            self.dropping = True
            gained = self.count - self.last_count
            recent = now - self.drop_next < 16 * self.interval
            self.count = gained if gained > 1 and recent else 1
            self.drop_next = now + step(self.interval, self.count)
            self.last_count = self.count
        return drops, packet is not None


async def start(dut, target, interval):
    dut.valid.value = 0
    dut.tick.value = 0
    dut.target.value = target
    dut.interval.value = interval
    await start_clock(dut)
    for _ in range(QUEUES + 4):
        await RisingEdge(dut.clk)


async def judge(dut, queue, level, packet, rate, now):
    dut.queue.value = queue
    dut.queue_bytes.value = level
    dut.packet_bytes.value = packet
    dut.rate.value = rate
    dut.tick.value = now % WRAP
    dut.valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.done.value:
        await RisingEdge(dut.clk)
    dut.valid.value = 0
    return bool(dut.drop.value)


async def dequeue(dut, queue, packets, rate, now):
    """As Codel.dequeue, by the core."""
    drops = 0
    while packets:
        level, packet = sum(packets), packets.pop(0)
        if not await judge(dut, queue, level, packet, rate, now):
            return drops, True
        drops += 1
    return drops, False


@cocotb.test()
async def drops_are_those_of_rfc_8289(dut):
    """Queues that fill, drain, stand idle and fill again, over more than a wrap of the clock."""
    target, interval, rate = 100, 1000, 71
    rng = random.Random(8)
    await start(dut, target, interval)
    total = resumed = 0
    for queue in range(QUEUES // 4):
        reference = Codel(target, interval, rate)
        packets, mine = [], []
        now = rng.randrange(WRAP)
        dut.tick.value = now % WRAP
        for phase in range(12):
            level = rng.choice((6_000, 10_000, 40_000))
            for _ in range(rng.randrange(100, 600)):
                while sum(packets) < level:
                    length = rng.choice((1500, 1500, 300, 60))
                    packets.append(length)
                    mine.append(length)
                now += rng.randrange(10, 30)
                expected = reference.dequeue(packets, now)
                got = await dequeue(dut, queue, mine, rate, now)
                assert got == expected, (queue, phase, now)
                assert mine == packets
                total += got[0]
                resumed += reference.dropping and reference.last_count > 1
            while packets:
                now += 20
                assert await dequeue(dut, queue, mine, rate, now) == reference.dequeue(packets, now)
                assert mine == packets
            # Idle: within 16 intervals, or for longer than half the range of the core's clock.
            for _ in range(rng.choice((1, 3, 60))):
                now += 4_000 if phase % 3 else 200_000
                dut.tick.value = now % WRAP
                for _ in range(4 * QUEUES):
                    await RisingEdge(dut.clk)
    assert total > 400 and resumed > 20, (total, resumed)


@cocotb.test()
async def steps_are_at_most_8_thousandths_too_long(dut):
    for count in range(1, MOST_COUNT + 1):
        exact = 17628 / math.sqrt(count)
        assert -1.5 <= step(17628, count) - exact <= 0.008 * exact, count
    # And the core's are those: as many drops in a row as a long time allows.
    await start(dut, 1, 200)
    level, now = 1 << 20, 0
    times = []
    while len(times) < 300:
        if await judge(dut, 0, level, 1000, 100, now):
            times.append(now)
        now += 1
    for count, (earlier, later) in enumerate(zip(times, times[1:]), 1):
        assert later - earlier == step(200, count), (count, earlier, later)


@cocotb.test()
async def a_queue_without_a_target_drops_nothing(dut):
    await start(dut, 0, 100)
    for now in range(0, 5000, 10):
        assert not await judge(dut, 3, 1 << 24, 1000, 100, now)


@cocotb.test()
async def a_gate_closed_for_long_does_not_confuse_the_clock(dut):
    """Dropping when the gate closed; open again after more than half the clock's range, the next packet is
    due at once, as with a clock that does not wrap."""
    await start(dut, 10, 1000)
    now = 0
    while not await judge(dut, 2, 1 << 20, 1000, 100, now):
        now += 10
    for _ in range(100):
        now += 100_000
        dut.tick.value = now % WRAP
        for _ in range(4 * QUEUES):
            await RisingEdge(dut.clk)
    assert now > WRAP // 2
    assert await judge(dut, 2, 1 << 20, 1000, 100, now)
