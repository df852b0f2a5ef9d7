"""Whether what was measured is what was declared.

Bounds. A limit is kept by a shaper: 2 %, which is what a measurement of some seconds at a bucket of
2,000 bytes and frames of 1,514 can tell. A share is sought by TCP: a window of few packets swings
by some of them, which costs Cubic about 5 % at the default rates and gives it to BBR; 10 %, also
for all of a policy together. The line is to be full: 95 %. Gold is to be before silver without any
allowance.

On bmv2 packets wait for 77 ms more behind the queue (switches.Bmv2Switch). BBR, which keeps a model
of the path, and Cubic, which answers each loss, then get different parts of what their policy gets,
and neither keeps a limit filled: 40 % for one subscriber, 20 % for a policy, 5 % for a limit.

A step is judged once, on what was measured while the machine kept up. Where there was too little of
that, it is not measured, which is neither.
"""

FULL = 0.95


class Bounds:
    """How far from what it should be a share, a policy's share and a limited rate may be."""

    def __init__(self, share, policy, limit):
        self.share = share
        self.policy = policy
        self.limit = limit


DEFAULT = Bounds(0.10, 0.10, 0.02)
BMV2 = Bounds(0.40, 0.20, 0.05)


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
    gold, silver = (
        [
            (want, got)
            for each, want, got in zip(everyone, predicted, measured)
            if each.policy == policy and each.granted_bps is None
        ]
        for policy in ("gold", "silver")
    )
    for policy, of in (("gold", gold), ("silver", silver)):
        if len(of) > 1:
            want, got = sum(pair[0] for pair in of), sum(pair[1] for pair in of)
            what = "all %s without a limit" % policy
            ok = abs(got - want) <= bounds.policy * want
            rows.append(Row(step, what, want, got, bounds.policy, ok))
    gold, silver = [got for _, got in gold], [got for _, got in silver]
    if gold and silver:
        rows.append(
            Row(step, "least gold before most silver", max(silver), min(gold), 0.0,
                min(gold) > max(silver))
        )
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
