"""Which seconds count."""

import json
import os
import tempfile
import unittest

from tests import needs

needs.mininet()

# pylint: disable=wrong-import-position
from sluice_mininet import machine, result, slots


def report(lost=0, standstill=0, kind="ports"):
    return {
        kind: [{"name": "x", "lostBefore": lost}, {"name": "y", "lostBefore": 0}],
        "schedulingDelay": {"standstillMicros": standstill},
    }


def reading(written, stolen=0, ticks=0, switch=None, fpga=None):
    reports = {"/run/switch.json": switch or report(), "/run/fpga.json": fpga or report(kind="fpgas")}
    return machine.Reading(reports, written, stolen, ticks)


class MachineTest(unittest.TestCase):
    def faults(self, before, after, ended=10.0):
        return machine.faults(before, after, ended)

    def test_a_machine_that_keeps_up_has_no_faults(self):
        before = reading(9.0, switch=report(7, 500_000))
        self.assertEqual(self.faults(before, reading(10.1, switch=report(7, 540_000))), [])

    def test_each_fault_is_named(self):
        before = reading(9.0)
        for after, fault in (
            (reading(10.1, switch=report(lost=1)), "the switch lost packets"),
            (reading(10.1, fpga=report(lost=1, kind="fpgas")), "the FPGAs lost packets"),
            (reading(10.1, switch=report(standstill=40_001)), "the switch stood still"),
            (reading(10.1, stolen=6, ticks=100), "processor time was stolen"),
        ):
            self.assertEqual(self.faults(before, after), [fault])
        self.assertEqual(self.faults(before, reading(10.1, stolen=5, ticks=100)), [])

    def test_a_switch_that_waits_for_a_processor_does_not_keep_up(self):
        before, after = reading(9.0), reading(10.1)
        before.at, after.at = 100.0, 102.0
        before.waited = {"7": 5_000_000_000, "8": 0}
        after.waited = {"7": 5_200_000_000, "8": 0, "9": 1}
        self.assertEqual(self.faults(before, after), [])
        after.waited["8"] = 200_000_001
        self.assertEqual(self.faults(before, after), ["the switch waited for a processor"])

    def test_a_second_without_a_report_after_it_does_not_count(self):
        late = reading(10.0)
        self.assertEqual(
            self.faults(reading(9.0), late), ["no report of switch.json", "no report of fpga.json"]
        )
        none = reading(10.1)
        none.reports["/run/switch.json"] = None
        self.assertEqual(self.faults(reading(9.0), none), ["no report of switch.json"])

    def test_reports_and_processor_times_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            there, missing = os.path.join(folder, "a"), os.path.join(folder, "b")
            with open(there, "w", encoding="utf-8") as out:
                json.dump(report(3), out)
            os.utime(there, (5, 5))
            stat = os.path.join(folder, "stat")
            with open(stat, "w", encoding="ascii") as out:
                out.write("cpu  10 1 20 300 4 5 6 7 99 99\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
            found = machine.read([there], stat)
            self.assertEqual(found.reports[there]["ports"][0]["lostBefore"], 3)
            self.assertEqual((found.written, found.stolen, found.ticks), (5, 7, 353))
            thread = os.path.join(folder, "task", "12")
            os.makedirs(thread)
            os.makedirs(os.path.join(folder, "task", "13"))
            with open(os.path.join(thread, "schedstat"), "w", encoding="ascii") as out:
                out.write("1000 77 3\n")
            self.assertEqual(
                machine.read([], stat, [os.path.join(folder, "task")]).waited, {"12": 77}
            )
            found = machine.read([there, missing], stat)
            self.assertIsNone(found.reports[missing])
            self.assertEqual(found.written, 0)


class SlotsTest(unittest.TestCase):
    def run_of(self, standstills, took=0.01):
        """Slots of one second each, 1,000 bytes in the first, 2,000 in the second and so on."""
        found = slots.Slots()
        total, count = 0, 0
        for second, standstill in enumerate([0] + standstills + [0]):
            total += standstill
            count += 1_000 * second
            state = reading(100.0 + second + 0.5, switch=report(standstill=total))
            found.add(slots.Sample([(float(second), count)], took, state, 100.0 + second))
        return found

    def test_all_seconds_of_a_machine_that_keeps_up_count(self):
        found = self.run_of([0, 0, 0])
        self.assertEqual(len(found.counted()), 3)
        self.assertEqual(found.rates(), [8 * 2_000])
        self.assertEqual(found.reasons(), {})
        self.assertEqual((found.judged[0].first, found.judged[-1].last), (0.0, 3.0))

    def test_a_standstill_costs_its_second_its_neighbour_and_one_to_recover(self):
        # It is seen between two readings, which may belong to either of two seconds.
        found = self.run_of([0, 0, 90_000, 0, 0, 0])
        self.assertEqual(
            [slot.faults for slot in found.judged],
            [[], ["the switch stood still"], ["the switch stood still"], ["recovering"], [], []],
        )
        self.assertEqual(found.rates(), [8 * (1_000 + 5_000 + 6_000) / 3])
        self.assertEqual(found.reasons(), {"the switch stood still": 2, "recovering": 1})

    def test_slow_readings_do_not_count(self):
        found = self.run_of([0, 0], took=0.2)
        self.assertEqual(found.counted(), [])
        self.assertIsNone(found.rates())

    def test_what_does_not_count_is_told(self):
        step = result.Measured("now", 0.0, 9.0, [], [], [], (4, 9), {"recovering": 5})
        self.assertEqual(
            step.remark(), "now: 4 of 9 seconds count; not the others: recovering (5)"
        )
        self.assertEqual(
            result.Measured("now", 0.0, 9.0, [], [], [], (9, 9), {}).remark(), ""
        )


if __name__ == "__main__":
    unittest.main()
