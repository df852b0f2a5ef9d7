#!/usr/bin/env python3
"""Writes what follows from registers.csv: the SystemVerilog package and the page of the register map.

Without arguments the two files are written; with --check nothing is, and the exit code tells
whether they are as they would be written.
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "sluice_registers_pkg.sv"
PAGE = HERE.parent.parent / "docs" / "fpga-registers.md"
STRAY_READ = 0xCAFEBABE
SLAVES = ["queue depth", "scheduler", "counters", "the core itself"]


def registers():
    """The rows of registers.csv, in order, with numbers as numbers."""
    with open(HERE / "registers.csv", newline="") as source:
        rows = list(csv.DictReader(source))
    for row in rows:
        row["address"] = int(row["address"], 16)
        row["count"] = int(row["count"])
        row["bits"] = int(row["bits"])
    return rows


def package(rows):
    lines = [
        "// The register map, made from registers.csv by generate.py.",
        "// A map is whole, whether the core uses each line or not.",
        "/* verilator lint_off UNUSEDPARAM */",
        "package sluice_registers_pkg;",
        "  // Answer to a read of no register.",
        f"  localparam logic [31:0] STRAY_READ = 32'h{STRAY_READ:08x};",
    ]
    for row in rows:
        name = row["name"]
        lines.append(f"  localparam logic [31:0] {name} = 32'h{row['address']:08x};")
        if 1 < row["count"] <= 8:
            lines.append(f"  localparam int unsigned {name}_COUNT = {row['count']};")
        if row["reset"][0].isdigit() and "<<" not in row["reset"]:
            lines.append(f"  localparam logic [31:0] {name}_RESET = 32'h{int(row['reset'], 0):08x};")
    return "\n".join(lines + ["endpackage", "/* verilator lint_on UNUSEDPARAM */", ""])


def page(rows):
    lines = [
        "# The FPGA core's registers",
        "",
        "For whoever programs the queueing core ([fpga-core.md](fpga-core.md)) without Sluice's driver. This page and the core's addresses are made from",
        "`fpga-driver/rtl/registers.csv`; a test compares the driver's with it.",
        "",
        "Registers are 32-bit little-endian words in a window of 64 MiB (PCIe BAR0); bits 31 to 24 of the byte address select a part. Register i of an array",
        "is at address + 4 i; a build with fewer queues has the first of them. Bits above a register's width are lost when written, except where the text says",
        f"otherwise, and read as 0. A read of no register gives `0x{STRAY_READ:08x}`, a write there does nothing. A tick is 1,248 clocks, unless `CORE_TICK` says otherwise.",
        "",
        "A queue id has 18 bits: port 17 to 15, tree 14 to 9, customer 8 to 3, class 2 to 0. A customer's index is the id without its last 3 bits, a tree's",
        "without 9, a port's without 15.",
    ]
    for slave, subject in enumerate(SLAVES):
        lines += [
            "",
            f"## 0x{slave:02x}000000: {subject}",
            "",
            "| register | address | count | bits | after reset | access | from | |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for row in rows:
            if row["address"] >> 24 == slave:
                origin = {"paper": "paper 001", "sluice": "Sluice"}[row["origin"]]
                lines.append(
                    f"| `{row['name']}` | `0x{row['address']:08x}` | {row['count']:,} | {row['bits']} | {row['reset']} "
                    f"| {row['access']} | {origin} | {row['text']} |"
                )
    return "\n".join(lines) + "\n"


def main():
    rows = registers()
    files = {PACKAGE: package(rows), PAGE: page(rows)}
    if sys.argv[1:] == ["--check"]:
        stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
        for path in stale:
            print(f"{path} is not what registers.csv says; run fpga-driver/rtl/generate.py", file=sys.stderr)
        return 1 if stale else 0
    for path, text in files.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
