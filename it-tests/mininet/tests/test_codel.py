"""CoDel on bmv2: the controller's settings and clone session, the committed program, and each drop
against the pseudo-code, which is given the delays that the switch saw. Needs root and bmv2.
"""

import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
import unittest

from tests import needs

needs.network()

# pylint: disable=wrong-import-position
from sluice_mininet import iperf, network, udpsender
from sluice_mininet.controller import Controller
from sluice_mininet.process import Process
from sluice_mininet.switches import SimpleSwitchGrpc
from tests import egresstrace, rfc8289

LINE_BPS = 5_000_000
FRAME_BYTES = 1_042
TARGET, INTERVAL = 5_000, 100_000
ECT0 = 2
PORT = network.ACCESS_PORT
# bmv2 has four egress threads, and a port that of its number modulo four: this one has the queue's,
# so that mirrored packets and the queue's take turns.
MIRROR_PORT = PORT + 60
PATIENCE = 600


class TracedSwitch(SimpleSwitchGrpc):
    """With a trace, of which what `egresstrace` reads is kept."""

    def launch(self):
        self.pipe = os.path.join(self.folder, "trace")
        os.mkfifo(self.pipe)
        with open(os.path.join(self.folder, "found"), "wb") as out:
            # pylint: disable=consider-using-with
            self.filter = subprocess.Popen(
                ["grep", "--line-buffered", "-E", egresstrace.LINES, self.pipe], stdout=out
            )
        super().launch()

    def command(self):
        # Only its log on the console can be a pipe.
        return ["sh", "-c", 'exec "$@" > "$0"', self.pipe] + super().command()

    def logging(self):
        return ["-L", "trace", "--log-console"]

    def halt(self):
        super().halt()
        self.filter.wait(PATIENCE)


def phases(seed, seconds):
    """(bit/s, milliseconds) above and below the line's rate, by turns."""
    choice, found, left = random.Random(seed), [], 1000 * seconds
    while left > 0:
        for low, high, shortest, longest in ((1.05, 1.6, 300, 3000), (0.2, 0.9, 100, 1500)):
            millis = choice.randint(shortest, longest)
            found.append((int(LINE_BPS * choice.uniform(low, high)), millis))
            left -= millis
    return found


class CodelContract:
    """One kind of CoDel."""

    kind = None
    mirrors = False
    ecn = False
    seed = 1

    def setUp(self):
        if SimpleSwitchGrpc.missing():
            needs.skip(SimpleSwitchGrpc.missing() + ": CoDel is not compared on bmv2")
        self.folder = tempfile.mkdtemp(prefix="sluice-codel-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.network = network.AccessNetwork(
            TracedSwitch, 2, self.folder, fpga=False, rates={PORT: LINE_BPS}
        )
        self.addCleanup(self.network.stop)
        topology = network.controller_topology(LINE_BPS, fpga=False, value_dropping=False)
        topology["mirrorPort"] = MIRROR_PORT
        self.controller = Controller(self.folder, self.network.switch, topology)
        self.addCleanup(self.controller.stop)

    def put(self, path, body):
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.controller.api.put(path, body)
            if {target["state"] for target in answer["targets"]} == {"INSTALLED"}:
                return
            self.assertLess(time.monotonic(), end, answer)

    def declare(self, aqm):
        policy = {"throughputValue": {"builtIn": "gold"}}
        self.put("/policies/gold", {**policy, "aqm": aqm} if aqm else policy)

    def send(self, phase_list):
        command = udpsender.command(network.subscriber_address(1), FRAME_BYTES, phase_list, ECT0 if self.ecn else 0)
        log = os.path.join(self.folder, "sender.log")
        sender = Process(iperf.inside(self.network.core(), command), log)
        self.assertEqual(sender.process.wait(PATIENCE), 0)

    def counted(self):
        """What the API counts of the queue, when it counts no more: everything has left."""
        last, end = None, time.monotonic() + PATIENCE
        while True:
            queue = [q for q in self.controller.api.get("/queues")["queues"] if q["port"] == PORT]
            now = (queue, self.controller.api.get("/subscribers/sub1/counters"))
            if now == last:
                return queue[0]
            self.assertLess(time.monotonic(), end, "the queue does not get empty")
            last = now
            time.sleep(1)

    def test_each_drop_is_the_pseudo_codes(self):
        self.controller.launch()
        self.declare(None)
        for number in (1, 2):
            prefix = network.subscriber_address(number) + "/32"
            body = {"policy": "gold", "prefixes": [prefix], "attachment": {"port": 0, "tree": 0}}
            self.put("/subscribers/sub%d" % number, body)
        self.send([(int(1.2 * LINE_BPS), 4000)])
        aqm = {"kind": self.kind, "targetMicros": TARGET, "intervalMicros": INTERVAL}
        self.declare({**aqm, "ecn": self.ecn})
        self.send(phases(self.seed, 40))
        flows = [iperf.Flow(self.network, n, "cubic", 15, 1, self.folder) for n in (1, 2)]
        for flow in flows:
            flow.client.process.wait(PATIENCE)
            flow.stop()
        counted = self.counted()
        self.controller.stop()
        self.network.stop()
        with open(os.path.join(self.folder, "found"), encoding="utf-8") as lines:
            found, events = egresstrace.read(lines, PORT)
        self.assertEqual(
            [
                counted[name]
                for name in ("droppedPackets", "markedPackets", "cycles", "mirroredPackets")
            ],
            [events[name] for name in egresstrace.EVENTS],
        )
        self.compare(found, events)

    def compare(self, found, events):
        reference = rfc8289.REFERENCES[self.kind](TARGET, INTERVAL)
        letter = rfc8289.Rfc8289(TARGET, INTERVAL, rfc8289.exact_step)
        by_letter = 0
        dropped, expected, delays, unmanaged = [], [], [], []
        for each in found:
            if isinstance(each, egresstrace.MirroredEnd):
                reference.mirrored_end()
                continue
            if not each.target:
                unmanaged.append(each.sojourn)
                continue
            delays.append(each.sojourn)
            if each.event:
                dropped.append(each.now)
            if reference.drops(each.now, each.sojourn, each.short):
                expected.append(each.now)
            by_letter += letter.drops(each.now, each.sojourn, each.short)
        print(
            "%s on bmv2, seed %d: %d packets, %d dropped or marked (%d), by the pseudo-code %d, %d of them the same,"
            " to the letter with exact square roots %d; %d cycles, %d mirrored packets, %d cycles begun"
            " before the last end was back, %d standstills; mean delay %.1f ms, unmanaged %.1f ms"
            % (
                self.kind,
                self.seed,
                len(delays),
                len(dropped),
                events["marked"],
                len(expected),
                len(set(dropped) & set(expected)),
                by_letter,
                events["cycle"],
                events["mirrored"],
                reference.overtaking,
                reference.standstills,
                statistics.mean(delays) / 1000,
                statistics.mean(unmanaged) / 1000,
            ),
            flush=True,
        )
        self.assertEqual(dropped, expected)
        self.assertGreater(len(dropped), 100)
        self.assertEqual(reference.unexpected, 0)
        self.assertEqual(events["mirrored"] > 0, self.mirrors)
        self.assertEqual(events["marked"] > 100, self.ecn)


class CodelActOnBmv2Test(CodelContract, unittest.TestCase):
    kind = "codel-act"
    mirrors = True


class EcnOnBmv2Test(CodelContract, unittest.TestCase):
    """UDP that says it understands ECN, and TCP that does not."""

    kind = "codel-act"
    mirrors = True
    ecn = True


class Rfc8289OnBmv2Test(CodelContract, unittest.TestCase):
    kind = "rfc8289"


class P4CodelOnBmv2Test(CodelContract, unittest.TestCase):
    kind = "p4-codel"


if __name__ == "__main__":
    unittest.main()
