"""The core bench as the tests see it: packets in, packets out, registers by name."""

import csv
import pathlib
from collections import namedtuple

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, ValueChange

STRAY_READ = 0xCAFEBABE
MTU_BYTES = 1600

Got = namedtuple("Got", "queue length number clock")

with open(pathlib.Path(__file__).parent.parent / "registers.csv", newline="") as source:
    ADDRESSES = {row["name"]: int(row["address"], 16) for row in csv.DictReader(source)}


async def start_clock(dut):
    """Starts the clock, 10 ns, and resets for a few of its cycles."""
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start(start_high=False))
    dut.rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0


class Bench:
    """The core with source, sink and memories."""

    def __init__(self, dut):
        self.dut = dut
        self.got = []
        self.number = 0

    @classmethod
    async def start(cls, dut, pauses=0):
        """Resets the core and waits until it is ready; pauses out of 256 clocks, everywhere."""
        dut.put.value = 0
        dut.put_bad.value = 0
        dut.wb_cyc.value = 0
        dut.wb_sel.value = 0xF
        for part in (dut.pause_source, dut.pause_sink, dut.pause_memory):
            part.value = pauses
        await start_clock(dut)
        bench = cls(dut)
        cocotb.start_soon(bench._listen())
        while not dut.ready.value:
            await RisingEdge(dut.clk)
        return bench

    async def _listen(self):
        dut = self.dut
        while True:
            await ValueChange(dut.got)
            if int(dut.got.value) == 0:
                continue
            self.got.append(
                Got(*(int(s.value) for s in (dut.got_queue, dut.got_length, dut.got_number, dut.got_clock)))
            )

    async def clocks(self, count):
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    async def put(self, queue, length, bad=False):
        """Gives a packet to the source, which sends it when its turn has come; returns its number."""
        self.number += 1
        dut = self.dut
        dut.put_queue.value = queue
        dut.put_length.value = length
        dut.put_number.value = self.number
        dut.put_bad.value = bad
        dut.put.value = 1
        await RisingEdge(dut.clk)
        dut.put.value = 0
        return self.number

    async def sent(self):
        """Waits until the source has nothing left and the core has taken it in."""
        await self.clocks(2)
        while not self.dut.source_empty.value:
            await self.clocks(16)
        await self.clocks(600)

    async def wait_for(self, packets, most_clocks):
        """Waits until so many packets have come out, for at most so many clocks."""
        for _ in range(most_clocks // 32 + 1):
            if len(self.got) >= packets:
                return
            await self.clocks(32)
        raise AssertionError(f"{len(self.got)} packets after {most_clocks} clocks, not {packets}")

    async def _access(self, address, write, data):
        dut = self.dut
        dut.wb_adr.value = address
        dut.wb_we.value = write
        dut.wb_dat_w.value = data
        dut.wb_cyc.value = 1
        for _ in range(5000):
            await RisingEdge(dut.clk)
            if dut.wb_ack.value or dut.wb_err.value:
                dut.wb_cyc.value = 0
                error = bool(dut.wb_err.value)
                word = int(dut.wb_dat_r.value)
                await RisingEdge(dut.clk)
                return None if error else word
        raise AssertionError(f"no answer to an access of {address:#010x}")

    async def write_address(self, address, data):
        await self._access(address, 1, data)

    async def read_address(self, address):
        return await self._access(address, 0, 0)

    async def write(self, name, data, index=0):
        await self.write_address(ADDRESSES[name] + 4 * index, data)

    async def read(self, name, index=0):
        return await self.read_address(ADDRESSES[name] + 4 * index)

    async def counters(self, queue):
        """Packets and bytes that a queue has sent."""
        await self.write("COUNTER_SELECT", queue)
        word = await self.read("COUNTER_HIGH") << 32 | await self.read("COUNTER_LOW")
        return word >> 37, word & (1 << 37) - 1

    def by_queue(self):
        """Numbers of the packets that came out, by queue, in order."""
        queues = {}
        for packet in self.got:
            queues.setdefault(packet.queue, []).append(packet.number)
        return queues
