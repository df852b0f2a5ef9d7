"""Whether the machine kept up with the network, second by second, by what does not depend on the
result: what switch and FPGAs report of themselves, how long a switch that reports nothing waited
for a processor, stolen processor time, and how long it took to read the counters.

A second in which it did not, and the one after it, in which queues and senders recover, are not
measured.
"""

import json
import os
import time

# Of one second: how long switch or FPGAs may have been behind by more than packets are meant to
# wait in a queue, altogether. The line runs empty meanwhile.
STANDSTILL_MICROS = 40_000
# Reading a counter takes a moment, which is uncertain in what it says of a second.
READING_SECONDS = 0.1
STOLEN = 0.05
# How much of a second a thread that was ready to run may have waited for a processor.
WAITED = 0.1


class Reading:
    """What the machine says of itself at a moment.

    reports: of switch and FPGAs, {file: report}; None where there is none yet
    written: when the oldest of them was written, seconds since the epoch
    stolen, ticks: processor time that a hypervisor kept, and all there was, clock ticks
    waited: how long each thread of a process has waited for a processor, {thread: nanoseconds}
    """

    def __init__(self, reports, written, stolen, ticks, waited=None, at=0.0):
        self.reports = reports
        self.written = written
        self.stolen = stolen
        self.ticks = ticks
        self.waited = waited or {}
        self.at = at


def read(files, proc_stat="/proc/stat", tasks=()):
    """Reads the reports, which are replaced four times a second, and the processors' times.

    tasks: the folders below /proc of the threads of processes
    """
    reports, written = {}, None
    for name in files:
        try:
            with open(name, encoding="utf-8") as text:
                at = os.fstat(text.fileno()).st_mtime
                reports[name] = json.load(text)
        except FileNotFoundError:
            reports[name], at = None, 0.0
        written = at if written is None else min(written, at)
    with open(proc_stat, encoding="ascii") as stat:
        # user nice system idle iowait irq softirq steal; guests are in user
        times = [int(field) for field in stat.readline().split()[1:9]]
    return Reading(
        reports, written, times[7], sum(times), _waited(tasks), time.monotonic()
    )


def _waited(tasks):
    waited = {}
    for folder in tasks:
        for thread in os.listdir(folder):
            try:
                with open(os.path.join(folder, thread, "schedstat"), encoding="ascii") as stat:
                    # nanoseconds on a processor, nanoseconds waiting for one, times on one
                    waited[thread] = int(stat.read().split()[1])
            except FileNotFoundError:
                # The thread has ended, or the kernel does not count.
                continue
    return waited


def faults(before, after, ended):
    """Why a second is not measured, in words; empty if it is.

    before: the last reading before it began
    after: the first one after it ended
    ended: when it ended, seconds since the epoch
    """
    found = []
    for name, report in after.reports.items():
        was = before.reports[name]
        if report is None or was is None or after.written <= ended:
            # The oldest report tells of the time that all of them cover.
            found.append("no report of %s" % os.path.basename(name))
            continue
        lost = _lost(report) - _lost(was)
        if lost:
            found.append("%s lost packets" % _title(report))
        late = report["schedulingDelay"]["standstillMicros"] - was["schedulingDelay"]["standstillMicros"]
        if late > STANDSTILL_MICROS:
            found.append("%s stood still" % _title(report))
    for thread, nanos in after.waited.items():
        elapsed = after.at - before.at
        if (nanos - before.waited.get(thread, 0)) / 1e9 > WAITED * elapsed:
            found.append("the switch waited for a processor")
            break
    ticks = after.ticks - before.ticks
    if ticks and (after.stolen - before.stolen) / ticks > STOLEN:
        found.append("processor time was stolen")
    return found


def stood_still(before, after):
    """Seconds for which switch or FPGAs stood still between two readings, or a thread of what reports
    nothing waited beyond what it may; the longest of them."""
    found = [0.0]
    for name, report in after.reports.items():
        was = before.reports[name]
        if report and was:
            late = report["schedulingDelay"]["standstillMicros"]
            found.append((late - was["schedulingDelay"]["standstillMicros"]) / 1e6)
    may = WAITED * (after.at - before.at)
    for thread, nanos in after.waited.items():
        found.append((nanos - before.waited.get(thread, 0)) / 1e9 - may)
    return max(found)


def _title(report):
    return "the switch" if "ports" in report else "the FPGAs"


def _lost(report):
    """Packets that arrived and found the kernel's receive buffer full."""
    return sum(each["lostBefore"] for each in report.get("ports", []) + report.get("fpgas", []))


def wall():
    """Now, as the files' times have it."""
    return time.time()
