"""Processes that end with this one, whatever ends it."""

import ctypes
import os
import queue
import random
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)
# Waits again when it has been told to end, until the program has ended.
_GUARD = '"$@" & child=$!; trap "kill $child" TERM INT; wait $child; wait $child'


class StartError(Exception):
    """Something did not start; the text is for people."""


def sluice(*arguments):
    """The command line of `./sluice ...`; SLUICE_COMMAND stands in for `./sluice` if it is set."""
    command = os.environ.get("SLUICE_COMMAND")
    first = shlex.split(command) if command else [os.path.join(ROOT, "sluice")]
    return first + [str(argument) for argument in arguments]


def build():
    """Builds what `sluice` runs, if that is necessary, and shows it: it takes minutes at first."""
    if not os.environ.get("SLUICE_COMMAND"):
        command = [os.path.join(ROOT, "sluice"), "build"]
        if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
            raise StartError("./sluice build failed")


def _given_to_anybody():
    """The first of the TCP ports that the kernel gives to whoever asks for any."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as ports:
            return int(ports.read().split()[0])
    except OSError:
        return 0


def free_port():
    """A TCP port of 127.0.0.1 that nobody listens on now. If there are such, it is one that nobody
    is given who asks for any: it stays free until it is used, and while its user is started anew."""
    choice = range(12_000, _given_to_anybody())
    for port in random.sample(choice, min(100, len(choice))) + [0]:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise StartError("there is no free TCP port")


def _die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def guarded(command):
    """The command line of a program that changes its rights, after which the kernel no longer ends
    it with who started it: of a shell that does."""
    return ["sh", "-c", _GUARD, "sh"] + command


def punctual():
    """What to put before the command of a program that stands in for hardware: it is to run when
    it has something to do, whatever else the machine does. Nothing, where that is not allowed."""
    command = ["chrt", "--rr", "1"]
    if not shutil.which("chrt"):
        return []
    tried = subprocess.run(command + ["true"], capture_output=True, check=False, timeout=60)
    return command if tried.returncode == 0 else []


class Process:
    """A program that runs beside us, with a log file for what it says on standard error.

    hardware: whether it stands in for hardware
    """

    def __init__(self, command, log, hardware=False):
        self.command = command
        self.log = log
        self._lines = queue.Queue()
        if hardware:
            command = punctual() + command
        try:
            with open(log, "ab") as errors:
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    preexec_fn=_die_with_parent,
                )
        except OSError as error:
            raise StartError("cannot start %s: %s" % (command[0], error)) from error
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with self.process.stdout as out:
            for line in out:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def lines(self):
        """What it has printed since it was last asked."""
        lines = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self._lines.put(None)
                return lines
            lines.append(line)

    def ready_line(self, beginning, seconds):
        """Waits for the line that begins so; StartError, with the log's end, if none comes."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise self._failure("is not ready after %d s" % seconds) from None
            if line is None:
                self._lines.put(None)
                raise self._failure("ended with code %d" % self.process.wait())
            if line.startswith(beginning):
                return line

    def wait_for_port(self, port, seconds):
        """Waits until somebody listens on a port of 127.0.0.1."""
        end = time.monotonic() + seconds
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if self.process.poll() is not None:
                raise self._failure("ended with code %d" % self.process.returncode)
            if time.monotonic() > end:
                raise self._failure("does not listen on port %d after %d s" % (port, seconds))
            time.sleep(0.1)

    def _failure(self, what):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            said = "".join(log.readlines()[-10:]).strip()
        return StartError(
            "%s %s%s" % (shlex.join(self.command[:4]), what, "; it said:\n" + said if said else "")
        )

    def running(self):
        return self.process.poll() is None

    def pid(self):
        return self.process.pid

    def tasks(self):
        """The folder of its threads."""
        return "/proc/%d/task" % self.pid()

    def require_running(self):
        """StartError, with the log's end, if it has ended."""
        if not self.running():
            raise self._failure("ended with code %d" % self.process.returncode)

    def stop(self, seconds=30):
        """Asks it to end, waits, and in the end makes it; its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait()

    def kill(self):
        """Ends it as a crash would."""
        self.process.kill()
        self.process.wait()
