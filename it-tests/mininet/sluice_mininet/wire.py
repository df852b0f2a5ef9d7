"""The demo of a wire: a network that runs, a switch put into it, its controller killed."""

import time

from . import carrier, machine, pppoe, run, scenario, verdict
from .controller import Controller
from .network import CORE_ADDRESS
from .process import StartError, build
from .result import Result
from .verdict import Fact
from .wirednetwork import CORE_ADDRESS6, KINDS, WiredNetwork, connections, controller_topology
from .wirednetwork import subscriber_prefixes

# Every so many subscribers one downloads by IPv6, if it has an address.
_IPV6_EVERY = 4
INSTALLED_SECONDS = 120
# Of what subscribers got, how much the switch may have counted less or more.
COUNTED = 0.01
# What fails while the machine did not run the switch for as long is not held against it.
STILL_SECONDS = 0.5


def received_bytes(pid, interface):
    """Frame bytes that have come in by an interface of a process's network namespace."""
    with open("/proc/%d/net/dev" % pid, encoding="ascii") as lines:
        for line in lines:
            name, _, figures = line.partition(":")
            if name.strip() == interface:
                return int(figures.split()[0])
    raise StartError("there is no interface " + interface)


class WireDemo(run.Demo):
    """One run. What subscribers get is counted by their hosts."""

    heads = ("host", "iperf3")

    def __init__(self, options, folder):
        super().__init__(options, folder)
        if not self.kind.shapes:
            self.bounds = verdict.POLICED_ON_BMV2
        without = carrier.no_sessions()
        kinds = [kind for kind in KINDS if kind != "pppoe" or not without]
        self.connected = connections(len(self.everyone), kinds)
        for each in self.everyone:
            each.prefixes = subscriber_prefixes(each.number, self.connected[each.number])
        if without:
            self.screen.say("skipped: PPPoE sessions: %s; %s" % (pppoe.lack(), without))
        elif pppoe.lack():
            self.screen.say("PPPoE sessions are a test client's: " + pppoe.lack())
        self.carrier = None
        self.remarks = []
        self.rows = []
        self.measured = []
        self._mark = self._reading = None

    def run(self):
        """Runs it all and takes it all down again."""
        try:
            build()
            self.screen.say("starting switch and controller, and a network without them")
            self._start()
            self._traffic()
            self._without()
            self._put_in()
            self._declared()
            self._killed()
            self._back()
        finally:
            self._take_down()
        return Result(
            "Sluice as a wire in Mininet, on " + self.kind.title,
            self.options,
            self.bottleneck_bps,
            self.everyone,
            self.samples,
            self.gaps,
            self.measured,
            self.rows,
            remarks=self.remarks,
        )

    def _start(self):
        self.network = WiredNetwork(
            self.kind,
            self.connected,
            self.folder,
            self.bottleneck_bps,
            **self.switch_params(),
        )
        topology = controller_topology(self.bottleneck_bps, loops=bool(self.capped))
        self.controller = Controller(self.folder, self.network.switch, topology)
        self.controller.launch()
        self._await_installed()
        self.carrier = carrier.Carrier(self.network, self.folder)
        self.carrier.start()

    def _await_installed(self):
        end = time.monotonic() + INSTALLED_SECONDS
        while not self.controller.api.get("/status")["allInstalled"]:
            if time.monotonic() > end:
                raise StartError("not all is installed after %d s" % INSTALLED_SECONDS)
            time.sleep(0.2)

    def _core_address(self, each):
        by_ipv6 = each.number % _IPV6_EVERY == 0 and len(each.prefixes) > 1
        return CORE_ADDRESS6 if by_ipv6 else CORE_ADDRESS

    def _boxes(self):
        return [self.network.switch.process]

    def _bytes(self, each):
        host = self.network.host(each.number)
        return received_bytes(host.pid, host.name + "-eth0")

    def _without(self):
        """The direct line, whose queue knows nobody."""
        title = "without Sluice"
        self._watch(title, run.WARM_UP_SECONDS, None)
        before = self._sample()
        self._watch(title, run.WARM_UP_SECONDS, None)
        rates = [
            8e-6 * (count - was) / (when - then)
            for (then, was), (when, count) in zip(before.counts, self._sample().counts)
        ]
        each = ", ".join(
            "%s %.2f" % (each.name, rate) for each, rate in zip(self.everyone, rates)
        )
        self.remarks.append("%s, Mbit/s: %s" % (title, each))
        self._mark, self._reading = self.carrier.mark(), self._machine()

    def _noticed(self, title, more=()):
        """Compares what everybody says with what they said when this was last called."""
        mark, reading = self.carrier.mark(), self._machine()
        going = sum(flow.running() for flow in self.flows)
        facts = self.carrier.facts(title, self._mark, mark, self.kind.shapes)
        facts += [Fact(title, "TCP flows that go on", len(self.flows), going), *more]
        still = machine.stood_still(self._reading, reading)
        if still > STILL_SECONDS and not all(each.ok for each in facts):
            self.remarks.append("%s: the switch stood still for %.1f s" % (title, still))
            for each in facts:
                each.ok = each.ok or None
        self.rows += facts
        self.remarks += ["lost: " + each for each in self.carrier.failures]
        self.carrier.failures = []
        self._mark, self._reading = mark, reading

    def _put_in(self):
        title = "the wire is put in"
        self.screen.say(title)
        self.network.put_in()
        self._watch(title, 2, None)
        resolved = self._resolve(title)
        self._watch(title, run.WARM_UP_SECONDS, None)
        self._noticed(title, [resolved])

    def _resolve(self, title):
        """Everybody forgets its neighbours and asks for them over the wire."""
        self.carrier.forget_neighbours()
        found = self.carrier.found_neighbours()
        return Fact(title, "ways to the core found by ARP and ND", self.carrier.ways(), found)

    def _step(self, title):
        found = self._measure(title)
        self.measured.append(found)
        self.rows += self._judge(found)

    def _declared(self):
        api = self.controller.api
        api.tell = self.screen.say
        scenario.declare(api, self.everyone)
        counted, (entered, lost) = self._counted(), self._of_nobody()
        for step in self.steps:
            step.change(api)
            self._step(step.title)
        got, by_switch = (now - was for was, now in zip(counted, self._counted()))
        now_entered, now_lost = self._of_nobody()
        # bmv2's queue is short: where its end is dropped, it is everybody's.
        may = 0 if self.kind.shapes else (now_entered - entered) // 100
        title = "since they are declared"
        self._noticed(
            title,
            [
                Fact(
                    title, "MB received, and counted by the switch",
                    "%.1f" % (got / 1e6), "%.1f" % (by_switch / 1e6),
                    abs(by_switch - got) <= COUNTED * got, "within 1 %"
                ),
                Fact(title, "frames of nobody lost in the wire", may, now_lost - lost,
                     now_lost - lost <= may, "at most"),
            ],
        )

    def _counted(self):
        """Bytes that all subscribers have received, and that the switch has counted for them."""
        got = sum(self._bytes(each) for each in self.everyone)
        return got, sum(self.controller.api.bytes_out(each.name) for each in self.everyone)

    def _of_nobody(self):
        """Frames of no subscriber that have entered the wire, and those that have not left it: the
        fewest that are seen at a moment, as some are under way."""
        found = []
        for _ in range(10):
            ends = [end["unknown"] for end in self.controller.api.get("/wires")["wires"]]
            entered = sum(end["packetsIn"] for end in ends)
            found.append((entered, entered - sum(end["packetsOut"] for end in ends)))
        return min(found, key=lambda each: each[1])

    def _killed(self):
        title = "the controller is killed"
        self.counted_before = self._counted()[1]
        self.screen.say(title)
        self.controller.crash()
        resolved = self._resolve(title)
        self._step(title)
        self._noticed(title, [resolved])

    def _back(self):
        title = "the controller is back"
        self.screen.say(title)
        self.controller.launch()
        self._await_installed()
        resolved = self._resolve(title)
        self._step(title)
        goes_on = "yes" if self._counted()[1] > self.counted_before else "no"
        more = [resolved, Fact(title, "the switch has gone on counting", "yes", goes_on)]
        due, renewals = self.carrier.renewals()
        if due:
            what = "renewals of each DHCP lease"
            more.append(Fact(title, what, 1, renewals, renewals >= 1, "at least"))
        else:
            self.remarks.append("skipped: renewals of DHCP leases, which were not due in this time")
        self._noticed(title, more)

    def _take_down(self):
        for flow in self.flows:
            flow.stop()
        if self.carrier:
            self.carrier.stop()
        super()._take_down()
