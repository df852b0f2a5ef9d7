"""iperf3 flows from the core to a subscriber, watched while they run."""

import os
import re
import shutil

from .network import CORE_ADDRESS
from .process import Process

FIRST_PORT = 5201
# "[SUM]   3.00-4.00   sec   512 KBytes  4.19 Mbits/sec", or "[  5]" with a single stream.
_INTERVAL = re.compile(
    r"\[\s*(SUM|\d+)\]\s+(\d+\.\d+)-(\d+\.\d+)\s+sec\s+\S+ \S+\s+(\d+(?:\.\d+)?) Kbits/sec"
)


def missing():
    """Why no traffic can be made here; empty if it can."""
    return "" if shutil.which("iperf3") else "iperf3 is not on PATH"


def congestion_controls():
    """TCP's congestion controls that this kernel has."""
    path = "/proc/sys/net/ipv4/tcp_available_congestion_control"
    with open(path, encoding="ascii") as names:
        return names.read().split()


def interval(line, streams):
    """(beginning, end, bit/s) if a line tells of an interval of all streams together."""
    found = _INTERVAL.search(line)
    # The last lines sum up the whole run.
    if not found or "sender" in line or "receiver" in line:
        return None
    if (found.group(1) == "SUM") != (streams > 1):
        return None
    return float(found.group(2)), float(found.group(3)), 1e3 * float(found.group(4))


def inside(host, command):
    """The command line that runs a command in a host's namespaces."""
    return ["mnexec", "-a", str(host.pid)] + command


class Flow:
    """TCP from the core to one subscriber, over so many connections.

    most_bps: what each connection sends at most; as fast as it gets without
    address: the core's
    """

    def __init__(
        self,
        network,
        number,
        congestion,
        seconds,
        streams,
        folder,
        most_bps=None,
        address=CORE_ADDRESS,
    ):
        self.name = network.host(number).name
        self.congestion = congestion
        self.streams = streams
        self._intervals = []
        port = FIRST_PORT + number
        log = os.path.join(folder, "iperf3-%s" % self.name)
        server = ["iperf3", "-s", "-1", "-p", str(port), "--forceflush"]
        self.server = Process(inside(network.core(), server), log + "-server.log")
        self.server.ready_line("Server listening", 60)
        client = ["iperf3", "-c", address, "-p", str(port), "-R", "-C", congestion]
        client += ["-t", str(seconds), "-P", str(streams), "-i", "1", "-f", "k", "--forceflush"]
        if most_bps:
            client += ["-b", str(most_bps)]
        self.client = Process(inside(network.host(number), client), log + ".log")

    def intervals(self):
        """(beginning, end, bit/s) of each second so far, as the receiver saw it."""
        for line in self.client.lines():
            found = interval(line, self.streams)
            if found:
                self._intervals.append(found)
        return self._intervals

    def last_bps(self):
        """Goodput of the last second; None before the first."""
        intervals = self.intervals()
        return intervals[-1][2] if intervals else None

    def running(self):
        return self.client.running()

    def failure(self):
        """What iperf3 complains of; empty if of nothing."""
        with open(self.client.log, encoding="utf-8", errors="replace") as log:
            return log.read().strip()

    def stop(self):
        self.client.stop(5)
        self.server.stop(5)


