"""Whether what was measured is what was declared, and whether the machine was fast enough to tell.

Bounds. A limit is kept by a shaper: 2 %, which is what a measurement of some seconds at a bucket of
2,000 bytes and frames of 1,514 can tell. A share is sought by TCP: a window of few packets swings
by some of them, which costs Cubic about 5 % at the default rates and gives it to BBR; 10 %. The
line is to be full: 95 %. Gold is to be before silver without any allowance.
"""

SHARE_BOUND = 0.10
LIMIT_BOUND = 0.02
FULL = 0.95

# A machine that stands still for longer than packets wait in the queue leaves the line empty.
STANDSTILL_MICROS = 20_000
OVERSLEPT_SECONDS = 0.25


class Row:
    """One comparison."""

    def __init__(self, step, what, expected, measured, bound, ok):
        self.step = step
        self.what = what
        self.expected = expected
        self.measured = measured
        self.bound = bound
        self.ok = ok

    def as_dict(self):
        return dict(self.__dict__)


def judge(step, everyone, predicted, measured, bottleneck_bps):
    """The rows of one step; rates in bit/s, in the order of the subscribers."""
    rows = []
    for each, want, got in zip(everyone, predicted, measured):
        limited = each.granted_bps is not None and each.granted_bps <= want * 1.000001
        bound = LIMIT_BOUND if limited else SHARE_BOUND
        what = "%s, %s, %s%s" % (
            each.name,
            each.policy,
            each.congestion,
            ", limited" if limited else "",
        )
        rows.append(Row(step, what, want, got, bound, abs(got - want) <= bound * want))
    free = [
        (each.policy, got) for each, got in zip(everyone, measured) if each.granted_bps is None
    ]
    gold = [got for policy, got in free if policy == "gold"]
    silver = [got for policy, got in free if policy == "silver"]
    if gold and silver:
        rows.append(
            Row(step, "least gold before most silver", max(silver), min(gold), 0.0,
                min(gold) > max(silver))
        )
    total = sum(measured)
    want = min(bottleneck_bps, sum(predicted))
    rows.append(Row(step, "the line is full", want, total, 1 - FULL, total >= FULL * want))
    return rows


def slowness(reports, overslept_seconds):
    """Why the machine was too slow for this, in words; empty if it was not.

    reports: of switch and FPGAs
    overslept_seconds: how much later than asked for the demo was woken, at most
    """
    reasons = []
    for report in reports:
        ports = report.get("ports", []) + report.get("fpgas", [])
        for port in ports:
            if port["lostBefore"]:
                reasons.append(
                    "%s lost %d packets before they were taken"
                    % (port["name"], port["lostBefore"])
                )
        late = report["lateness"]["maxMicros"]
        if late > STANDSTILL_MICROS:
            reasons.append("%s stood still for %.0f ms once" % (ports[0]["name"], late / 1e3))
    if overslept_seconds > OVERSLEPT_SECONDS:
        reasons.append("the demo was woken %.2f s late" % overslept_seconds)
    return reasons


def exit_code(rows, slow):
    """0 all as declared, 1 not so, 3 not so but the machine was too slow to tell."""
    if rows and all(row.ok for row in rows):
        return 0
    return 3 if slow else 1
