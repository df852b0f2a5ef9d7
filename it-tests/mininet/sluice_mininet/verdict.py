"""Whether what was measured is what was declared.

Bounds. A limit is kept by a shaper: 2 %, which is what a measurement of some seconds at a bucket of
2,000 bytes and frames of 1,514 can tell. A share is sought by TCP: a window of few packets swings
by some of them, which costs Cubic about 5 % at the default rates and gives it to BBR; 10 %, also
for all of a policy together. The line is to be full: 95 %. Gold is to be before silver without any
allowance.

On bmv2 packets wait for 77 ms more behind the queue (switches.V1modelSwitch). BBR, which keeps a model
of the path, then fills its share, and Cubic, which answers each loss, does not, nor does a single
flow fill a limit: 45 % for one subscriber, 25 % for a policy, 5 % for a limit, and gold before
silver among those with the same congestion control.

A step is judged once, on what was measured while the machine kept up. Where there was too little of
that, it is not measured, which is neither.
"""

FULL = 0.95
_WORDS = {True: "ok", False: "NO", None: "not measured"}


class Bounds:
    """How far from what it should be a share, a policy's share and a limited rate may be.

    across: whether gold is before silver whatever congestion control each has
    """

    def __init__(self, share, policy, limit, across):
        self.share = share
        self.policy = policy
        self.limit = limit
        self.across = across


DEFAULT = Bounds(0.10, 0.10, 0.02, across=True)
BMV2 = Bounds(0.45, 0.25, 0.05, across=False)
# In a wire no FPGA shapes for bmv2: its meters police, and TCP stays below a limit; whom that leaves
# something gets it.
POLICED_ON_BMV2 = Bounds(0.60, 0.25, 0.15, across=False)


class Row:
    """One comparison; `measured` and `ok` are None if it was not measured."""

    def __init__(self, step, what, expected, measured, bound, ok):
        self.step = step
        self.what = what
        self.expected = expected
        self.measured = measured
        self.bound = bound
        self.ok = ok

    def as_dict(self):
        return dict(self.__dict__)

    def cells(self):
        """What was expected, what was measured, and how far from that it may be, with units."""
        measured = "not measured" if self.ok is None else "%.3f" % (self.measured / 1e6)
        return "%.3f" % (self.expected / 1e6), measured, "Mbit/s", "%g %%" % round(100 * self.bound, 3)

    def line(self):
        expected, measured, unit, bound = self.cells()
        figures = measured
        if self.ok is not None:
            figures = "measured %8s %s  within %6s  %s" % (measured, unit, bound, _WORDS[self.ok])
        return "%-34s %-38s expected %8s  %s" % (self.step, self.what, expected, figures)


class Fact(Row):
    """A comparison of something else than a rate; `bound` are words, or nothing if it is to be so."""

    def __init__(self, step, what, expected, measured, ok=None, bound=""):
        super().__init__(step, what, expected, measured, bound, expected == measured if ok is None else ok)

    def cells(self):
        return str(self.expected), str(self.measured), "", self.bound

    def line(self):
        return "%-34s %-38s expected %8s  measured %8s  %s" % (
            self.step, self.what, " ".join(filter(None, [self.bound, str(self.expected)])),
            self.measured, _WORDS[self.ok],
        )


def judge(step, everyone, predicted, measured, bottleneck_bps, bounds=DEFAULT):
    """The rows of one step; rates in bit/s, in the order of the subscribers."""
    rows = []
    for each, want, got in zip(everyone, predicted, measured):
        limited = each.granted_bps is not None and each.granted_bps <= want * 1.000001
        bound = bounds.limit if limited else bounds.share
        what = "%s, %s, %s%s" % (
            each.name,
            each.policy,
            each.congestion,
            ", limited" if limited else "",
        )
        rows.append(Row(step, what, want, got, bound, abs(got - want) <= bound * want))
    free = [
        (each, want, got)
        for each, want, got in zip(everyone, predicted, measured)
        if each.granted_bps is None
    ]
    for policy in ("gold", "silver"):
        of = [(want, got) for each, want, got in free if each.policy == policy]
        if len(of) > 1:
            want, got = sum(pair[0] for pair in of), sum(pair[1] for pair in of)
            what = "all %s without a limit" % policy
            ok = abs(got - want) <= bounds.policy * want
            rows.append(Row(step, what, want, got, bounds.policy, ok))
    kinds = [""] if bounds.across else sorted({each.congestion for each, _, _ in free})
    for kind in kinds:
        gold, silver = (
            [got for each, _, got in free if each.policy == policy and kind in ("", each.congestion)]
            for policy in ("gold", "silver")
        )
        if gold and silver:
            what = "least gold before most silver" + (kind and ", " + kind)
            rows.append(Row(step, what, max(silver), min(gold), 0.0, min(gold) > max(silver)))
    total = sum(measured)
    want = min(bottleneck_bps, sum(predicted))
    rows.append(Row(step, "the line is full", want, total, 1 - FULL, total >= FULL * want))
    return rows


def unmeasured(step, everyone, predicted, bottleneck_bps, bounds=DEFAULT):
    """The rows of a step that was not measured."""
    return [
        Row(row.step, row.what, row.expected, None, row.bound, None)
        for row in judge(step, everyone, predicted, predicted, bottleneck_bps, bounds)
    ]


def exit_code(rows):
    """0 all as declared, 1 not so, 3 as far as it was measured."""
    if not rows or any(row.ok is False for row in rows):
        return 1
    return 0 if all(row.ok for row in rows) else 3
