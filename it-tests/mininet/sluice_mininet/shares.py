"""What each subscriber should get of a bottleneck, from the papers' curves alone.

Knows nothing of the controller: it is what measurements are held against.
"""

import math

MAX_VALUE = 1e9
MIN_VALUE = 1.0


class Curve:
    """A throughput-value function: points (bit/s, value), straight in logarithmic coordinates."""

    def __init__(self, points):
        self._points = [(math.log(rate), math.log(value)) for rate, value in points]

    def rate_at(self, value):
        """The rate, bit/s, at which the value of traffic has fallen to `value`."""
        target = math.log(value)
        points = self._points
        for index in range(len(points) - 1):
            (x0, y0), (x1, y1) = points[index], points[index + 1]
            if target >= y1 or index == len(points) - 2:
                return math.exp(x0 + (target - y0) * (x1 - x0) / (y1 - y0))
        raise AssertionError("a curve has at least two points")


# Paper 000: silver is V(x) = 1e12 / x; gold has the value at its rate of each pair that silver has
# at its own: 488 and 400 kbit/s, 21.8 and 6.4 Mbit/s, 3.4 : 1 beyond, equal from 234 kbit/s down.
SILVER = Curve([(10e3, 1e8), (100e9, 10)])
GOLD = Curve(
    [
        (10e3, 1e8),
        (234e3, 1e12 / 234e3),
        (488e3, 1e12 / 400e3),
        (21.8e6, 1e12 / 6.4e6),
        (21.8e9, 1e12 / 6.4e9),
    ]
)
CURVES = {"gold": GOLD, "silver": SILVER}


def divide(capacity_bps, subscribers):
    """The rate of each subscriber, bit/s.

    subscribers: (curve, most it takes in bit/s, or None for as much as it can get)
    """

    def rates(value):
        return [
            curve.rate_at(value) if most is None else min(most, curve.rate_at(value))
            for curve, most in subscribers
        ]

    if all(most is not None for _, most in subscribers):
        if sum(most for _, most in subscribers) <= capacity_bps:
            return [most for _, most in subscribers]
    low, high = MIN_VALUE, MAX_VALUE
    for _ in range(200):
        middle = math.sqrt(low * high)
        if sum(rates(middle)) > capacity_bps:
            low = middle
        else:
            high = middle
    return rates(high)
