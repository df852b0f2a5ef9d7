"""The whole core with the hierarchical scheduler: 2,048 queues, 256 customers, 4 trees, one port."""

import random

import cocotb
from bench import MTU_BYTES, STRAY_READ, Bench

CLASSES = 8
CUSTOMERS = 256
TREES = 4
QUEUES = 2048
TICK_CLOCKS = 1248
LARGEST_WORD = (1 << 18) - 1
LARGEST_BUCKET = 32767
# From the clock at which the tokens are there to the first beat out, with nobody else waiting: one round of the
# search, 64 windows and what each tree and port costs besides, then pop, memory and pipelines.
LATENCY_CLOCKS = 64 + 16 + 60


async def unlimited(bench):
    """Takes every limit away, as far as the registers go."""
    for level in ("CUSTOMER", "TREE", "PORT"):
        await bench.write(f"{level}_BUCKET", LARGEST_BUCKET)
    for tree in range(TREES):
        await bench.write("TREE_RATE", LARGEST_WORD, tree)
    await bench.write("PORT_RATE", LARGEST_WORD)
    for traffic_class in range(CLASSES):
        await bench.write("DEPTH_LIMIT", 0xFFFFF8, traffic_class)


async def random_traffic(dut, seed, packets, pauses):
    rng = random.Random(seed)
    bench = await Bench.start(dut, pauses)
    await unlimited(bench)
    customers = rng.sample(range(CUSTOMERS), 24)
    for customer in customers:
        await bench.write("CUSTOMER_RATE", rng.randint(20_000, LARGEST_WORD), customer)
    expected = {}
    lengths = {}
    for _ in range(packets):
        queue = rng.choice(customers) << 3 | rng.randrange(CLASSES)
        length = rng.choice((4, rng.randint(4, 64), rng.randint(65, 520), rng.randint(4, 2048)))
        number = await bench.put(queue, length)
        expected.setdefault(queue, []).append(number)
        lengths[number] = length
    await bench.wait_for(packets, 60_000 + packets * 1500)
    await bench.clocks(2000)
    assert len(bench.got) == packets
    assert int(dut.wrong.value) == 0
    # Per queue the same packets in the same order: none lost, doubled or overtaken.
    assert bench.by_queue() == expected
    assert all(lengths[p.number] == p.length for p in bench.got)
    for queue, numbers in expected.items():
        assert await bench.counters(queue) == (len(numbers), sum(lengths[n] for n in numbers))
    assert await bench.read("STAT_RECEIVED") == packets
    assert await bench.read("STAT_SENT") == packets


@cocotb.test()
async def no_packet_of_a_queue_is_lost_doubled_or_overtaken(dut):
    for seed, pauses in ((1, 0), (2, 60), (3, 200)):
        await random_traffic(dut, seed, 400, pauses)


@cocotb.test()
async def every_buffer_comes_back(dut):
    """More packets than buffers, several times over: a buffer that is not returned is missed."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    await bench.write("CUSTOMER_RATE", LARGEST_WORD, 5)
    for length in (60, 1000):
        for _ in range(3 * (512 + 64)):
            await bench.put(5 << 3, length)
    await bench.sent()
    dropped = await bench.read("STAT_NO_BUFFER")
    await bench.wait_for(6 * (512 + 64) - dropped, 4_000_000)
    before = len(bench.got)
    # All of them free again: exactly as many packets fit a closed queue as there are buffers.
    await bench.write("CUSTOMER_RATE", 0, 5)
    for _ in range(600):
        await bench.put(5 << 3, 60)
    await bench.sent()
    assert await bench.read("STAT_NO_BUFFER") - dropped == 600 - (512 + 64)
    await bench.write("CUSTOMER_RATE", LARGEST_WORD, 5)
    await bench.wait_for(before + 512 + 64, 1_000_000)
    assert int(dut.wrong.value) == 0


def ideal_ticks(word, lengths, bucket, first_tick):
    """Ticks at which a bucket that is full at first_tick lets packets go that all wait there."""
    tokens, tick, ticks = bucket, first_tick, []
    for length in lengths:
        wait = max(0, -(-(MTU_BYTES - tokens) // word))
        tick += wait
        tokens = min(bucket, tokens + wait * word) - length
        ticks.append(tick)
    return ticks


@cocotb.test()
async def a_flooded_customer_gets_its_rate_to_the_tick(dut):
    """Each packet leaves within a search round of when exact arithmetic lets it: no error adds up,
    so the rate over any time is the word's, and no two packets leave together."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    # With the smallest bucket that keeps every word here: MTU - 1 + word, in a round below a tick.
    for word, length, packets in ((50, 1000, 12), (97, 1000, 20), (333, 700, 30), (400, 2048, 15)):
        customer = word % CUSTOMERS
        bench.got.clear()
        await bench.write("CUSTOMER_BURST", MTU_BYTES - 1 + word, customer)
        await bench.write("CUSTOMER_RATE", 0, customer)
        await bench.clocks(TICK_CLOCKS)
        await bench.write("CUSTOMER_RATE", LARGEST_WORD, customer)
        await bench.clocks(2 * TICK_CLOCKS)
        await bench.write("CUSTOMER_RATE", word, customer)
        for _ in range(packets):
            await bench.put(customer << 3 | 6, length)
        await bench.wait_for(packets, packets * (length // word + 2) * TICK_CLOCKS)
        clocks = [p.clock for p in bench.got]
        offset = tick_offset(dut)
        first = (clocks[0] - offset) // TICK_CLOCKS
        for clock, tick in list(zip(clocks, ideal_ticks(word, [length] * packets, MTU_BYTES - 1 + word, first)))[1:]:
            late = clock - (tick * TICK_CLOCKS + offset)
            assert 0 <= late <= LATENCY_CLOCKS, (word, length, late)
        await bench.write("CUSTOMER_RATE", 0, customer)


def tick_offset(dut):
    """Clock of the bench, modulo a tick, at which the core's tick changes."""
    return (int(dut.clock.value) - int(dut.core.tick_clock.value)) % TICK_CLOCKS


@cocotb.test()
async def one_packet_at_a_time(dut):
    """At 100 Mbit/s (220 MHz: word 71) 1,000-byte packets of ten flooded customers leave one by one: a
    customer's gaps stay near its packet's time and never shrink to a burst."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    await bench.write("CUSTOMER_BUCKET", 2000)
    word, length, packets = 71, 1000, 12
    customers = [3 + 20 * i for i in range(10)]
    for _ in range(packets):
        for customer in customers:
            await bench.put(customer << 3, length)
    await bench.sent()
    for customer in customers:
        await bench.write("CUSTOMER_RATE", word, customer)
    await bench.wait_for(packets * len(customers), 20 * packets * TICK_CLOCKS)
    ticks_of_packet = length / word
    for customer in customers:
        clocks = [p.clock for p in bench.got if p.queue >> 3 == customer]
        assert len(clocks) == packets
        # The first may find tokens that it did not have to wait for.
        for earlier, later in zip(clocks[1:], clocks[2:]):
            assert abs((later - earlier) / TICK_CLOCKS - ticks_of_packet) <= 1 + 10 * LATENCY_CLOCKS / TICK_CLOCKS


@cocotb.test()
async def a_packet_costs_seventeen_clocks(dut):
    """Short packets that all may leave: from one decision to the next, with the memory as fast as it gets."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    await bench.write("CUSTOMER_RATE", 0, 5)
    for i in range(60):
        await bench.put(5 << 3 | i % CLASSES, 60)
    await bench.sent()
    await bench.write("CUSTOMER_RATE", LARGEST_WORD, 5)
    await bench.wait_for(60, 20_000)
    # The line is wide enough that what waits for it does not count: 4 beats a packet.
    assert bench.got[59].clock - bench.got[19].clock == 40 * 17


@cocotb.test()
async def each_level_limits_what_is_below_it(dut):
    for name, index, queues in (
        ("CUSTOMER", 9, [9 << 3 | c for c in range(CLASSES)]),
        ("TREE", 1, [(64 + 7 * i) << 3 | i % 8 for i in range(9)]),
        ("PORT", 0, [(29 * i) << 3 | i % 8 for i in range(8)]),
    ):
        bench = await Bench.start(dut)
        await unlimited(bench)
        for customer in {q >> 3 for q in queues}:
            await bench.write("CUSTOMER_RATE", LARGEST_WORD, customer)
        await bench.write(f"{name}_BUCKET", 2000)
        await bench.write(f"{name}_RATE", 300, index)
        for _ in range(4):
            for queue in queues:
                await bench.put(queue, 900)
        count = 4 * len(queues)
        await bench.wait_for(count, (count + 4) * 4 * TICK_CLOCKS)
        # 300 bytes a tick, 900 bytes a packet: three ticks each, whoever is served.
        half = bench.got[count // 4 : 3 * count // 4]
        ticks = (half[-1].clock - half[0].clock) / TICK_CLOCKS
        assert abs(ticks - 3 * (len(half) - 1)) <= 1, (name, ticks)
        # In turn: in any stretch as long as all queues, each gets one packet, one more or less at its ends.
        for at in range(0, len(half) - len(queues), len(queues)):
            served = [p.queue for p in half[at : at + len(queues)]]
            assert len(set(served)) >= len(queues) - 1, (name, served)


@cocotb.test()
async def a_closed_gate_keeps_what_is_below_the_limit(dut):
    bench = await Bench.start(dut)
    await unlimited(bench)
    customer, length = 77, 1000
    await bench.write("CUSTOMER_RATE", 3000, customer)
    # 24 packets of 1,000 bytes reach the limit; the 25th finds just that many bytes and is taken, too.
    await bench.write("DEPTH_LIMIT", 24_000, 2)
    sent = [await bench.put(customer << 3 | 2, length) for _ in range(4)]
    await bench.wait_for(4, 60_000)
    await bench.write("CUSTOMER_RATE", 0, customer)
    while_closed = [await bench.put(customer << 3 | 2, length) for _ in range(25)]
    await bench.sent()
    await bench.clocks(4 * TICK_CLOCKS)
    assert len(bench.got) == 4
    assert await bench.read("STAT_OVER_DEPTH") == 0
    for _ in range(3):
        await bench.put(customer << 3 | 2, length)
    await bench.sent()
    assert await bench.read("STAT_OVER_DEPTH") == 3
    # Open, closed and opened again while packets arrive: all of them leave, in order.
    await bench.write("CUSTOMER_RATE", 3000, customer)
    await bench.clocks(TICK_CLOCKS)
    await bench.write("CUSTOMER_RATE", 0, customer)
    held = len(bench.got)
    more = [await bench.put(customer << 3 | 2, length) for _ in range(3)]
    await bench.clocks(4 * TICK_CLOCKS)
    assert held <= len(bench.got) <= held + 1 < 4 + 25
    await bench.write("CUSTOMER_RATE", 3000, customer)
    await bench.wait_for(4 + 25 + 3, 100_000)
    assert [p.number for p in bench.got] == sent + while_closed + more
    assert await bench.read("STAT_OVER_DEPTH") == 3


@cocotb.test()
async def what_is_malformed_is_dropped_and_counted(dut):
    bench = await Bench.start(dut, 30)
    await unlimited(bench)
    await bench.write("CUSTOMER_RATE", LARGEST_WORD, 0)
    good = []
    for _ in range(10):
        good.append(await bench.put(0, 100))
        await bench.put(QUEUES, 100)
        await bench.put(1 << 31, 1500)
        await bench.put(1, 2049)
        await bench.put(2, 700, bad=True)
    await bench.sent()
    await bench.wait_for(10, 100_000)
    assert [p.number for p in bench.got] == good
    assert await bench.read("STAT_MALFORMED") == 40
    assert await bench.read("STAT_RECEIVED") == 10


@cocotb.test()
async def codel_drops_when_the_delay_stays_over_the_target(dut):
    """The delay is fill level over rate: 40,000 bytes at 100 bytes a tick are 400 ticks."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    await bench.write("CUSTOMER_BUCKET", 2000)
    await bench.write("CUSTOMER_RATE", 100, 4)
    await bench.write("CODEL_TARGET", 50, 1)
    await bench.write("CODEL_INTERVAL", 40, 1)
    for traffic_class in (0, 1):
        for _ in range(40):
            await bench.put(4 << 3 | traffic_class, 1000)
        await bench.wait_for(len(bench.got) + 12, 300 * TICK_CLOCKS)
        await bench.write("CUSTOMER_RATE", LARGEST_WORD, 4)
        await bench.clocks(40 * TICK_CLOCKS)
        await bench.write("CUSTOMER_RATE", 100, 4)
        drops = await bench.read("STAT_CODEL")
        if traffic_class == 0:
            # Class 0 has no CoDel.
            assert drops == 0 and len(bench.got) == 40
    assert drops > 0
    assert len(bench.got) + drops == 80
    numbers = [p.number for p in bench.got if p.queue & 7 == 1]
    assert numbers == sorted(numbers)


@cocotb.test()
async def a_customer_has_a_depth_and_times_of_codel_of_its_own(dut):
    """Beside one that has those of the class, which here are a large depth and no CoDel."""
    bench = await Bench.start(dut)
    await unlimited(bench)
    for customer, depth, codel in ((4, 12_000, 40 << 16 | 50), (5, 0, 0), (6, 12_000, 40 << 16)):
        await bench.write("CUSTOMER_RATE", 0, customer)
        await bench.write("CUSTOMER_DEPTH", depth, customer)
        await bench.write("CUSTOMER_CODEL", codel, customer)
        over, drops = await bench.read("STAT_OVER_DEPTH"), await bench.read("STAT_CODEL")
        before = len(bench.got)
        for _ in range(40):
            await bench.put(customer << 3 | 1, 1000)
        await bench.sent()
        over = await bench.read("STAT_OVER_DEPTH") - over
        assert over == (0 if depth == 0 else 40 - 13), customer
        await bench.write("CUSTOMER_RATE", 50, customer)
        await bench.wait_for(before + 4, 300 * TICK_CLOCKS)
        await bench.write("CUSTOMER_RATE", LARGEST_WORD, customer)
        await bench.clocks(40 * TICK_CLOCKS)
        drops = await bench.read("STAT_CODEL") - drops
        # A word with a target of 0 is no CoDel, whatever the class has.
        assert (drops > 0) == (customer == 4), customer
        assert len(bench.got) - before == 40 - over - drops
        await bench.write("CODEL_TARGET", 50 if customer == 5 else 0, 1)
        await bench.write("CODEL_INTERVAL", 40, 1)


@cocotb.test()
async def registers_keep_what_is_written(dut):
    bench = await Bench.start(dut)
    rng = random.Random(7)
    arrays = {
        "DEPTH_LIMIT": (8, 0xFFFFF8),
        "CUSTOMER_RATE": (CUSTOMERS, LARGEST_WORD),
        "CUSTOMER_BURST": (CUSTOMERS, LARGEST_BUCKET),
        "TREE_RATE": (TREES, LARGEST_WORD),
        "PORT_RATE": (1, LARGEST_WORD),
        "CUSTOMER_BUCKET": (1, LARGEST_BUCKET),
        "TREE_BUCKET": (1, LARGEST_BUCKET),
        "PORT_BUCKET": (1, LARGEST_BUCKET),
        "STORE_WORD": (4, 0xFFFFFFFF),
        "CODEL_TARGET": (8, 0xFFFF),
        "CODEL_INTERVAL": (8, 0xFFFF),
        "CUSTOMER_DEPTH": (CUSTOMERS, 0xFFFFF8),
        "CUSTOMER_CODEL": (CUSTOMERS, 0xFFFFFFFF),
    }
    zero = ("CUSTOMER_BURST", "STORE_WORD", "CODEL_TARGET", "CODEL_INTERVAL", "CUSTOMER_DEPTH", "CUSTOMER_CODEL")
    resets = dict.fromkeys(zero, 0)
    written = {}
    for name, (count, mask) in arrays.items():
        for index in {0, count - 1, *(rng.randrange(count) for _ in range(6))}:
            reset = 128 << index if name == "DEPTH_LIMIT" else resets.get(name, 1 if name.endswith("RATE") else 2000)
            assert await bench.read(name, index) == reset, (name, index)
            written[name, index] = rng.getrandbits(32) & mask
            await bench.write(name, written[name, index], index)
    for (name, index), value in written.items():
        assert await bench.read(name, index) == value, (name, index)
    # A rate keeps its burst and a burst its rate.
    await bench.write("CUSTOMER_BURST", 4000, 3)
    await bench.write("CUSTOMER_RATE", 55, 3)
    assert await bench.read("CUSTOMER_BURST", 3) == 4000
    await bench.write("CUSTOMER_BURST", 1 << 20, 3)
    await bench.write("CUSTOMER_BUCKET", 1 << 15)
    assert await bench.read("CUSTOMER_BURST", 3) == LARGEST_BUCKET
    assert await bench.read("CUSTOMER_BUCKET") == LARGEST_BUCKET
    assert await bench.read("CUSTOMER_RATE", 3) == 55
    await bench.write("CUSTOMER_RATE", 1 << 18 | 9, 3)
    assert await bench.read("CUSTOMER_RATE", 3) == 9


@cocotb.test()
async def where_there_is_no_register_reads_are_stray(dut):
    bench = await Bench.start(dut)
    for name, index in (
        ("DEPTH_LIMIT", 8),
        ("CUSTOMER_RATE", CUSTOMERS),
        ("CUSTOMER_BURST", CUSTOMERS),
        ("CUSTOMER_CLASSES", CUSTOMERS),
        ("CUSTOMER_DEPTH", CUSTOMERS),
        ("CUSTOMER_CODEL", CUSTOMERS),
        ("TREE_RATE", TREES),
        ("PORT_RATE", 1),
        ("QUEUE_RATE", 0),
        ("QUEUE_BUCKET", 0),
        ("STORE_WORD", 4),
        ("COUNTER_SELECT", 0),
        ("COUNTER_LOW", 0),
        ("COUNTER_HIGH", 0),
        ("CODEL_INTERVAL", 8),
        ("STAT_MEMORY", 1),
    ):
        await bench.write(name, 1, index) if name != "COUNTER_SELECT" else None
        assert await bench.read(name, index) == STRAY_READ, name
    await bench.write("COUNTER_SELECT", QUEUES - 1)
    assert await bench.counters(QUEUES - 1) == (0, 0)
    await bench.write("COUNTER_SELECT", QUEUES)
    assert await bench.read("COUNTER_LOW") == STRAY_READ
    assert await bench.read("CORE_ID") == 0x534C5501
    assert await bench.read("CORE_GEOMETRY") == 1 << 18 | 1 << 17 | 1 << 16 | 3 << 8 | 11
    assert await bench.read("CORE_TICK") == MTU_BYTES << 16 | TICK_CLOCKS
    # Half words have no meaning here.
    bench.dut.wb_sel.value = 0x3
    assert await bench.read("CORE_ID") is None
    bench.dut.wb_sel.value = 0xF
    assert await bench.read_address(2) is None


async def flooded(bench, customer, word, lengths, packets):
    """The order in which a customer's classes are served, as (class, bytes), while each holds packets."""
    bench.got.clear()
    await bench.write("CUSTOMER_RATE", 0, customer)
    await bench.write("CUSTOMER_CLASSES", word, customer)
    assert await bench.read("CUSTOMER_CLASSES", customer) == word
    for _ in range(packets):
        for traffic_class, length in lengths.items():
            await bench.put(customer << 3 | traffic_class, length)
    await bench.sent()
    await bench.write("CUSTOMER_RATE", 4000, customer)
    await bench.wait_for(packets * len(lengths), 2_000_000)
    left = dict.fromkeys(lengths, packets)
    served = []
    for packet in bench.got:
        served.append((packet.queue & 7, packet.length))
        left[packet.queue & 7] -= 1
        if 0 in left.values():
            break
    return served


def shares(served):
    bytes_of = {}
    for traffic_class, length in served:
        bytes_of[traffic_class] = bytes_of.get(traffic_class, 0) + length
    total = sum(bytes_of.values())
    return {traffic_class: count / total for traffic_class, count in bytes_of.items()}


@cocotb.test()
async def classes_take_turns_of_one_packet_unless_told_otherwise(dut):
    bench = await Bench.start(dut)
    await unlimited(bench)
    served = await flooded(bench, 9, 0, {0: 300, 3: 900, 7: 60}, 6)
    assert [each[0] for each in served[:15]] == [3, 7, 0] * 5


@cocotb.test()
async def a_class_before_all_others_waits_for_none_of_them(dut):
    bench = await Bench.start(dut)
    await unlimited(bench)
    served = await flooded(bench, 9, 0xF0F00011, {0: 300, 1: 300, 5: 200, 7: 100}, 6)
    assert [each[0] for each in served] == [7] * 6
    order = [packet.queue & 7 for packet in bench.got]
    assert order[:12] == [7] * 6 + [5] * 6
    # A packet that comes while others wait is the next to leave but for the one on its way.
    bench.got.clear()
    for _ in range(20):
        await bench.put(9 << 3, 1000)
    await bench.wait_for(4, 200_000)
    before = len(bench.got)
    await bench.put(9 << 3 | 7, 100)
    await bench.wait_for(21, 500_000)
    assert [packet.queue & 7 for packet in bench.got].index(7) <= before + 3


@cocotb.test()
async def classes_share_bytes_and_not_packets(dut):
    bench = await Bench.start(dut)
    await unlimited(bench)
    # Classes 2, 1 and 0 with shares 1, 3 and 2, packets of very different lengths.
    served = await flooded(bench, 200, 0x132, {0: 1400, 1: 300, 2: 700}, 120)
    got = shares(served)
    for traffic_class, share in ((0, 2 / 6), (1, 3 / 6), (2, 1 / 6)):
        assert abs(got[traffic_class] - share) < 0.04, got
