"""Pings from a subscriber to the core while it downloads: the delay under its limit."""

import math
import re
import shutil

from .iperf import inside
from .network import CORE_ADDRESS
from .process import Process

PER_SECOND = 10
# "64 bytes from 10.255.0.2: icmp_seq=7 ttl=62 time=21.4 ms"
_ANSWER = re.compile(r"icmp_seq=(\d+) .*time=(\d+(?:\.\d+)?) ms")


def missing():
    """Why nothing can be pinged here; empty if it can."""
    return "" if shutil.which("ping") else "ping is not on PATH"


class Delays:
    """The answers of some pings.

    millis: round-trip time of each; sent: how many were asked for
    """

    def __init__(self, what, sent, millis):
        self.what = what
        self.sent = sent
        self.millis = sorted(millis)

    def mean(self):
        return sum(self.millis) / len(self.millis) if self.millis else None

    def p99(self):
        return self.millis[math.ceil(0.99 * len(self.millis)) - 1] if self.millis else None

    def as_dict(self):
        return {
            "what": self.what,
            "sent": self.sent,
            "answered": len(self.millis),
            "meanMillis": self.mean(),
            "p99Millis": self.p99(),
        }

    def text(self):
        answered = "%d of %d pings answered" % (len(self.millis), self.sent)
        if not self.millis:
            return "%s: %s" % (self.what, answered)
        return "%s: mean %.1f ms, 99th percentile %.1f ms, %s" % (
            self.what, self.mean(), self.p99(), answered
        )


def answers(lines):
    """Round-trip times in the lines of ping, ms; of an answer that comes twice the first."""
    found = {}
    for line in lines:
        answer = _ANSWER.search(line)
        if answer:
            found.setdefault(int(answer.group(1)), float(answer.group(2)))
    return list(found.values())


class Pings:
    """ping from a subscriber's host to the core, so many times."""

    def __init__(self, network, number, count, log):
        self.count = count
        command = ["env", "LC_ALL=C", "ping", "-n", "-i", str(1 / PER_SECOND), "-c", str(count)]
        self.process = Process(inside(network.host(number), command + [CORE_ADDRESS]), log)

    def end(self, what):
        """What has been answered so far; no more is asked."""
        self.process.stop(5)
        return Delays(what, self.count, answers(self.process.lines()))
