"""What needs no network."""

import io
import math
import os
import tempfile
import types
import unittest
from unittest import mock

from tests import needs

needs.mininet()

# pylint: disable=wrong-import-position
import demo
import two_bng
from sluice_mininet import aggregation, iperf, live, network, page, pings, process, run, scenario
from sluice_mininet import shares, sharing, switches, verdict
from tests import egresstrace, rfc8289, stratum


def subscriber(number=1, policy="gold", granted=None):
    each = scenario.Subscriber(number, policy, "cubic", granted)
    each.granted_bps = granted
    return each


class SharesTest(unittest.TestCase):
    def test_the_papers_figures(self):
        everyone = [(shares.GOLD, None)] * 2 + [(shares.SILVER, None)] * 8
        # 21.8 and 6.4 Mbit/s, and the same ratio on any faster line.
        rates = shares.divide(2 * 21.8e6 + 8 * 6.4e6, everyone)
        self.assertAlmostEqual(rates[0], 21.8e6, delta=10)
        self.assertAlmostEqual(rates[9], 6.4e6, delta=10)
        rates = shares.divide(1e9, everyone)
        self.assertAlmostEqual(rates[0] / rates[9], 21.8 / 6.4, delta=1e-6)
        # 488 and 400 kbit/s.
        everyone = [(shares.GOLD, None)] + [(shares.SILVER, None)] * 4
        rates = shares.divide(488e3 + 4 * 400e3, everyone)
        self.assertAlmostEqual(rates[0], 488e3, delta=1)
        self.assertAlmostEqual(rates[4], 400e3, delta=1)

    def test_what_one_leaves_goes_to_the_others(self):
        rates = shares.divide(10e6, [(shares.SILVER, 1e6), (shares.SILVER, None)])
        self.assertAlmostEqual(rates[0], 1e6)
        self.assertAlmostEqual(rates[1], 9e6, delta=1)

    def test_a_line_that_is_wide_enough_gives_everything(self):
        rates = shares.divide(10e6, [(shares.SILVER, 1e6), (shares.GOLD, 2e6)])
        self.assertEqual(rates, [1e6, 2e6])


class ScenarioTest(unittest.TestCase):
    def refusal(self, *texts):
        with self.assertRaises(scenario.OptionError) as raised:
            scenario.subscribers(texts, ["cubic", "bbr"], 1_000_000, 1_000_000_000)
        return str(raised.exception)

    def test_every_bad_subscriber_is_named(self):
        form = (
            "; allowed: POLICY:CONGESTION[:LIMIT] with gold or silver and one of bbr, cubic"
        )
        for text in ("bronze:cubic", "gold", "gold:vegas", "gold:cubic:", "gold:cubic:2m"):
            self.assertEqual(
                self.refusal("gold:cubic", text), "--subscriber is '%s'%s" % (text, form)
            )
        self.assertEqual(
            self.refusal("gold:cubic:1k", "gold:cubic"),
            "--subscriber is '1k'; allowed: a rate in bit/s, 1000000 to 1000000000, written like"
            " 400k, 2.5M or 1G",
        )
        self.assertEqual(
            self.refusal("gold:cubic"), "--subscriber is '1 times'; allowed: 2 to 200 times"
        )

    def test_steps_follow_from_who_is_there(self):
        everyone = scenario.subscribers(scenario.DEFAULT, ["cubic", "bbr"], 1, 10**9)
        titles = [step.title for step in scenario.steps(everyone)]
        self.assertEqual(
            titles, ["as declared", "sub5 becomes gold", "the limit of sub6 is lifted"]
        )

        class Api:
            def __init__(self):
                self.sent = []

            def put(self, path, body):
                self.sent.append(("PUT", path, body))
                return {"granted": {"downBps": 2_003_205}}

            def delete(self, path):
                self.sent.append(("DELETE", path))

        api = Api()
        scenario.declare(api, everyone)
        self.assertEqual(
            api.sent[-1],
            ("PUT", "/rate-limits/sub6", {"scope": {"subscriber": "sub6"}, "downBps": 2_000_000}),
        )
        self.assertEqual(everyone[5].granted_bps, 2_003_205)
        for step in scenario.steps(everyone):
            step.change(api)
        self.assertEqual(api.sent[-2][2]["policy"], "gold")
        self.assertEqual(api.sent[-1], ("DELETE", "/rate-limits/sub6"))
        self.assertIsNone(everyone[5].granted_bps)


class OptionsTest(unittest.TestCase):
    def refusal(self, *arguments):
        with mock.patch.object(switches.SimpleSwitchGrpc, "missing", return_value=""):
            with self.assertRaises(scenario.OptionError) as raised:
                run.Demo(demo.parse(arguments), "/nowhere")
        return str(raised.exception)

    def test_every_bad_option_is_named_before_anything_is_started(self):
        rates = "; allowed: a rate in bit/s, %d to %d, written like 400k, 2.5M or 1G"
        for arguments, text in (
            (["--switch", "ovs"], "--switch is 'ovs'; allowed: bmv2 or sluice or stratum-bmv2"),
            (["--rate", "1M"], "--rate is '1M'" + rates % (2_000_000, 200_000_000)),
            (
                ["--switch", "bmv2", "--rate", "40M"],
                "--rate is '40M'" + rates % (10_000_000, 30_000_000),
            ),
            (["--delay", "10"], "--delay is '10'; allowed: a time such as 10ms or 500us"),
            (
                ["--switch", "bmv2", "--delay", "1ms"],
                "--delay is '1ms'; allowed: nothing: bmv2 has none of its own",
            ),
            (["--streams", "65"], "--streams is '65'; allowed: 1 to 64"),
            (["--measure", "4"], "--measure is '4'; allowed: 5 to 3600"),
        ):
            self.assertEqual(self.refusal(*arguments), text)

    def test_a_switch_that_is_not_there_is_named(self):
        with mock.patch.object(switches.StratumBmv2, "missing", return_value="nothing of it"):
            with self.assertRaises(process.StartError) as raised:
                run.Demo(demo.parse(["--switch", "stratum-bmv2"]), "/nowhere")
        self.assertEqual(str(raised.exception), "--switch stratum-bmv2: nothing of it")


class VerdictTest(unittest.TestCase):
    def judge(self, measured, predicted=(6e6, 2e6, 2e6), granted=(None, None, 2e6)):
        everyone = [
            subscriber(1, "gold", granted[0]),
            subscriber(2, "silver", granted[1]),
            subscriber(3, "gold", granted[2]),
        ]
        rows = verdict.judge("now", everyone, list(predicted), list(measured), 10e6)
        return [row.ok for row in rows]

    def test_rows(self):
        # Three subscribers, the order of the two without a limit, the line.
        self.assertEqual(self.judge([6e6, 2e6, 2e6]), [True] * 5)
        self.assertEqual(self.judge([6.59e6, 1.81e6, 2.03e6]), [True] * 5)
        self.assertEqual(self.judge([6.61e6, 2e6, 2e6])[0], False)
        self.assertEqual(self.judge([6e6, 1.79e6, 2e6])[1], False)
        self.assertEqual(self.judge([6e6, 2e6, 2.05e6])[2], False)
        self.assertEqual(self.judge([6e6, 2e6, 1.95e6])[2], False)
        self.assertEqual(self.judge([2e6, 2e6, 2e6])[3], False)
        self.assertEqual(self.judge([5.5e6, 1.9e6, 2e6])[4], False)

    def test_a_limit_above_the_share_has_the_shares_bound(self):
        self.assertEqual(
            self.judge([6e6, 2e6, 2.1e6], predicted=(6e6, 2e6, 2e6), granted=(None, None, 9e6))[2],
            True,
        )

    def test_a_policys_subscribers_are_also_judged_together(self):
        everyone = [subscriber(1), subscriber(2), subscriber(3, "silver")]
        predicted = [4e6, 4e6, 2e6]
        rows = verdict.judge("now", everyone, predicted, [3e6, 5e6, 2e6], 10e6, verdict.BMV2)
        self.assertEqual([row.ok for row in rows], [True] * 6)
        self.assertEqual(rows[3].what, "all gold without a limit")
        self.assertEqual((rows[3].expected, rows[3].measured), (8e6, 8e6))
        rows = verdict.judge("now", everyone, predicted, [2.8e6, 2.9e6, 2.7e6], 10e6, verdict.BMV2)
        self.assertEqual([row.ok for row in rows], [True, True, True, False, True, False])

    def test_on_bmv2_gold_and_silver_are_compared_with_the_same_congestion_control(self):
        everyone = [subscriber(1), subscriber(2), subscriber(3, "silver"), subscriber(4, "silver")]
        for each in (everyone[1], everyone[3]):
            each.congestion = "bbr"
        rates = [2.6e6, 4.7e6, 1.8e6, 2.8e6]
        predicted = [4.1e6, 4.1e6, 1.9e6, 1.9e6]
        ordered = [
            (row.what, row.ok)
            for row in verdict.judge("now", everyone, predicted, rates, 12e6, verdict.BMV2)
            if "before" in row.what
        ]
        self.assertEqual(
            ordered,
            [
                ("least gold before most silver, bbr", True),
                ("least gold before most silver, cubic", True),
            ],
        )
        rows = verdict.judge("now", everyone, predicted, rates, 12e6)
        self.assertEqual(
            [(row.what, row.ok) for row in rows if "before" in row.what],
            [("least gold before most silver", False)],
        )

    def test_what_was_not_measured_has_not_passed(self):
        everyone = [subscriber(1, "gold"), subscriber(2, "silver")]
        rows = verdict.unmeasured("now", everyone, [6e6, 4e6], 10e6)
        self.assertEqual([row.ok for row in rows], [None] * 4)
        self.assertEqual([row.measured for row in rows], [None] * 4)
        self.assertEqual([row.expected for row in rows], [6e6, 4e6, 4e6, 10e6])
        good = verdict.Row("", "", 1, 1, 0, True)
        bad = verdict.Row("", "", 1, 2, 0, False)
        self.assertEqual(verdict.exit_code([good]), 0)
        self.assertEqual(verdict.exit_code([good, bad]), 1)
        self.assertEqual(verdict.exit_code(rows + [bad]), 1)
        self.assertEqual(verdict.exit_code(rows + [good]), 3)
        self.assertEqual(verdict.exit_code([]), 1)


class SharingTest(unittest.TestCase):
    def test_every_bad_option_is_named_before_anything_is_started(self):
        form = "POLICY@BNG:RATE with gold or silver, BNG 1 or 2, such as gold@1:4M"
        for arguments, text in (
            (["--switch", "ovs"], "--switch is 'ovs'; allowed: bmv2 or sluice or stratum-bmv2"),
            (["--settle", "0"], "--settle is '0'; allowed: 1 to 600"),
            (["--subscriber", "gold@3:1M"], "--subscriber is 'gold@3:1M'; allowed: " + form),
            (["--subscriber", "gold@1:4M"], "--subscriber is '1 times'; allowed: 2 to 50 times"),
            (
                ["--subscriber", "gold@1:1k"],
                "--subscriber is '1k'; allowed: a rate in bit/s, 100000 to 100000000, written like"
                " 400k, 2.5M or 1G",
            ),
        ):
            with self.assertRaises(scenario.OptionError) as raised:
                sharing.Sharing(two_bng.parse(arguments), "/nowhere")
            self.assertEqual(str(raised.exception), text)

    def test_subscribers_share_by_policy_whatever_switch_they_are_behind(self):
        everyone = sharing.senders(sharing.DEFAULT)
        rates = sharing.predict(everyone, 10_000_000)
        self.assertAlmostEqual(sum(rates), 1e7, delta=10)
        self.assertEqual(rates[2], 500_000)
        self.assertEqual(rates[0], rates[3])
        self.assertEqual(rates[1], rates[5])
        self.assertGreater(rates[0], 1.5 * rates[1])
        rows = sharing.judge("now", everyone, rates, rates, 10_000_000)
        self.assertTrue(all(row.ok for row in rows))
        # What a line without values would make of it.
        alike = [10e6 * each.offered_bps / 20.5e6 for each in everyone]
        rows = sharing.judge("now", everyone, rates, alike, 10_000_000)
        self.assertEqual([row.ok for row in rows][:6], [False] * 6)

    def test_the_controller_is_told_of_the_trunks(self):
        each = types.SimpleNamespace(profile="bmv2", device_id=1, grpc_port=50_001)
        names = (*aggregation.BNGS, aggregation.AGGREGATION)
        document = aggregation.controller_network(dict.fromkeys(names, each), 10_000_000)
        first, second, upper = [switch["topology"] for switch in document["switches"]]
        self.assertEqual(first["trunks"], [{"port": 2, "toSwitch": "sl3", "toPort": 1}])
        self.assertEqual(second["trunks"], [{"port": 2, "toSwitch": "sl3", "toPort": 2}])
        dropping = [port["number"] for port in upper["ports"] if port["valueDropping"]]
        self.assertEqual(dropping, [aggregation.BOTTLENECK_PORT])
        self.assertEqual(upper["bngPorts"], {})


class CodelReferenceTest(unittest.TestCase):
    def drops(self, kind, delays, gap=1_000):
        reference = rfc8289.REFERENCES[kind](5_000, 100_000)
        times = [1_000_000 + gap * index for index in range(len(delays))]
        return [
            now - 1_000_000 for now, delay in zip(times, delays) if reference.drops(now, delay, False)
        ]

    def test_drops_come_as_the_rfc_has_it(self):
        delays = [9_000] * 300
        # 100 ms, then 100 and 70.7 ms later, at the next packet; as the weight of a count is a whole
        # number, 100.006 ms.
        self.assertEqual(self.drops("rfc8289", delays)[:3], [100_000, 201_000, 271_000])
        # It waits 100 / sqrt(2) ms after the first, and keeps the count's power of two.
        self.assertEqual(self.drops("p4-codel", delays)[:3], [100_000, 171_000, 242_000])
        self.assertEqual(self.drops("rfc8289", [4_999] * 300), [])
        self.assertEqual(self.drops("rfc8289", [9_000] * 90 + [0] + [9_000] * 90), [])

    def test_a_cycle_soon_after_another_begins_with_its_pace(self):
        delays = [9_000] * 1_000 + [0] * 10 + [9_000] * 300
        found = self.drops("rfc8289", delays)
        again = [at for at in found if at > 1_010_000]
        self.assertLess(again[1] - again[0], 50_000)
        # The split state has to be told of the end by a mirrored packet.
        again = [at for at in self.drops("codel-act", delays) if at > 1_010_000]
        self.assertGreater(again[1] - again[0], 90_000)
        reference = rfc8289.CodelAct(5_000, 100_000)
        told = []
        for index, delay in enumerate(delays):
            if reference.drops(1_000_000 + 1_000 * index, delay, False):
                told.append(1_000 * index)
            if delay == 0 and reference.under_way:
                reference.mirrored_end()
        again = [at for at in told if at > 1_010_000]
        self.assertLess(again[1] - again[0], 50_000)

    def test_roots_are_as_near_as_the_page_says(self):
        for interval in (5_000, 100_000, 1_000_000):
            for count in range(1, 1_000):
                weighted = count * rfc8289.weight(interval)
                exact = rfc8289.exact_step(weighted)
                self.assertAlmostEqual(rfc8289.math_unit_step(weighted) / exact, 1, delta=0.06)
            for count in (*range(1, 1_000), 6_103, 6_104, 17_759, 1 << 20, 7_100_000, (1 << 32) - 1):
                weighted = count * rfc8289.weight(interval)
                exact = rfc8289.SCALE / math.sqrt(weighted)
                newton = rfc8289.newton_step(weighted)
                self.assertTrue(0.9999 * exact - 1 <= newton <= exact, (interval, count))

    def test_a_queues_packets_are_read_from_bmv2s_trace(self):
        begin = "[11:23:09.205] [bmv2] [T] [thread 7664] [%s] [cxt 0] "
        written = begin + "Wrote register '%s' at index %d with value %d"
        short = begin + 'sluice.p4(108) Condition "standard_metadata.deq_qdepth <= 1" (node_162) is %s'
        counted = begin + "Updated counter 'SluiceEgress.aqm_verdict.aqm_events' at index %d"
        lines = []
        for packet, port, delay, now in (("7.0", 1, 6_000, 10), ("8.0", 2, 1, 11), ("9.0", 1, 2, 12)):
            lines.append(written % (packet, "queue_delay_micros", port, delay))
            lines.append(written % (packet, "queue_delay_time", port, now))
            lines.append(written % (packet, "queue_delay_target", port, 5_000))
            lines.append(short % (packet, "true" if packet == "9.0" else "false"))
        lines.insert(4, counted % ("7.0", 32))
        lines.append(written % ("9.1", "SluiceEgress.codel_act.history.last_count", 8, 3))
        lines.append(counted % ("9.1", 35))
        (first, second, end), events = egresstrace.read(lines, 1)
        self.assertEqual(
            vars(first),
            {"sojourn": 6_000, "now": 10, "target": 5_000, "short": False, "event": "dropped"},
        )
        self.assertEqual((second.sojourn, second.short, second.event), (2, True, None))
        self.assertIsInstance(end, egresstrace.MirroredEnd)
        self.assertEqual(events, {"dropped": 1, "marked": 0, "cycle": 0, "mirrored": 1})
        with self.assertRaises(ValueError):
            egresstrace.read(["something else"], 1)


class PartsTest(unittest.TestCase):
    def test_intervals_of_all_streams_are_read_from_iperf3(self):
        single = "[  5]   3.00-4.00   sec   512 KBytes  4194 Kbits/sec"
        total = "[SUM]   3.00-4.00   sec  1.02 MBytes  8559 Kbits/sec"
        end = "[SUM]   0.00-10.03  sec  24.4 MBytes  20400 Kbits/sec                  receiver"
        self.assertEqual(iperf.interval(single, 1), (3.0, 4.0, 4_194_000.0))
        self.assertIsNone(iperf.interval(single, 2))
        self.assertEqual(iperf.interval(total, 2), (3.0, 4.0, 8_559_000.0))
        self.assertIsNone(iperf.interval(end, 2))
        self.assertIsNone(iperf.interval("- - - - - - -", 1))

    def test_pings_are_summed_up(self):
        lines = ["PING 10.255.0.2 (10.255.0.2) 56(84) bytes of data."]
        answer = "64 bytes from 10.255.0.2: icmp_seq=%d ttl=62 time=%s ms"
        lines += [answer % (number, "%.1f" % (20 + number)) for number in range(1, 150)]
        lines += [answer % (149, "1999") + " (DUP!)", answer % (150, "400")]
        lines.append("From 10.0.6.254 icmp_seq=151 Destination Net Unreachable")
        found = pings.Delays("sub6 at 2 Mbit/s, with AQM", 152, pings.answers(lines))
        self.assertEqual(
            found.text(),
            "sub6 at 2 Mbit/s, with AQM: mean 97.0 ms, 99th percentile 169.0 ms,"
            " 150 of 152 pings answered",
        )
        none = pings.Delays("x", 3, [])
        self.assertEqual(none.text(), "x: 0 of 3 pings answered")
        self.assertIsNone(none.as_dict()["p99Millis"])

    def test_the_switch_shapes_for_the_pings_and_bloat_is_a_policy_of_the_same_curve(self):
        api = mock.Mock()
        someone = scenario.subscribers(["gold:cubic", "silver:bbr:2M"], ["cubic", "bbr"], 1, 10**9)[1]
        scenario.shape(api, someone, 2_000_000)
        scenario.bloat(api, someone)
        limit, policy, subscriber = [call.args for call in api.put.call_args_list]
        self.assertEqual(limit[1]["enforcement"], "shape")
        self.assertEqual(
            policy,
            (
                "/policies/silver-bloat",
                {
                    "throughputValue": {"builtIn": "silver"},
                    "limitAqm": {"kind": "none"},
                    "flows": "as-they-come",
                },
            ),
        )
        self.assertEqual(subscriber[1]["policy"], "silver-bloat")
        self.assertEqual(someone.policy, "silver")
        self.assertEqual(scenario.loop_bps(2_000_000), 40_000_000)

    def test_the_chart_has_a_line_for_each_and_escapes_what_it_is_given(self):
        svg = page.chart(
            [(0.0, [1e6, 2e6]), (1.0, [1e6, 2e6])], [("a < b", 0.0, 1.0, [1e6, 2e6])], ["x&y", "z"]
        )
        self.assertEqual(svg.count("<polyline"), 2)
        self.assertEqual(svg.count("stroke-dasharray"), 2)
        self.assertIn("a &lt; b", svg)
        self.assertIn("x&amp;y", svg)

    def test_the_controller_is_told_how_the_switch_is_cabled(self):
        with_fpga = network.controller_topology(20_000_000)
        self.assertEqual([port["number"] for port in with_fpga["ports"]], [1, 2, 3, 4])
        self.assertEqual(with_fpga["ports"][0]["rateBps"], 20_000_000)
        self.assertNotIn("loopPorts", with_fpga)
        loops = network.controller_topology(20_000_000, loops=True)["loopPorts"]
        self.assertEqual(loops, [505, 506, 507, 508])
        without = network.controller_topology(1_000_000, fpga=False, value_dropping=False)
        self.assertEqual([port["role"] for port in without["ports"]], ["access", "core"])
        self.assertFalse(without["ports"][0]["valueDropping"])

    def test_stratum_is_told_of_every_interface(self):
        switch = switches.StratumBmv2.__new__(switches.StratumBmv2)
        switch.name = "s1"
        switch.device_id = 1
        switch.grpc_port = 50_001
        switch.initial_pipeline = "/etc/stratum/dummy.json"
        switch.intfs = {
            0: types.SimpleNamespace(name="lo"),
            1: types.SimpleNamespace(name="s1-eth1"),
            3: types.SimpleNamespace(name="s1-eth3"),
        }
        self.assertEqual(
            switch.chassis_config(),
            'description: "s1 in Mininet"\nchassis {\n  platform: PLT_P4_SOFT_SWITCH\n'
            '  name: "s1"\n}\nnodes {\n  id: 1\n  slot: 1\n  index: 1\n}\n'
            + "".join(
                'singleton_ports {\n  id: %d\n  name: "s1-eth%d"\n  slot: 1\n  port: %d\n'
                "  channel: 1\n  speed_bps: 10000000000\n  config_params {\n"
                "    admin_state: ADMIN_STATE_ENABLED\n  }\n  node: 1\n}\n" % (port, port, port)
                for port in (1, 3)
            ),
        )
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "chassis_config.pb.txt"), "w", encoding="utf-8") as out:
                out.write(switch.chassis_config())
            given = stratum.flags(switch.command(folder)[1:])
            self.assertEqual(stratum.chassis(given), (1, [(1, "s1-eth1"), (3, "s1-eth3")]))
            self.assertEqual(given["external_stratum_urls"], "127.0.0.1:50001")
            self.assertEqual(given["initial_pipeline"], "/etc/stratum/dummy.json")
            self.assertTrue(given["forwarding_pipeline_configs_file"].startswith(folder))
            self.assertEqual(given["write_req_log_file"], "")

    def test_what_stratum_would_not_take_is_refused_by_its_double(self):
        for arguments, complaint in (
            (["-device=1"], "unknown command line flag 'device'"),
            (["--device_id=x"], "illegal value 'x' specified for uint32 flag 'device_id'"),
            (["-cpu_port"], "flag 'cpu_port' is missing its argument"),
            (["-bmv2_log_level=loud"], "invalid value loud for -bmv2_log_level"),
            (["-persistent_config_dir="], "persistent_config_dir flag needs to be explicitly given"),
            (["1@veth1"], "ignoring extraneous non-option argument: 1@veth1"),
        ):
            with self.assertRaises(stratum.Complaint) as raised:
                stratum.flags(arguments)
            self.assertEqual(str(raised.exception), complaint)
        for text, complaint in (
            ("port { }", 'message type "ChassisConfig" has no field named "port"'),
            ("chassis { platform: PLT_SOFT }", "PLT_SOFT is no value of platform"),
            ("singleton_ports { id: -1 }", "-1 is no value of id"),
            ("nodes { id: 1 id: 2 }", 'non-repeated field "id" is specified multiple times'),
            ("nodes { id: 1", "expected '}' at the end of nodes"),
        ):
            with self.assertRaises(stratum.Complaint) as raised:
                stratum.message(text)
            self.assertEqual(str(raised.exception), complaint)

    def test_a_bar_marks_where_a_rate_should_be(self):
        self.assertEqual(live.bar(5e6, 10e6, 20e6, 8), "##  |   ")
        self.assertEqual(live.bar(20e6, 10e6, 20e6, 8), "####|###")
        self.assertEqual(live.bar(0, None, 20e6, 8), " " * 8)
        self.assertEqual(live.bar(20e6, 20e6, 20e6, 8), "#######|")

    def test_a_file_gets_a_table_every_few_seconds_and_whenever_something_changes(self):
        out = io.StringIO()
        screen = live.Screen(out)
        for when in range(12):
            screen.show(when, "a" if when < 8 else "b", ["at %d" % when])
        self.assertEqual(out.getvalue().split(), "at 0 at 5 at 8".split())

    def test_a_terminal_is_drawn_over(self):
        out = io.StringIO()
        out.isatty = lambda: True
        screen = live.Screen(out)
        screen.show(0, "a", ["1", "2"])
        screen.show(1, "a", ["3", "4"])
        screen.say("changed")
        screen.show(2, "a", ["5", "6"])
        self.assertEqual(
            out.getvalue(), "1\n2\n\x1b[2A\x1b[J3\n4\nsluice mininet: changed\n5\n6\n"
        )


if __name__ == "__main__":
    unittest.main()
