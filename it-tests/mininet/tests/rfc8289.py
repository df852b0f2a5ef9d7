"""CoDel packet by packet: RFC 8289's pseudo-code, and P4-CoDel's, as references.

Times are whole microseconds. One call is one packet that leaves the queue: the one that the RFC's
loop takes out behind a dropped packet is the next call. Names are the RFC's.

Of all of them Sluice's have one rule more: what has been due for two intervals is of a queue that
was not managed meanwhile, and its cycle begins anew. `standstills` counts that; in a queue that is
managed all the time only a machine that stands still brings it about.
"""

import math

# Microseconds in 1 / sqrt(count) of a count of 1, by weighting counts so that it is that for every
# interval: docs/papers/002-codel-act.md, "The square root".
SCALE = 1 << 22


def weight(interval):
    return round((SCALE / interval) ** 2)


def math_unit_step(weighted):
    """2^22 / sqrt(weighted) from its four leading bits, in eight, as a Tofino's math unit has it."""
    power = (weighted.bit_length() - 3) // 2
    leading = weighted >> 2 * power
    eight = math.floor(1024 / (math.sqrt(leading) + math.sqrt(leading + 1)) + 0.5)
    return eight << 13 - power if power <= 13 else eight >> power - 13


def newton_step(weighted):
    """The same, made exact by two of Newton's steps in units of 2^-10 us."""
    step = math_unit_step(weighted) << 10 if weighted < 1 << 32 else math_unit_step(weighted >> 20)
    for _ in range(2):
        step = step * ((3 << 64) - weighted * step * step) >> 65
    return step >> 10


def exact_step(weighted):
    return round(SCALE / math.sqrt(weighted))


class Reference:
    """What is counted beside drops.

    standstills: cycles that began anew, see above
    overtaking: cycles that began while the end of an earlier one was under way
    unexpected: mirrored packets that bring the end of no cycle
    """

    standstills = 0
    overtaking = 0
    unexpected = 0

    def mirrored_end(self):
        """A mirrored packet has brought what the last cycle leaves: only CoDel-ACT has such."""
        self.unexpected += 1


class Rfc8289(Reference):
    """The pseudo-code of section 5.

    step: interval / sqrt(count) of a weighted count
    """

    def __init__(self, target, interval, step):
        self.target = target
        self.interval = interval
        self._step = step
        self._weight = weight(interval)
        self.first_above_time = 0
        self.drop_next = 0
        self.count = 0
        self.lastcount = 0
        self.dropping = False

    def drops(self, now, sojourn, at_most_one_behind):
        """Whether this packet is dropped."""
        ok_to_drop = False
        due = self.drop_next if self.dropping else self.first_above_time
        above = sojourn >= self.target and not at_most_one_behind
        if above and due and now - due >= 2 * self.interval:
            self.standstills += 1
            self._begin_anew(now)
        if not above:
            if self.dropping:
                self._end(now)
            self.first_above_time = 0
        elif self.first_above_time == 0:
            self.first_above_time = now + self.interval
            self._begin(now)
        elif now >= self.first_above_time:
            ok_to_drop = True
        if self.dropping:
            if not ok_to_drop:
                self.dropping = False
            elif now >= self.drop_next:
                self.count += 1
                self.drop_next += self._step(self.count * self._weight)
                return True
        elif ok_to_drop:
            self.dropping = True
            delta = self._delta()
            recent = self._recent(now)
            self.count = delta if delta > 1 and recent else 1
            self.drop_next = self._first(now) + self._step(self.count * self._weight)
            self.lastcount = self.count
            return True
        return False

    def _begin_anew(self, now):
        """What has been due for two intervals is not due any more."""
        self.first_above_time = 0
        self.dropping = False

    def _begin(self, now):
        """The delay reaches the target."""

    def _end(self, now):
        """A cycle that has dropped ends."""

    def _delta(self):
        return self.count - self.lastcount

    def _recent(self, now):
        return now - self.drop_next < 16 * self.interval

    def _first(self, now):
        """From when the second drop of a cycle is timed."""
        return now


class CodelAct(Rfc8289):
    """The same with what docs/papers/002-codel-act.md says is different in a state that is split.

    The second drop is timed from when the first was due. A cycle finds what mirrored packets have
    brought until it begins, and how long ago that is in units of 1,024 us.
    """

    def __init__(self, target, interval):
        super().__init__(target, interval, math_unit_step)
        self.under_way = []
        self._kept = (0, None)
        self._found = (0, False)

    def mirrored_end(self):
        if self.under_way:
            self._kept = self.under_way.pop(0)
        else:
            super().mirrored_end()

    def _begin_anew(self, now):
        # The cycle goes on, with a count that begins anew; its drops are counted on.
        self._found = (0, False)
        if self.dropping:
            self.drop_next = now + self.interval
            self.lastcount -= self.count
            self.count = 0
        else:
            self.first_above_time = now + self.interval

    def _begin(self, now):
        delta, until = self._kept
        horizon = (now >> 10) - (15 * self.interval >> 10)
        self._found = (delta, until is not None and until > horizon)
        self.overtaking += bool(self.under_way)

    def _end(self, now):
        until = (now >> 10) + (self.drop_next - now >> 10)
        self.under_way.append((self.count - self.lastcount, until))

    def _delta(self):
        return self._found[0]

    def _recent(self, now):
        return self._found[1]

    def _first(self, now):
        return self.first_above_time


class P4Codel(Reference):
    """The predecessor: a cycle begins at the first packet above the target, with a count of 1."""

    def __init__(self, target, interval):
        self.target = target
        self.interval = interval
        self.dropping = False
        self.next = 0
        self.count = 0

    def drops(self, now, sojourn, at_most_one_behind):
        was, self.dropping = self.dropping, sojourn >= self.target and not at_most_one_behind
        stale = self.dropping and was and now - self.next >= 2 * self.interval
        self.standstills += stale
        if stale or (self.dropping and not was):
            self.next = now + self.interval
            self.count = 1
        elif self.dropping and now >= self.next:
            self.count += 1
            # Its table is for 100 ms and has the square root of a power of two, cut off.
            power = 1 << self.count.bit_length() - 1
            self.next += max(552, math.floor(100_000 / math.sqrt(power)))
            return True
        return False


REFERENCES = {
    "codel-act": CodelAct,
    "rfc8289": lambda target, interval: Rfc8289(target, interval, newton_step),
    "p4-codel": P4Codel,
}
