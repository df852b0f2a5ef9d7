"""A measurement in slots of about a second, of which those count in which the machine kept up.

Which slots count is decided by `machine.faults` alone, never by what was measured in them.
"""

import collections

from . import machine

RECOVERY = "recovering"


class Sample:
    """Counters and machine at a moment.

    counts: (seconds since the start, frame bytes so far) of each subscriber
    took: seconds that reading one subscriber's counter took, at most
    state: machine.Reading
    at: when they had been read, seconds since the epoch
    """

    def __init__(self, counts, took, state, at):
        self.counts = counts
        self.took = took
        self.state = state
        self.at = at


class Slot:
    """The time between two samples; `faults` is empty if it counts."""

    def __init__(self, begin, end, faults):
        self.begin = begin
        self.end = end
        self.faults = faults

    @property
    def first(self):
        return self.begin.counts[0][0]

    @property
    def last(self):
        return self.end.counts[0][0]


class Slots:
    """Takes samples and judges the slots between them."""

    def __init__(self):
        self._samples = []
        self.judged = []

    def add(self, sample):
        """A slot is judged when the sample after its end is there."""
        self._samples = self._samples[-2:] + [sample]
        if len(self._samples) < 3:
            return
        begin, end, after = self._samples
        faults = machine.faults(begin.state, after.state, end.at)
        if max(begin.took, end.took) > machine.READING_SECONDS:
            faults.append("reading a counter took long")
        previous = self.judged[-1].faults if self.judged else []
        if not faults and previous and previous != [RECOVERY]:
            faults = [RECOVERY]
        self.judged.append(Slot(begin, end, faults))

    def counted(self):
        return [slot for slot in self.judged if not slot.faults]

    def rates(self):
        """Bit/s of each subscriber over the slots that count; None if none does."""
        slots = self.counted()
        if not slots:
            return None
        rates = []
        for index in range(len(slots[0].begin.counts)):
            pairs = [(slot.begin.counts[index], slot.end.counts[index]) for slot in slots]
            seconds = sum(end[0] - begin[0] for begin, end in pairs)
            rates.append(8 * sum(end[1] - begin[1] for begin, end in pairs) / seconds)
        return rates

    def reasons(self):
        """Why slots do not count: {words: how many slots}, the most frequent first."""
        counts = collections.Counter(fault for slot in self.judged for fault in slot.faults)
        return dict(counts.most_common())
