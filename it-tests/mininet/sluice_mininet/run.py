"""The demo itself: network, controller, traffic, changes, measurements."""

import json
import os
import re
import sys
import time

from . import iperf, page, scenario, verdict
from .controller import Controller
from .network import ACCESS_PORT, AccessNetwork, controller_topology
from .process import StartError, build
from .switches import SluiceSwitch

WARM_UP_SECONDS = 8
ATTEMPTS = 3
# The lowest that the FPGA's rate words can say, and beyond what TCP reaches here.
LIMIT_LOW, LIMIT_HIGH = 1_000_000, 1_000_000_000
_DELAY = re.compile(r"\d+(\.\d+)?(us|ms)")


class Measured:
    """What a step brought."""

    def __init__(self, step, first, last, predicted, rates, goodput):
        self.step = step
        self.first = first
        self.last = last
        self.predicted = predicted
        self.rates = rates
        self.goodput = goodput


class Result:
    """What the demo found."""

    def __init__(self, options, bottleneck_bps, everyone, samples, measured, rows, slow):
        self.options = options
        self.bottleneck_bps = bottleneck_bps
        self.names = ["%s, %s" % (each.name, each.congestion) for each in everyone]
        self.samples = samples
        self.measured = measured
        self.rows = rows
        self.slow = slow
        self.exit_code = verdict.exit_code(rows, slow)

    def summary(self):
        good = sum(row.ok for row in self.rows)
        text = "%d of %d comparisons hold" % (good, len(self.rows))
        if self.exit_code == 3:
            text += ", but the machine was too slow for this"
        if self.slow:
            text += "; " + "; ".join(self.slow)
        return text

    def page(self):
        steps = [(each.step, each.first, each.last, each.predicted) for each in self.measured]
        svg = page.chart(self.samples, steps, self.names)
        return page.page("Sluice in Mininet", self.summary(), svg, self.rows)

    def as_dict(self):
        return {
            "bottleneckBps": self.bottleneck_bps,
            "delay": self.options.delay,
            "ok": self.exit_code == 0,
            "exitCode": self.exit_code,
            "slow": self.slow,
            "rows": [row.as_dict() for row in self.rows],
            "steps": [each.__dict__ for each in self.measured],
        }

    def print(self, html):
        print()
        for row in self.rows:
            print(
                "%-34s %-34s expected %8.3f  measured %8.3f Mbit/s  within %4g %%  %s"
                % (row.step, row.what, row.expected / 1e6, row.measured / 1e6, 100 * row.bound,
                   "ok" if row.ok else "NO")
            )
        print("\nsluice mininet: %s; %s" % (self.summary(), html))


class Demo:
    """One run. Checks its options when it is made, before anything is started."""

    def __init__(self, options, folder, low_bps, high_bps):
        self.options = options
        self.folder = folder
        self.bottleneck_bps = scenario.rate("--rate", options.rate, low_bps, high_bps)
        if not _DELAY.fullmatch(options.delay):
            raise scenario.OptionError("--delay", options.delay, "a time such as 10ms or 500us")
        for name, low, high in (("streams", 1, 64), ("settle", 1, 600), ("measure", 5, 3600)):
            value = getattr(options, name)
            if not low <= value <= high:
                raise scenario.OptionError("--" + name, value, "%d to %d" % (low, high))
        self.everyone = scenario.subscribers(
            options.subscriber or scenario.DEFAULT,
            iperf.congestion_controls(),
            LIMIT_LOW,
            LIMIT_HIGH,
        )
        self.steps = scenario.steps(self.everyone)
        self.network = None
        self.controller = None
        self.flows = []
        self.samples = []
        self.started = 0.0
        self._last = None
        self._shown = 0.0
        self._overslept = 0.0

    def run(self):
        """Runs it all and takes it all down again."""
        report = os.path.join(self.folder, "switch.json")
        measured, rows = [], []
        try:
            build()
            say("starting switch, FPGAs and controller")
            self.network = AccessNetwork(
                SluiceSwitch,
                len(self.everyone),
                self.folder,
                rates={ACCESS_PORT: self.bottleneck_bps},
                delays={ACCESS_PORT: self.options.delay},
                report=report,
            )
            self.controller = Controller(
                self.folder,
                self.network.switch,
                controller_topology(self.bottleneck_bps),
                self.network.fpga,
            )
            self.controller.launch()
            scenario.declare(self.controller.api, self.everyone)
            say("declared over %s" % self.controller.api.base)
            self._traffic()
            self._watch("warming up", WARM_UP_SECONDS, None)
            for step in self.steps:
                step.change(self.controller.api)
                found, judged = self._step(step.title)
                measured.append(found)
                rows += judged
            fpga_report = self.network.fpga.report
        finally:
            self._take_down()
        reports = []
        for name, log in ((report, "sl1.log"), (fpga_report, "fpga.log")):
            if not os.path.exists(name):
                with open(os.path.join(self.folder, log), encoding="utf-8") as said:
                    raise StartError(
                        "%s: ended without a report; it said:\n%s" % (log, said.read()[-2000:])
                    )
            with open(name, encoding="utf-8") as text:
                reports.append(json.load(text))
        return Result(
            self.options,
            self.bottleneck_bps,
            self.everyone,
            self.samples,
            measured,
            rows,
            verdict.slowness(reports, self._overslept),
        )

    def _traffic(self):
        options = self.options
        # iperf3 ends with the demo; should the machine lag, it must not end before.
        each = ATTEMPTS * (options.settle + options.measure)
        seconds = 3 * (WARM_UP_SECONDS + len(self.steps) * each) + 60
        for each in self.everyone:
            self.flows.append(
                iperf.Flow(
                    self.network,
                    each.number,
                    each.congestion,
                    seconds,
                    options.streams,
                    self.folder,
                )
            )
        self.started = time.monotonic()

    def _counters(self):
        """(seconds since the start, frame bytes that left) of each subscriber."""
        read = []
        for each in self.everyone:
            before = time.monotonic()
            count = self.controller.api.bytes_out(each.name)
            read.append(((before + time.monotonic()) / 2 - self.started, count))
        return read

    def _step(self, title):
        """Measures a step, and again if it does not hold: a machine that others use passes, and so
        do TCP's swings; a wrong share stays."""
        for attempt in range(ATTEMPTS):
            found = self._measure(title, scenario.predict(self.everyone, self.bottleneck_bps))
            judged = verdict.judge(
                title, self.everyone, found.predicted, found.rates, self.bottleneck_bps
            )
            if all(row.ok for row in judged):
                break
            if attempt + 1 < ATTEMPTS:
                say("%s: does not hold yet; measuring again" % title)
        return found, judged

    def _measure(self, title, predicted):
        self._watch(title, self.options.settle, predicted)
        before = self._counters()
        self._watch(title, self.options.measure, predicted)
        after = self._counters()
        first, last = before[0][0], after[0][0]
        goodput = []
        for flow in self.flows:
            if not flow.running():
                raise StartError("iperf3 of %s ended: %s" % (flow.name, flow.failure()))
            inside = [bps for begin, end, bps in flow.intervals() if begin >= first and end <= last]
            goodput.append(sum(inside) / len(inside) if inside else None)
        return Measured(title, first, last, predicted, _rates(before, after), goodput)

    def _watch(self, title, seconds, predicted):
        """Lets time pass, reads the counters every second and shows what they say."""
        end = time.monotonic() + seconds
        while True:
            now = self._counters()
            if self._last:
                rates = _rates(self._last, now)
                self.samples.append((now[0][0], rates))
                self._show(title, now[0][0], rates, predicted)
            self._last = now
            left = end - time.monotonic()
            if left <= 0:
                return
            before = time.monotonic()
            time.sleep(min(1.0, left))
            self._overslept = max(self._overslept, time.monotonic() - before - min(1.0, left))

    def _show(self, title, when, rates, predicted):
        # A terminal sees every second, a file every fifth.
        if not sys.stdout.isatty() and when - self._shown < 5:
            return
        self._shown = when
        print("\n%6.1f s  %s" % (when, title))
        print("          %-8s %-7s %-6s %10s %10s %10s %10s"
              % ("", "policy", "tcp", "limit", "should be", "switch", "iperf3"))
        for index, each in enumerate(self.everyone):
            print(
                "          %-8s %-7s %-6s %10s %10s %10s %10s"
                % (
                    each.name,
                    each.policy,
                    each.congestion,
                    mbps(each.granted_bps),
                    mbps(predicted[index] if predicted else None),
                    mbps(rates[index]),
                    mbps(self.flows[index].last_bps()),
                )
            )
        sys.stdout.flush()

    def _take_down(self):
        for flow in self.flows:
            flow.stop()
        if self.controller:
            self.controller.stop()
        if self.network:
            self.network.stop()


def _rates(before, after):
    """Bit/s between two readings of the counters."""
    return [
        8 * (count - was) / max(1e-9, when - then)
        for (then, was), (when, count) in zip(before, after)
    ]


def mbps(bps):
    return "-" if bps is None else "%.2f" % (bps / 1e6)


def say(text):
    print("sluice mininet: " + text, flush=True)
