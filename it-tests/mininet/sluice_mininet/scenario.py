"""What the demo declares, step by step, and what each subscriber should get after each step."""

import re

from . import shares
from .network import MAX_SUBSCRIBERS, subscriber_address, subscriber_name
from .process import StartError
from .switches import SWITCHES

DEFAULT = ["gold:cubic", "gold:bbr", "silver:cubic", "silver:bbr", "silver:cubic", "gold:bbr:2M"]
_FORM = re.compile(r"(gold|silver):([a-z0-9_]+)(?::(\d+(?:\.\d+)?[kMG]?))?")
_RATE = re.compile(r"(\d+(?:\.\d+)?)([kMG]?)")
_UNITS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


class OptionError(Exception):
    """An option that cannot be used; the text names it, its value and what is allowed."""

    def __init__(self, option, value, allowed):
        Exception.__init__(self, "%s is '%s'; allowed: %s" % (option, value, allowed))


def rate(option, text, low, high):
    """Bit/s, from text such as 400k, 2.5M or 1G."""
    found = _RATE.fullmatch(text)
    bps = int(float(found.group(1)) * _UNITS[found.group(2)]) if found else -1
    if not low <= bps <= high:
        allowed = "a rate in bit/s, %d to %d, written like 400k, 2.5M or 1G" % (low, high)
        raise OptionError(option, text, allowed)
    return bps


def line_switch(name):
    """The kind of switch of that name, whose lines have rates and which is installed here."""
    names = [each for each, kind in SWITCHES.items() if kind.emulates_lines]
    if name not in names:
        raise OptionError("--switch", name, " or ".join(sorted(names)))
    lack = SWITCHES[name].missing()
    if lack:
        raise StartError("--switch %s: %s" % (name, lack))
    return SWITCHES[name]


def require_within(options, *ranges):
    """Checks that numbers are in their ranges, each (name, lowest, highest)."""
    for name, low, high in ranges:
        value = getattr(options, name)
        if not low <= value <= high:
            raise OptionError("--" + name, value, "%d to %d" % (low, high))


class Subscriber:
    """One subscriber of the demo; `policy` and `limit_bps` are what is declared now."""

    def __init__(self, number, policy, congestion, limit_bps):
        self.number = number
        self.name = subscriber_name(number)
        self.policy = policy
        self.congestion = congestion
        self.limit_bps = limit_bps
        self.granted_bps = None
        self.prefixes = [subscriber_address(number) + "/32"]

    def body(self):
        return {
            "policy": self.policy,
            "prefixes": self.prefixes,
            "attachment": {"port": 0, "tree": 0},
        }


def subscribers(texts, controls, low_bps, high_bps):
    """The subscribers of `POLICY:CONGESTION[:LIMIT]` texts."""
    option = "--subscriber"
    form = "POLICY:CONGESTION[:LIMIT] with gold or silver and one of " + ", ".join(sorted(controls))
    found = []
    for text in texts:
        matched = _FORM.fullmatch(text)
        if not matched or matched.group(2) not in controls:
            raise OptionError(option, text, form)
        limit = matched.group(3)
        limit_bps = rate(option, limit, low_bps, high_bps) if limit else None
        found.append(Subscriber(len(found) + 1, matched.group(1), matched.group(2), limit_bps))
    if not 2 <= len(found) <= MAX_SUBSCRIBERS:
        raise OptionError(option, "%d times" % len(found), "2 to %d times" % MAX_SUBSCRIBERS)
    return found


class Step:
    """A change of what is declared, and what to call the time after it."""

    def __init__(self, title, change):
        self.title = title
        self.change = change


def declare(api, everyone):
    """Declares policies, subscribers and limits."""
    for policy in sorted(shares.CURVES):
        api.put("/policies/" + policy, {"throughputValue": {"builtIn": policy}})
    for each in everyone:
        api.put("/subscribers/" + each.name, each.body())
        if each.limit_bps:
            limit(api, each, each.limit_bps)


def limit(api, subscriber, bps):
    """Limits a subscriber; remembers what is granted."""
    body = {"scope": {"subscriber": subscriber.name}, "downBps": bps}
    answer = api.put("/rate-limits/" + subscriber.name, body)
    subscriber.limit_bps = bps
    subscriber.granted_bps = answer["granted"]["downBps"]


def loop_bps(limit_bps):
    """The rate of the ports in which packets wait for such a limit: the faster, the more exactly
    they leave, and the more often each comes round."""
    return min(20 * limit_bps, 1_000_000_000)


def shape(api, subscriber, bps):
    """Limits a subscriber in the switch, with its policy's AQM."""
    body = {"scope": {"subscriber": subscriber.name}, "downBps": bps, "enforcement": "shape"}
    api.put("/rate-limits/" + subscriber.name, body)


def bloat(api, subscriber):
    """Gives a subscriber a policy of the same curve under which packets wait as they come, as long
    as there is room."""
    policy = subscriber.policy + "-bloat"
    body = {"throughputValue": {"builtIn": subscriber.policy}}
    body.update(limitAqm={"kind": "none"}, flows="as-they-come")
    api.put("/policies/" + policy, body)
    api.put("/subscribers/" + subscriber.name, dict(subscriber.body(), policy=policy))


def _upgrade(subscriber):
    def change(api):
        subscriber.policy = "gold"
        api.put("/subscribers/" + subscriber.name, subscriber.body())

    return change


def _lift(subscriber):
    def change(api):
        api.delete("/rate-limits/" + subscriber.name)
        subscriber.limit_bps = None
        subscriber.granted_bps = None

    return change


def steps(everyone):
    """As declared; the last silver subscriber becomes gold; the first limit is lifted."""
    plan = [Step("as declared", lambda api: None)]
    silver = [each for each in everyone if each.policy == "silver"]
    limited = [each for each in everyone if each.limit_bps]
    if silver:
        plan.append(Step("%s becomes gold" % silver[-1].name, _upgrade(silver[-1])))
    if limited:
        plan.append(Step("the limit of %s is lifted" % limited[0].name, _lift(limited[0])))
    return plan


def predict(everyone, bottleneck_bps):
    """What each should get now, bit/s of frames at the bottleneck."""
    return shares.divide(
        bottleneck_bps, [(shares.CURVES[each.policy], each.granted_bps) for each in everyone]
    )
