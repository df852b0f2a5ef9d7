"""What runs in a network beside Sluice: routers, DHCP, PPPoE, pings; and whether any of it noticed."""

import os
import re
import subprocess
import time

from . import frr, leases, pppoe
from .iperf import inside
from .network import CORE_ADDRESS, subscriber_address
from .process import Process, StartError
from .verdict import Fact
from .wirednetwork import CORE_ADDRESS6, CORE_NETWORK, CORE_NETWORK6, LAN, LAN_MASK, ROUTER_ADDRESS
from .wirednetwork import forget, subscriber_mac, subscriber_prefixes

UP_SECONDS = 120
# A second without an answer is what OSPF and BGP, with their shortest times, take well.
SILENCE_SECONDS = 1.0
_PINGS_PER_SECOND = 10
_TOLD_SECONDS = 0.2
_ANSWER = re.compile(r"\[(\d+\.\d+)\] \d+ bytes from ")


def missing():
    """What is not here, in words; empty if nothing."""
    packages = list(filter(None, [frr.missing(), *leases.missing()]))
    if packages:
        return "not installed: %s; on Debian: apt-get install frr dnsmasq isc-dhcp-client" % (
            ", ".join(packages)
        )
    made = "ip link add slb0 type bridge && ip link add name slq0 type veth peer name slq1"
    made += " && tc qdisc add dev slq0 root tbf rate 1mbit burst 5000 limit 20000"
    return _tried(made)


def _tried(command):
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", command], capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else "cannot %s: %s" % (command, done.stderr.strip())


def no_sessions():
    """Why there can be no PPPoE here at all; empty if there can."""
    return pppoe.lack() and _tried("ip tuntap add slt0 mode tun")


class Pulse:
    """Pings from a node to the core as long as it runs."""

    def __init__(self, node, address, folder):
        self.answers = []
        command = ["env", "LC_ALL=C", "ping", "-n", "-D", "-i", str(1 / _PINGS_PER_SECOND), address]
        log = os.path.join(folder, "pulse-%s.log" % address.replace(":", "-"))
        self.process = Process(inside(node, command), log, hardware=True)

    def read(self):
        for line in self.process.lines():
            answer = _ANSWER.match(line)
            if answer:
                self.answers.append(float(answer.group(1)))

    def stop(self):
        self.process.stop(5)


def longest_silence(answers, first, last):
    """The longest time without an answer between two moments; `answers` are times."""
    times = [first] + [each for each in answers if first < each < last] + [last]
    return max(after - before for before, after in zip(times, times[1:]))


class Mark:
    """What everybody says at a moment.

    neighbours: of routing, {who of whom: frr.Neighbour}
    counts: what should not become more, {words: so far}
    asked, answered: echo requests of PPPoE sessions
    """

    def __init__(self, at, wall, neighbours, counts, asked, answered):
        self.at = at
        self.wall = wall
        self.neighbours = neighbours
        self.counts = counts
        self.asked = asked
        self.answered = answered


def routing(step, before, after):
    """Whether any neighbour of OSPF or BGP was lost in between."""
    elapsed = after.at - before.at
    names = set(before.neighbours) | set(after.neighbours)
    up = [each for each in after.neighbours.values() if each.up()]
    changes, least = 0, elapsed
    for name in names:
        was, now = before.neighbours.get(name), after.neighbours.get(name)
        if not was or not now:
            changes, least = changes + 1, 0.0
            continue
        grown = now.seconds - was.seconds
        least = min(least, grown)
        if now.changes is not None:
            changes += now.changes - was.changes
    return [
        Fact(step, "OSPF, OSPFv3, BGP neighbours up", len(before.neighbours), len(up)),
        Fact(step, "their changes of state", 0, changes),
        # Routers tell whole seconds, and one after the other.
        Fact(step, "their uptime grew by, s", "%.0f" % elapsed, "%.0f" % least, least > elapsed - 3),
    ]


class Carrier:
    """All of it, over a `WiredNetwork`."""

    def __init__(self, network, folder):
        self.network = network
        self.folder = folder
        self.routers = []
        self.dhcp = []
        self.sessions = []
        self.pulses = []
        self.route_monitors = []
        self.neighbour_monitors = []
        self._others = []
        self._routes = 0
        self._failed = 0
        self._leased = 0.0
        self.failures = []

    def start(self):
        """Returns when every neighbour is up and every subscriber has its address."""
        net, numbers = self.network, self.network.numbers
        access, router = net.net.get("access"), net.net.get("router")
        routed = [subscriber_prefixes(number, "routed") for number in numbers("routed")]
        behind = [prefixes[0].replace(".1/32", ".0/24") for prefixes in routed]
        behind6 = [prefixes[1] for prefixes in routed]
        self.routers = [
            frr.FrrRouter(router, 1, [CORE_NETWORK], [CORE_NETWORK6]),
            frr.FrrRouter(access, 2, behind, behind6),
        ]
        for each in self.routers:
            each.start()
        hosts = {subscriber_mac(number): subscriber_address(number) for number in numbers("dhcp")}
        told = {subscriber_mac(number): subscriber_address(number) for number in numbers("pppoe")}
        eth0 = "router-eth0"
        self._others.append(leases.Server(router, eth0, LAN, LAN_MASK, hosts, self.folder))
        self.dhcp = [leases.Client(net.host(number), self.folder) for number in numbers("dhcp")]
        if told:
            self._others.append(pppoe.Server(router, eth0, ROUTER_ADDRESS, told, self.folder))
        for number in numbers("pppoe"):
            self.sessions.append(pppoe.Session(net.host(number), self.folder))
            self.sessions[-1].await_up()
        for each in self.dhcp:
            each.await_lease()
        self._leased = time.monotonic()
        self._await_neighbours()
        for each in (access, router):
            self.route_monitors.append(self._monitor(each, "route"))
        for each in net.neighbours():
            self.neighbour_monitors.append(self._monitor(each, "neigh"))
        self.pulses = [
            Pulse(access, address, self.folder) for address in (CORE_ADDRESS, CORE_ADDRESS6)
        ]

    def ways(self):
        """How many `found_neighbours` should find."""
        return 2 * len(self.network.neighbours())

    def _await_neighbours(self):
        end = time.monotonic() + UP_SECONDS
        while True:
            found = [each for router in self.routers for each in router.neighbours()]
            down = ["%s %s" % (each.name, each.state) for each in found if not each.up()]
            if len(found) == 8 and not down and self.found_neighbours() == self.ways():
                return
            if time.monotonic() > end:
                raise StartError(
                    "after %d s there are %d neighbours of 8; not up: %s"
                    % (UP_SECONDS, len(found), ", ".join(down) or "none")
                )
            time.sleep(0.5)

    def _monitor(self, node, what):
        log = os.path.join(self.folder, "%s-%s.log" % (what, node.name))
        return Process(inside(node, ["ip", "monitor", what]), log)

    def forget_neighbours(self):
        """Has everybody ask by ARP and ND who has an address."""
        self._count_failed()
        for node in self.network.neighbours():
            forget(node)
        # What is forgotten is told as failed.
        time.sleep(_TOLD_SECONDS)
        for monitor in self.neighbour_monitors:
            monitor.lines()

    def found_neighbours(self):
        """How many ways to the core there are, of each by both families."""
        return sum(
            self._reaches(node, address)
            for node in self.network.neighbours()
            for address in (CORE_ADDRESS, CORE_ADDRESS6)
        )

    @staticmethod
    def _reaches(node, address):
        """Pings are dropped by value as their subscriber's other packets are: it asks some times."""
        asked = "LC_ALL=C ping -n -c 1 -W 1 %s" % address
        return any("1 received" in node.cmd(asked) for _ in range(5))

    def _count_failed(self):
        for monitor in self.neighbour_monitors:
            for line in monitor.lines():
                if "FAILED" in line and not line.startswith("Deleted"):
                    self._failed += 1
                    self.failures.append("%s: %s" % (monitor.command[2], line))

    def mark(self):
        for each in self.pulses + self.sessions:
            each.read()
        for monitor in self.route_monitors:
            self._routes += sum(bool(re.search("proto (bgp|ospf)", each)) for each in monitor.lines())
        self._count_failed()
        neighbours = {}
        for router in self.routers:
            for each in router.neighbours():
                neighbours["%s of %s" % (each.name, router.node.name)] = each
        counts = {
            "routes added or withdrawn": self._routes,
            "neighbours lost by ARP or ND": self._failed,
            "DHCP leases lost": sum(each.said("DHCPDISCOVER") for each in self.dhcp)
            + sum(not each.running() for each in self.dhcp),
            "PPPoE sessions lost": sum(each.lost for each in self.sessions)
            + sum(not each.running() for each in self.sessions),
        }
        echoes = [each.echoes for each in self.sessions]
        return Mark(
            time.monotonic(),
            time.time(),
            neighbours,
            counts,
            sum(asked for asked, _ in echoes),
            sum(answered for _, answered in echoes),
        )

    def facts(self, step, before, after, lossless=True):
        """What was noticed between two marks.

        lossless: whether the switch's queue is long enough for what control traffic does not make
        """
        found = routing(step, before, after)
        for what, count in after.counts.items():
            found.append(Fact(step, what, 0, count - before.counts[what]))
        asked = after.asked - before.asked
        if asked:
            # One of each session may be under way at either mark.
            answered, may = after.answered - before.answered, len(self.sessions)
            if not lossless:
                may += asked // 10
            ok = abs(asked - answered) <= may
            found.append(Fact(step, "LCP echoes answered", asked, answered, ok))
        for pulse, family in zip(self.pulses, ("IPv4", "IPv6")):
            # Answers that are under way at the second mark come later.
            silence = longest_silence(pulse.answers, before.wall, after.wall)
            found.append(
                Fact(step, "longest silence of %s pings, s" % family, "%.1f" % SILENCE_SECONDS,
                     "%.2f" % silence, silence < SILENCE_SECONDS, "below")
            )
        return found

    def renewals(self):
        """Whether leases should have been renewed by now, which is after half their time, and how
        often they were, the fewest of a host; the first acknowledgement is none."""
        due = time.monotonic() - self._leased > 0.6 * leases.LEASE_SECONDS
        return due, min((each.said("DHCPACK") - 1 for each in self.dhcp), default=0)

    def stop(self):
        for each in self.pulses + self.route_monitors + self.neighbour_monitors:
            each.stop()
        for each in self.sessions + self.dhcp + self._others + self.routers:
            each.stop()
