"""sluice_search with trees: 2,048 queues in 4 trees, groups of 8."""

import random

import cocotb
from bench import start_clock
from cocotb.triggers import ReadOnly, RisingEdge

GROUPS = 256
WINDOWS = 64
AGAIN, NEXT_GROUP, NEXT_TREE, NEXT_PORT = range(4)


class Search:
    """Drives the search a clock at a time over bits that the test sets."""

    def __init__(self, dut):
        self.dut = dut
        self.bits = [0] * WINDOWS
        self.clock = 0

    @classmethod
    async def start(cls, dut):
        for signal in (dut.found_ready, dut.go, dut.break_tree, dut.break_port):
            signal.value = 0
        await start_clock(dut)
        while dut.busy.value:
            await RisingEdge(dut.clk)
        return cls(dut)

    async def tick(self, ready=True):
        """One clock; (group, queues, place) if a group was taken in it."""
        dut = self.dut
        dut.found_ready.value = ready
        await ReadOnly()
        taken = None
        if ready and dut.found.value and not dut.go.value:
            taken = int(dut.found_group.value), int(dut.found_queues.value), int(dut.found_place.value)
        window = int(dut.scan_window.value) if dut.scan_enable.value else None
        await RisingEdge(dut.clk)
        if window is not None:
            dut.scan_bits.value = self.bits[window]
        dut.go.value = 0
        self.clock += 1
        return taken

    async def next(self, limit=400):
        for _ in range(limit):
            taken = await self.tick()
            if taken:
                return taken
        raise AssertionError("nothing found")

    async def go(self, how, taken, break_tree=False, break_port=False):
        dut = self.dut
        dut.go.value = 1
        dut.go_on.value = how
        dut.go_group.value = taken[0]
        dut.go_place.value = taken[2]
        dut.break_tree.value = break_tree
        dut.break_port.value = break_port
        await self.tick(ready=False)

    def set(self, group, queues):
        self.bits[group >> 2] |= queues << 8 * (group & 3)


@cocotb.test()
async def a_round_finds_every_group_once(dut):
    rng = random.Random(6)
    search = await Search.start(dut)
    wanted = {group: rng.randint(1, 255) for group in rng.sample(range(GROUPS), 90)}
    for group, queues in wanted.items():
        search.set(group, queues)
    await search.next()
    for _ in range(3):
        found = [await search.next() for _ in range(90)]
        assert {group: queues for group, queues, _ in found} == wanted
    # Paused by whoever takes them, still each once.
    found = []
    while len(found) < 90:
        taken = await search.tick(ready=rng.random() < 0.3)
        if taken:
            found.append(taken)
    assert {group: queues for group, queues, _ in found} == wanted


@cocotb.test()
async def an_empty_round_takes_a_clock_a_window(dut):
    search = await Search.start(dut)
    search.set(130, 1)
    await search.next()
    times = []
    for _ in range(4):
        await search.next()
        times.append(search.clock)
    rounds = {later - earlier for earlier, later in zip(times, times[1:])}
    # One port: three clocks a round go to its first tree.
    assert rounds == {WINDOWS + 3}, rounds


@cocotb.test()
async def it_goes_on_where_it_is_told(dut):
    search = await Search.start(dut)
    for group in (3, 5, 9, 64, 70, 128, 200):
        search.set(group, 0x11)
    taken = await search.next()
    while taken[0] != 5:
        taken = await search.next()
    await search.go(AGAIN, taken)
    taken = await search.next()
    assert taken[0] == 5
    await search.go(NEXT_GROUP, taken)
    taken = await search.next()
    assert taken[0] == 9
    await search.go(NEXT_TREE, taken)
    taken = await search.next()
    assert taken[0] == 64
    await search.go(NEXT_PORT, taken)
    # The only port: from its first tree again.
    assert (await search.next())[0] == 3


@cocotb.test()
async def a_tree_cut_short_goes_on_behind_the_last_customer(dut):
    search = await Search.start(dut)
    groups = [64 + i for i in range(7)]
    for group in [*groups, 130]:
        search.set(group, 1)
    served = []
    for _ in range(3 * len(groups)):
        taken = await search.next()
        while taken[0] == 130:
            taken = await search.next()
        served.append(taken[0])
        await search.go(NEXT_TREE, taken, break_tree=True)
    start = served[0]
    assert served == [64 + (start - 64 + i) % 7 for i in range(len(served))]


@cocotb.test()
async def a_port_cut_short_goes_on_behind_the_last_tree(dut):
    search = await Search.start(dut)
    for tree in range(4):
        for customer in (1, 2, 40):
            search.set(tree << 6 | customer, 1)
    served = []
    for _ in range(24):
        taken = await search.next()
        served.append(taken[0])
        await search.go(NEXT_PORT, taken, break_tree=True, break_port=True)
    # Trees in turn, and in each tree its customers in turn.
    assert [group >> 6 for group in served[:8]] == [(served[0] >> 6) + i & 3 for i in range(8)]
    for tree in range(4):
        own = [group & 63 for group in served if group >> 6 == tree]
        assert sorted(own[:3]) == [1, 2, 40] and own[:3] == own[3:6]
