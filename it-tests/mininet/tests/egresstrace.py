"""What passed an egress queue of bmv2, from its trace: its own times, and what the program decided.

At level "trace" bmv2 writes each value that the program writes to a register. The program reports
each packet's delay, and when that was, to its threshold loop, so nothing has to be added to it.
"""

import re

# Lines that tell something, for grep; a trace has some 150 a packet.
LINES = (
    "Wrote register '(queue_delay_|SluiceEgress.codel_act.history.last_count)"
    "|deq_qdepth <= 1\"|SluiceEgress.aqm_verdict.aqm_events'"
)
_LINE = re.compile(
    r"\[(?P<id>\d+\.\d+)\] \[cxt \d+\] .*?(?:"
    r"Wrote register '(?P<register>[\w.]+)' at index (?P<index>\d+) with value (?P<value>\d+)"
    r"|deq_qdepth <= 1\" \(\w+\) is (?P<short>true|false)"
    r"|Updated counter 'SluiceEgress\.aqm_verdict\.aqm_events' at index (?P<counter>\d+))"
)
EVENTS = ("dropped", "marked", "cycle", "mirrored")


class Departure:
    """A packet that left the queue.

    sojourn: its delay, microseconds
    now: the switch's time then, microseconds
    target: what the queue's CoDel steers to, zero if it is not managed
    short: whether at most one packet was behind it
    event: "dropped" or "marked" by CoDel, else None
    """

    def __init__(self, sojourn):
        self.sojourn = sojourn
        self.now = None
        self.target = None
        self.short = None
        self.event = None


class MirroredEnd:
    """A mirrored packet brought the state that a cycle left."""


def read(lines, port, queue=0):
    """(departures and mirrored ends in the order of egress, how often each of EVENTS was counted)"""
    found, events, current = [], dict.fromkeys(EVENTS, 0), {}
    for line in lines:
        match = _LINE.search(line)
        if not match:
            raise ValueError("not a line of bmv2's trace: " + line)
        name, index = match["register"], int(match["index"] or 0)
        departure = current.get(match["id"])
        if match["counter"]:
            managed, event = divmod(int(match["counter"]), len(EVENTS))
            if managed == 8 * port + queue:
                events[EVENTS[event]] += 1
                if EVENTS[event] in ("dropped", "marked"):
                    departure.event = EVENTS[event]
        elif match["short"]:
            if departure:
                departure.short = match["short"] == "true"
        elif name == "queue_delay_micros":
            # An id comes again when a packet is mirrored, as one of its own.
            current[match["id"]] = None
            if index == port:
                current[match["id"]] = Departure(int(match["value"]))
                found.append(current[match["id"]])
        elif name == "queue_delay_time":
            if departure:
                departure.now = int(match["value"])
        elif name == "queue_delay_target":
            if departure:
                departure.target = int(match["value"])
        elif index == 8 * port + queue:
            found.append(MirroredEnd())
    return found, events
