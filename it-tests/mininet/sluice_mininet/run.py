"""The demo itself: network, controller, traffic, changes, measurements."""

import os
import re
import time

from . import iperf, live, machine, pings, result, scenario, slots, verdict
from .controller import Controller
from .network import ACCESS_PORT, CORE_ADDRESS, LOOP_PORTS, AccessNetwork, controller_topology
from .process import StartError, build

WARM_UP_SECONDS = 8
# A step that the machine does not keep up with is given up after so many times its time.
PATIENCE = 8
# The lowest that the FPGA's rate words can say, and beyond what TCP reaches here.
LIMIT_LOW, LIMIT_HIGH = 1_000_000, 1_000_000_000
# Answers to pings may be so late.
LATE_SECONDS = 2
_DELAY = re.compile(r"\d+(\.\d+)?(us|ms)")


class Demo:
    """One run. Checks its options when it is made, before anything is started."""

    heads = ("switch", "iperf3")

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.kind = scenario.line_switch(options.switch)
        self.bounds = self.kind.bounds
        self.bottleneck_bps = scenario.rate("--rate", options.rate, *self.kind.line_rates)
        if self.kind.emulates_delays:
            options.delay = options.delay or "10ms"
            if not _DELAY.fullmatch(options.delay):
                raise scenario.OptionError("--delay", options.delay, "a time such as 10ms or 500us")
        elif options.delay:
            raise scenario.OptionError(
                "--delay", options.delay, "nothing: %s has none of its own" % options.switch
            )
        scenario.require_within(options, ("streams", 1, 64), ("settle", 1, 600), ("measure", 5, 3600))
        self.everyone = scenario.subscribers(
            options.subscriber or scenario.DEFAULT,
            iperf.congestion_controls(),
            LIMIT_LOW,
            LIMIT_HIGH,
        )
        self.steps = scenario.steps(self.everyone)
        capped = [each for each in self.everyone if each.limit_bps]
        # Whom pings are sent from, if the switch can shape a limit.
        self.capped = capped[0] if capped and self.kind.shapes else None
        self.capped_bps = self.capped.limit_bps if self.capped else None
        if self.capped and pings.missing():
            raise StartError(pings.missing())
        self.screen = live.Screen()
        self.network = None
        self.controller = None
        self.reports = []
        self.flows = []
        self.samples = []
        self.gaps = []
        self.started = 0.0
        self._last = None

    def run(self):
        """Runs it all and takes it all down again."""
        measured, rows, delays = [], [], []
        try:
            build()
            self.screen.say("starting switch, FPGAs and controller")
            self._start()
            self.screen.say("declaring over %s" % self.controller.api.base)
            self.controller.api.tell = self.screen.say
            scenario.declare(self.controller.api, self.everyone)
            self._traffic()
            self._watch("warming up", WARM_UP_SECONDS, None)
            for step in self.steps:
                step.change(self.controller.api)
                found = self._measure(step.title)
                measured.append(found)
                rows += self._judge(found)
            if self.capped:
                delays = self._delays()
        finally:
            self._take_down()
        return result.Result(
            "Sluice in Mininet, on " + self.kind.title,
            self.options,
            self.bottleneck_bps,
            self.everyone,
            self.samples,
            self.gaps,
            measured,
            rows,
            delays,
        )

    def switch_params(self):
        """What the switch is started with: its ports' rates and delays, and its report."""
        params = {"rates": {ACCESS_PORT: self.bottleneck_bps}}
        if self.capped:
            loop_bps = scenario.loop_bps(self.capped_bps)
            params["rates"].update({number: loop_bps for number in LOOP_PORTS})
        if self.kind.emulates_delays:
            params["delays"] = {ACCESS_PORT: self.options.delay}
        if self.kind.reports:
            params["report"] = os.path.join(self.folder, "switch.json")
            self.reports.append(params["report"])
        return params

    def _start(self):
        self.network = AccessNetwork(
            self.kind, len(self.everyone), self.folder, **self.switch_params()
        )
        self.reports.append(self.network.fpga.report)
        self.controller = Controller(
            self.folder,
            self.network.switch,
            controller_topology(self.bottleneck_bps, loops=bool(self.capped)),
            self.network.fpga,
        )
        self.controller.launch()

    def _traffic(self):
        options = self.options
        # iperf3 ends with the demo; should the machine lag, it must not end before.
        each = 2 * (options.settle + PATIENCE * options.measure)
        seconds = 3 * WARM_UP_SECONDS + len(self.steps) * each + 600
        for each in self.everyone:
            self.flows.append(
                iperf.Flow(
                    self.network,
                    each.number,
                    each.congestion,
                    seconds,
                    options.streams,
                    self.folder,
                    address=self._core_address(each),
                )
            )
        self.started = time.monotonic()

    def _core_address(self, each):
        """Where a subscriber's traffic comes from."""
        del each
        return CORE_ADDRESS

    def _sample(self):
        """Reads everybody's counters and the state of the machine."""
        for process in self._boxes():
            process.require_running()
        counts, took = [], 0.0
        for each in self.everyone:
            before = time.monotonic()
            count = self._bytes(each)
            after = time.monotonic()
            counts.append(((before + after) / 2 - self.started, count))
            took = max(took, after - before)
        at = machine.wall()
        return slots.Sample(counts, took, self._machine(), at)

    def _boxes(self):
        return [self.network.switch.process, self.network.fpga.process]

    def _bytes(self, each):
        """Frame bytes so far towards a subscriber."""
        return self.controller.api.bytes_out(each.name)

    def _machine(self):
        tasks = [] if self.kind.reports else [self.network.switch.process.tasks()]
        return machine.read(self.reports, tasks=tasks)

    def _measure(self, title):
        """Measures until the machine has kept up for long enough, or it is given up."""
        predicted = scenario.predict(self.everyone, self.bottleneck_bps)
        self._watch(title, self.options.settle, predicted)
        found = slots.Slots()
        end = time.monotonic() + PATIENCE * self.options.measure
        found.add(self._sample())
        while len(found.counted()) < self.options.measure and time.monotonic() < end:
            self._watch(title, 1, predicted, found)
        first, last = found.judged[0].first, found.judged[-1].last
        self.gaps += [(slot.first, slot.last) for slot in found.judged if slot.faults]
        goodput = []
        for flow in self.flows:
            if not flow.running():
                raise StartError("iperf3 of %s ended: %s" % (flow.name, flow.failure()))
            inside = [bps for begin, end, bps in flow.intervals() if begin >= first and end <= last]
            goodput.append(sum(inside) / len(inside) if inside else None)
        counted = len(found.counted())
        rates = found.rates() if counted >= self.options.measure else None
        return result.Measured(
            title,
            first,
            last,
            predicted,
            rates,
            goodput,
            (counted, len(found.judged)),
            found.reasons(),
        )

    def _delays(self):
        """Pings a capped subscriber's way while it alone downloads, with AQM and without."""
        each, api = self.capped, self.controller.api
        for flow in self.flows:
            flow.stop()
        scenario.shape(api, each, self.capped_bps)
        seconds = 2 * (self.options.settle + self.options.measure + WARM_UP_SECONDS) + 600
        index = self.everyone.index(each)
        self.flows[index] = iperf.Flow(
            self.network, each.number, "cubic", seconds, self.options.streams, self.folder
        )
        found = []
        for aqm in (True, False):
            title = "%s at %g Mbit/s, %s AQM" % (
                each.name, self.capped_bps / 1e6, "with" if aqm else "without"
            )
            if not aqm:
                scenario.bloat(api, each)
            self._watch(title, self.options.settle, None)
            sent = pings.PER_SECOND * self.options.measure
            log = os.path.join(self.folder, "ping.log")
            asked = pings.Pings(self.network, each.number, sent, log)
            self._watch(title, self.options.measure + LATE_SECONDS, None)
            found.append(asked.end(title))
        return found

    def _judge(self, found):
        common = (self.bottleneck_bps, self.bounds)
        if found.rates is None:
            return verdict.unmeasured(found.step, self.everyone, found.predicted, *common)
        return verdict.judge(found.step, self.everyone, found.predicted, found.rates, *common)

    def _watch(self, title, seconds, predicted, into=None):
        """Lets time pass, reads the counters every second and shows what they say."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left < 0.05:
                return
            time.sleep(min(1.0, left))
            now = self._sample()
            if into:
                into.add(now)
            if self._last:
                rates = [
                    8 * (count - was) / max(1e-9, when - then)
                    for (then, was), (when, count) in zip(self._last.counts, now.counts)
                ]
                when = now.counts[0][0]
                self.samples.append((when, rates))
                goodput = [flow.last_bps() for flow in self.flows]
                self.screen.show(
                    when,
                    title,
                    live.table(
                        when, title, self.everyone, rates, predicted, goodput, self.heads
                    ),
                )
            self._last = now

    def _take_down(self):
        for flow in self.flows:
            flow.stop()
        if self.controller:
            self.controller.stop()
        if self.network:
            self.network.stop()
