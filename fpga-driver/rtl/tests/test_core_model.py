"""The whole core at its full size against the emulator's model: the same accesses and packets in, the same answers,
drops, counters and packets out. The file is written by the model's test CoreAccessesTest; CoreRecording tells its form."""

import pathlib

import cocotb
from bench import Bench

ROOT = pathlib.Path(__file__).parents[3]
ACCESSES = ROOT / "emulator" / "netsim" / "src" / "test" / "resources" / "golden" / "fpga-accesses.txt"


@cocotb.test()
async def the_core_answers_what_the_model_answers(dut):
    bench = await Bench.start(dut)
    expected = {}
    lengths = {}
    packets = 0
    sent = True
    reads = 0
    for number, line in enumerate(ACCESSES.read_text().splitlines(), 1):
        kind, *words = line.split()
        if kind in ("k", "d"):
            queue, length = int(words[0], 16), int(words[1])
            put = await bench.put(queue, length)
            sent = False
            if kind == "k":
                packets += 1
                expected.setdefault(queue, []).append(put)
                lengths[put] = length
            continue
        if not sent:
            # Gates open only when all have arrived.
            await bench.sent()
            sent = True
        if kind == "w":
            await bench.write_address(int(words[0], 16), int(words[1], 16))
        elif kind == "r":
            answer = await bench.read_address(int(words[0], 16))
            assert answer == int(words[1], 16), (number, line, f"{answer:08x}")
            reads += 1
        else:
            await bench.wait_for(packets, 2_000_000)
            await bench.clocks(2000)
            assert len(bench.got) == packets
    assert reads > 600 and packets > 100
    assert bench.by_queue() == expected
    assert all(lengths[packet.number] == packet.length for packet in bench.got)
    assert int(dut.wrong.value) == 0
