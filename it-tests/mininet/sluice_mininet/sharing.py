"""One line that subscribers behind two switches share: traffic, a change, measurements."""

import json
import os
import re
import time

from . import iperf, live, machine, result, scenario, shares, slots, udpsender, verdict
from .aggregation import AGGREGATION, BOTTLENECK_PORT, AggregationNetwork, NetworkController
from .aggregation import controller_network
from .network import CORE_ADDRESS, subscriber_address, subscriber_name
from .process import Process, build

DEFAULT = ["gold@1:4M", "silver@1:4M", "gold@1:0.5M", "gold@2:4M", "silver@2:4M", "silver@2:4M"]
FRAME_BYTES = 1_442
PATIENCE = 8
_FORM = re.compile(r"(gold|silver)@([12]):(\d+(?:\.\d+)?[kMG]?)")
_OFFER_LOW, _OFFER_HIGH = 100_000, 100_000_000
_FRAMECOUNTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "framecounter.py")


class Sender:
    """A subscriber that sends at a constant rate; `policy` is what is declared now.

    bng: 0 or 1
    """

    congestion = "udp"
    granted_bps = None

    def __init__(self, number, policy, bng, offered_bps):
        self.number = number
        self.name = subscriber_name(number)
        self.policy = policy
        self.bng = bng
        self.offered_bps = offered_bps

    def body(self):
        return {
            "policy": self.policy,
            "prefixes": [subscriber_address(self.number) + "/32"],
            "attachment": {"switch": "sl%d" % (self.bng + 1), "port": 0, "tree": 0},
        }


def senders(texts):
    """The subscribers of `POLICY@BNG:RATE` texts."""
    found = []
    for text in texts:
        matched = _FORM.fullmatch(text)
        if not matched:
            allowed = "POLICY@BNG:RATE with gold or silver, BNG 1 or 2, such as gold@1:4M"
            raise scenario.OptionError("--subscriber", text, allowed)
        offered = scenario.rate("--subscriber", matched.group(3), _OFFER_LOW, _OFFER_HIGH)
        bng = int(matched.group(2)) - 1
        found.append(Sender(len(found) + 1, matched.group(1), bng, offered))
    if not 2 <= len(found) <= 50:
        raise scenario.OptionError("--subscriber", "%d times" % len(found), "2 to 50 times")
    return found


def predict(everyone, bottleneck_bps):
    """What is to arrive of each, bit/s of frames: the water-filling of the line."""
    return shares.divide(
        bottleneck_bps, [(shares.CURVES[each.policy], each.offered_bps) for each in everyone]
    )


def judge(step, everyone, predicted, measured, bottleneck_bps):
    """The rows of one step. Senders do not slow down, so each is to get its share: 10 %."""
    share = verdict.DEFAULT.share
    rows = []

    def compare(what, want, got):
        rows.append(verdict.Row(step, what, want, got, share, abs(got - want) <= share * want))

    for each, want, got in zip(everyone, predicted, measured):
        what = "%s, %s behind sl%d, offers %s" % (
            each.name, each.policy, each.bng + 1, live.mbps(each.offered_bps)
        )
        compare(what, want, got)
    for bng in (0, 1):
        of = [pair for each, *pair in zip(everyone, predicted, measured) if each.bng == bng]
        if of:
            compare("all behind sl%d" % (bng + 1), *(sum(column) for column in zip(*of)))
    want, got = min(bottleneck_bps, sum(predicted)), sum(measured)
    full = verdict.FULL
    rows.append(verdict.Row(step, "the line is full", want, got, 1 - full, got >= full * want))
    return rows


class Sharing:
    """One run. Checks its options when it is made, before anything is started."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.kind = scenario.line_switch(options.switch)
        self.bottleneck_bps = scenario.rate("--rate", options.rate, *self.kind.line_rates)
        scenario.require_within(options, ("settle", 1, 600), ("measure", 5, 3600))
        self.everyone = senders(options.subscriber or DEFAULT)
        self.screen = live.Screen()
        self.network = None
        self.controller = None
        self.processes = []
        self.counter = None
        self.last = None
        self.started = 0.0

    def run(self):
        """Runs it all and takes it all down again."""
        measured, rows = [], []
        try:
            build()
            self.screen.say("starting three switches and the controller")
            self._start()
            self._traffic()
            for title, change in self._steps():
                change()
                found = self._measure(title)
                measured.append(found)
                rows += self._judge(found)
        finally:
            self._take_down()
        return result.Result(
            "Two BNGs in Mininet, on " + self.kind.title,
            self.options, self.bottleneck_bps, self.everyone, [], [], measured, rows,
        )

    def _start(self):
        behind = [each.bng for each in self.everyone]
        params = {"rates": {BOTTLENECK_PORT: self.bottleneck_bps}}
        self.network = AggregationNetwork(self.kind, behind, self.folder, **params)
        document = controller_network(self.network.switches, self.bottleneck_bps)
        self.controller = NetworkController(self.folder, document)
        self.controller.launch()
        api = self.controller.api
        self.screen.say("declaring over %s" % api.base)
        api.tell = self.screen.say
        for policy in sorted(shares.CURVES):
            api.put("/policies/" + policy, {"throughputValue": {"builtIn": policy}})
        for each in self.everyone:
            api.put("/subscribers/" + each.name, each.body())

    def _steps(self):
        yield "as declared", lambda: None
        silver = [each for each in self.everyone if each.policy == "silver"]
        if silver:
            yield "%s becomes gold" % silver[-1].name, lambda: self._upgrade(silver[-1])

    def _upgrade(self, sender):
        sender.policy = "gold"
        self.controller.api.put("/subscribers/" + sender.name, sender.body())

    def _run(self, host, name, command):
        log = os.path.join(self.folder, name + ".log")
        self.processes.append(Process(iperf.inside(host, command), log))
        return self.processes[-1]

    def _traffic(self):
        core = self.network.core()
        command = ["/usr/bin/python3", _FRAMECOUNTER, "core-eth0"]
        self.counter = self._run(core, "framecounter", command)
        millis = 1000 * 2 * PATIENCE * (self.options.settle + self.options.measure)
        for each in self.everyone:
            phases = [(each.offered_bps, millis)]
            command = udpsender.command(CORE_ADDRESS, FRAME_BYTES, phases)
            self._run(self.network.host(each.number), "sender-" + each.name, command)
        self.started = time.monotonic()

    def _sample(self):
        """What has arrived, as the core's counter last told it, and the state of the machine."""
        boxes = [switch.process for switch in self.network.switches.values()]
        for process in boxes + self.processes:
            process.require_running()
        before = time.monotonic()
        lines = self.counter.lines()
        while not lines:
            time.sleep(0.05)
            self.counter.require_running()
            lines = self.counter.lines()
        when, counts = lines[-1].split(" ", 1)
        counts = json.loads(counts)
        arrived = [counts.get(subscriber_address(each.number), 0) for each in self.everyone]
        state = machine.read([], tasks=[process.tasks() for process in boxes])
        took = time.monotonic() - max(before, float(when))
        return slots.Sample(
            [(float(when) - self.started, count) for count in arrived], took, state, machine.wall()
        )

    def _measure(self, title):
        predicted = predict(self.everyone, self.bottleneck_bps)
        self._watch(title, self.options.settle, predicted)
        found = slots.Slots()
        end = time.monotonic() + PATIENCE * self.options.measure
        found.add(self._sample())
        while len(found.counted()) < self.options.measure and time.monotonic() < end:
            self._watch(title, 1, predicted, found)
        counted = len(found.counted())
        return result.Measured(
            title,
            found.judged[0].first,
            found.judged[-1].last,
            predicted,
            found.rates() if counted >= self.options.measure else None,
            None,
            (counted, len(found.judged)),
            found.reasons(),
        )

    def _judge(self, found):
        common = (found.step, self.everyone, found.predicted)
        if found.rates is not None:
            return judge(*common, found.rates, self.bottleneck_bps)
        rows = judge(*common, found.predicted, self.bottleneck_bps)
        return [verdict.Row(r.step, r.what, r.expected, None, r.bound, None) for r in rows]

    def _watch(self, title, seconds, predicted, into=None):
        """Lets time pass, asks every second what has arrived and shows it."""
        end = time.monotonic() + seconds
        while end - time.monotonic() > 0.05:
            time.sleep(min(1.0, max(0.0, end - time.monotonic())))
            now = self._sample()
            if into:
                into.add(now)
            if self.last:
                rates = [
                    8 * (count - was) / max(1e-9, when - then)
                    for (then, was), (when, count) in zip(self.last.counts, now.counts)
                ]
                when = now.counts[0][0]
                offered = [each.offered_bps for each in self.everyone]
                lines = live.table(
                    when, title, self.everyone, rates, predicted, offered, ("arrives", "offered")
                )
                self.screen.show(when, title, lines)
            self.last = now

    def _take_down(self):
        for process in self.processes:
            process.stop(5)
        if self.controller:
            self.controller.stop()
        if self.network:
            self.network.stop()
