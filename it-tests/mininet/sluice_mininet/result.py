"""What the demo found: as text, as a page, as JSON."""

from . import page, verdict


class Measured:
    """What a step brought.

    first, last: when it was measured, seconds since the start
    rates: bit/s of each by the switch's counters, None if it was not measured
    goodput: bit/s of each by iperf3 from the first to the last second
    seconds: how long the machine kept up, of how many
    reasons: why the other seconds do not count, {words: seconds}
    """

    def __init__(self, step, first, last, predicted, rates, goodput, seconds, reasons):
        self.step = step
        self.first = first
        self.last = last
        self.predicted = predicted
        self.rates = rates
        self.goodput = goodput
        self.seconds = seconds
        self.reasons = reasons

    def remark(self):
        """What to know of how it was measured; empty if nothing."""
        counted, of = self.seconds
        if counted == of:
            return ""
        why = ", ".join("%s (%d)" % reason for reason in self.reasons.items())
        return "%s: %d of %d seconds count; not the others: %s" % (self.step, counted, of, why)


class Result:
    """What the demo found.

    samples: (seconds, [bit/s of each])
    gaps: (first second, last second) that do not count
    delays: of pings under a limit
    """

    def __init__(
        self, title, options, bottleneck_bps, everyone, samples, gaps, measured, rows, delays=(),
        remarks=(),
    ):
        self.title = title
        self.options = options
        self.bottleneck_bps = bottleneck_bps
        self.names = ["%s, %s" % (each.name, each.congestion) for each in everyone]
        self.samples = samples
        self.gaps = gaps
        self.measured = measured
        self.rows = rows
        self.delays = delays
        self._remarks = list(remarks)
        self.exit_code = verdict.exit_code(rows)

    def remarks(self):
        found = [text for text in (each.remark() for each in self.measured) if text]
        return self._remarks + found + [each.text() for each in self.delays]

    def summary(self):
        good = sum(row.ok is True for row in self.rows)
        unmeasured = sum(row.ok is None for row in self.rows)
        text = "%d of %d comparisons hold" % (good, len(self.rows))
        if unmeasured:
            text += ", %d not measured: the machine was too slow for this" % unmeasured
        return text

    def page(self):
        steps = [(each.step, each.first, each.last, each.predicted) for each in self.measured]
        svg = page.chart(self.samples, steps, self.names, self.gaps)
        return page.page(self.title, self.summary(), svg, self.rows, self.remarks())

    def as_dict(self):
        return {
            "switch": self.options.switch,
            "bottleneckBps": self.bottleneck_bps,
            "delay": getattr(self.options, "delay", None),
            "ok": self.exit_code == 0,
            "exitCode": self.exit_code,
            "rows": [row.as_dict() for row in self.rows],
            "delays": [each.as_dict() for each in self.delays],
            "steps": [dict(each.__dict__) for each in self.measured],
        }

    def text(self, html=None):
        lines = [""]
        lines += [row.line() for row in self.rows]
        lines += [""] + self.remarks()
        lines.append("sluice mininet: " + "; ".join(filter(None, [self.summary(), html])))
        return "\n".join(lines)
