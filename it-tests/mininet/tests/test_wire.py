"""The demo of a wire: its parts, and the whole of it where there are FRRouting and dnsmasq."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from tests import needs

needs.mininet()

# pylint: disable=wrong-import-position
from sluice_mininet import carrier, frr, leases, machine, pppoe, pppoeend, result, verdict
from sluice_mininet import wirednetwork

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 600


def mark(at, *neighbours, **counts):
    return carrier.Mark(at, 1e9 + at, {each.name: each for each in neighbours}, counts, 0, 0)


class RoutersTest(unittest.TestCase):
    def test_neighbours_are_read_from_what_vtysh_prints(self):
        ospf = {
            "neighbors": {
                "10.254.0.2": [
                    {"nbrState": "Full/DR", "stateChangeCounter": 6, "lastPrgrsvChangeMsec": 8000}
                ]
            }
        }
        ospf6 = {
            "10.254.0.2%a-eth0": {"neighborState": "Full", "neighborStateDuration": "00:01:08"}
        }
        bgp = {
            "10.254.0.2": {
                "bgpState": "Established", "connectionsEstablished": 2, "connectionsDropped": 1,
                "bgpTimerUpMsec": 4000,
            },
            "2001:db8:ffff::2": {"bgpState": "Active"},
        }
        text = "% no configuration\n" + "".join(json.dumps(each) for each in (ospf, ospf6, bgp))
        found = frr.neighbours(*frr.answers(text))
        self.assertEqual(
            [(each.name, each.changes, each.seconds, each.up()) for each in found],
            [
                ("OSPF 10.254.0.2", 6, 8.0, True),
                ("OSPFv3 10.254.0.2", None, 68.0, True),
                ("BGP 10.254.0.2", 3, 4.0, True),
                ("BGP 2001:db8:ffff::2", 0, 0.0, False),
            ],
        )
        self.assertEqual(frr.answers("nothing"), [{}, {}, {}])

    def test_each_daemon_is_told_what_is_its_own(self):
        def lines(daemon):
            return frr.configuration(daemon, 2, "a-eth0", ["10.0.2.0/24"], ["2001:db8:2::/64"])

        self.assertEqual(lines("zebra"), ["hostname router2", "log stdout"])
        self.assertIn("ip ospf dead-interval 5", lines("ospfd"))
        self.assertIn("ipv6 ospf6 area 0", lines("ospf6d"))
        bgp = "\n".join(lines("bgpd"))
        self.assertIn("neighbor 2001:db8:ffff::1 activate\nnetwork 2001:db8:2::/64", bgp)
        self.assertNotIn("ospf", bgp)

    def test_a_neighbour_that_was_lost_is_seen_by_state_changes_or_time(self):
        def ok(**now):
            before = mark(10, frr.Neighbour("OSPF a", "Full/DR", 6, 30.0))
            as_was = {"state": "Full/DR", "changes": 6, "seconds": 50.0}
            after = mark(30, frr.Neighbour("OSPF a", **{**as_was, **now}))
            return [fact.ok for fact in carrier.routing("x", before, after)]

        self.assertEqual(ok(), [True, True, True])
        self.assertEqual(ok(state="Init"), [False, True, True])
        self.assertEqual(ok(changes=12), [True, False, True])
        self.assertEqual(ok(seconds=3.0), [True, True, False])
        gone = carrier.routing("x", mark(10, frr.Neighbour("OSPF a", "Full", 6, 30.0)), mark(30))
        self.assertEqual([fact.ok for fact in gone], [False, False, False])


class PppTest(unittest.TestCase):
    """Both ends of a session, without what is between them."""

    def setUp(self):
        self.lossy = False
        self.server = pppoeend.Ppp(self.to(lambda: self.client), "10.0.255.1", "10.0.3.1")
        self.client = pppoeend.Ppp(self.to(lambda: self.server), None, None)

    def to(self, end):
        def send(protocol, packet):
            if not self.lossy:
                end().receive(protocol, packet)

        return send

    def test_a_subscriber_is_told_its_address_and_an_end_that_is_gone_is_missed(self):
        for _ in range(3):
            self.client.tick()
            self.server.tick()
        self.assertEqual((self.client.ready(), self.server.ready()), (True, True))
        self.assertEqual(self.client.own, bytes([10, 0, 3, 1]))
        self.assertFalse(self.client.ready(), "is told once")
        self.client.tick()
        self.assertEqual((self.client.sent, self.client.answered, self.client.missed), (1, 1, 0))
        self.lossy = True
        for _ in range(4):
            self.client.tick()
        self.assertEqual((self.client.sent, self.client.answered, self.client.missed), (5, 1, 4))
        self.assertGreater(self.client.missed, pppoeend.PATIENCE)


class PartsTest(unittest.TestCase):
    def test_silence_is_measured_up_to_both_ends(self):
        self.assertAlmostEqual(carrier.longest_silence([9.0, 10.1, 10.2, 12.0], 10.0, 12.1), 1.8)
        self.assertAlmostEqual(carrier.longest_silence([10.5], 10.0, 13.0), 2.5)
        self.assertAlmostEqual(carrier.longest_silence([], 10.0, 13.0), 3.0)

    def test_subscribers_are_connected_by_turns(self):
        self.assertEqual(
            wirednetwork.connections(4), {1: "dhcp", 2: "routed", 3: "pppoe", 4: "dhcp"}
        )
        self.assertEqual(wirednetwork.connections(3, ["dhcp", "routed"])[3], "dhcp")
        self.assertEqual(
            wirednetwork.subscriber_prefixes(4, "dhcp"), ["10.0.4.1/32", "2001:db8::ff:fe02:4/128"]
        )
        self.assertEqual(wirednetwork.subscriber_prefixes(3, "pppoe"), ["10.0.3.1/32"])

    def test_a_wire_has_no_next_hops(self):
        topology = wirednetwork.controller_topology(20_000_000, loops=False)
        self.assertEqual(topology["wires"], [{"access": 1, "core": 2}])
        self.assertNotIn("destinationMac", json.dumps(topology))
        self.assertNotIn("loopPorts", topology)
        self.assertIn("loopPorts", wirednetwork.controller_topology(20_000_000, loops=True))

    def test_what_is_not_a_rate_is_shown_as_it_is(self):
        rows = [
            verdict.Fact("put in", "neighbours", 8, 7),
            verdict.Fact("put in", "silence, s", "1.0", "0.12", True, "below"),
            verdict.Row("declared", "sub1", 2e6, 1.9e6, 0.1, True),
        ]
        self.assertEqual([row.ok for row in rows], [False, True, True])
        options = mock.Mock(switch="sluice", delay=None)
        found = result.Result("x", options, 1, [], [], [], [], rows, remarks=["as it was"])
        self.assertEqual(found.exit_code, 1)
        text = " ".join(found.text().split())
        self.assertIn("neighbours expected 8 measured 7 NO", text)
        self.assertIn("silence, s expected below 1.0 measured 0.12 ok", text)
        self.assertIn("sub1 expected 2.000 measured 1.900 Mbit/s within 10 % ok", text)
        self.assertIn("as it was sluice mininet: 2 of 3 comparisons hold", text)
        self.assertIn("<td>silence, s</td><td>1.0</td><td>0.12</td>", found.page())

    def test_how_long_the_switch_stood_still(self):
        def reading(at, micros, nanos):
            reports = {"a": micros and {"schedulingDelay": {"standstillMicros": micros}}}
            return machine.Reading(reports, 0, 0, 0, {"7": nanos}, at)

        self.assertEqual(machine.stood_still(reading(0, 1, 0), reading(10, 700_001, 5_000)), 0.7)
        two = reading(10, 5, 2_000_000_000)
        self.assertAlmostEqual(machine.stood_still(reading(0, None, 0), two), 1.0)

    def test_what_is_missing_is_named_with_its_package(self):
        with mock.patch.object(frr, "missing", return_value="FRRouting (frr)"):
            with mock.patch.object(leases, "missing", return_value=["dnsmasq"]):
                self.assertEqual(
                    carrier.missing(),
                    "not installed: FRRouting (frr), dnsmasq; on Debian: apt-get install frr"
                    " dnsmasq isc-dhcp-client",
                )
        with mock.patch("os.path.exists", return_value=False):
            self.assertEqual(pppoe.lack(), "the kernel has no PPP (/dev/ppp)")


def mentioning(*texts):
    """Processes whose command lines have any of them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, encoding="utf-8", errors="replace") as line:
                words = line.read()
                if any(text in words for text in texts):
                    found.append(int(pid))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


class WholeDemoTest(unittest.TestCase):
    def setUp(self):
        needs.network()
        if carrier.missing():
            needs.skip(carrier.missing())
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.report = os.path.join(self.folder.name, "report.json")
        self.command = [sys.executable, os.path.join(HERE, "..", "demo.py"), "--wire"]
        self.command += ["--rate", "12M", "--measure", "8", "--report", self.report]
        self.command += ["--html", os.path.join(self.folder.name, "page.html")]
        self.environment = dict(os.environ, TMPDIR=self.folder.name)

    def processes(self):
        return mentioning(self.folder.name, frr.RUN)

    def interfaces(self):
        return [name for name in os.listdir("/sys/class/net") if name.startswith("sl1-")]

    def test_nobody_notices_and_everybody_gets_what_is_declared(self):
        done = subprocess.run(
            self.command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )
        print(done.stdout[-12000:], flush=True)
        self.assertIn(done.returncode, (0, 3), done.stdout)
        with open(self.report, encoding="utf-8") as text:
            found = json.load(text)
        self.assertEqual([row for row in found["rows"] if row["ok"] is False], [])
        ups = [row for row in found["rows"] if row["what"].startswith("OSPF")]
        self.assertEqual([row["expected"] for row in ups], [8, 8, 8, 8])
        self.assertEqual(self.interfaces(), [])
        self.assertEqual(self.processes(), [])

    def test_nothing_is_left_of_a_demo_that_was_killed(self):
        with subprocess.Popen(
            self.command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        ) as killed:
            for line in killed.stdout:
                if "the wire is put in" in line:
                    break
            self.assertIsNone(killed.poll())
            self.assertGreater(len(self.processes()), 15)
            killed.send_signal(signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while self.processes():
            self.assertLess(time.monotonic(), end, "still there: %s" % self.processes())
            time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
