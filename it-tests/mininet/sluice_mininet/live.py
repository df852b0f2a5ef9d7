"""What the demo shows while it runs: who gets what, as figures and as bars."""

import sys

BAR = 30
# A file sees every so many seconds; a terminal every one, in place.
FILE_SECONDS = 5
_UP_AND_CLEAR = "\x1b[%dA\x1b[J"


def mbps(bps):
    return "-" if bps is None else "%.2f" % (bps / 1e6)


def bar(rate, want, most, width=BAR):
    """A rate as a bar, with a mark where it should be."""
    cells = ["#" if (cell + 0.5) / width < rate / most else " " for cell in range(width)]
    if want is not None:
        cells[min(width - 1, int(want / most * width))] = "|"
    return "".join(cells)


def table(when, title, everyone, rates, predicted, others, heads=("switch", "iperf3")):
    """The lines of one moment.

    rates, others: bit/s of each now, below `heads`; predicted: what each should get, or None
    """
    most = 1.25 * max(list(rates) + list(predicted or []) + [1.0])
    lines = [
        "%6.1f s  %s" % (when, title),
        "          %-8s %-7s %-6s %8s %10s %9s %9s"
        % ("", "policy", "tcp", "limit", "should be", *heads),
    ]
    for index, each in enumerate(everyone):
        want = predicted[index] if predicted else None
        lines.append(
            "          %-8s %-7s %-6s %8s %10s %9s %9s  %s"
            % (
                each.name,
                each.policy,
                each.congestion,
                mbps(each.granted_bps),
                mbps(want),
                mbps(rates[index]),
                mbps(others[index]),
                bar(rates[index], want, most).rstrip(),
            )
        )
    return lines


class Screen:
    """Shows tables one after the other: in place on a terminal, below each other in a file."""

    def __init__(self, out=None):
        self._out = out or sys.stdout
        self._terminal = self._out.isatty()
        self._shown = None
        self._lines = 0

    def show(self, when, title, lines):
        """Shows a table; of those with the same title, a file gets one every few seconds."""
        if self._terminal:
            if self._lines:
                self._out.write(_UP_AND_CLEAR % self._lines)
            self._lines = len(lines)
        else:
            if self._shown and self._shown[1] == title and when - self._shown[0] < FILE_SECONDS:
                return
            self._shown = (when, title)
            self._out.write("\n")
        self._out.write("\n".join(lines) + "\n")
        self._out.flush()

    def say(self, text):
        """A line that stays; what is shown next is below it."""
        self._lines = 0
        self._out.write("sluice mininet: " + text + "\n")
        self._out.flush()
