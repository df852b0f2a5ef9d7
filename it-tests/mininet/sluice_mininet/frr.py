"""FRRouting in a host's network namespace: OSPF for both families on its first interface, BGP
between loopback addresses, and what it says of its neighbours."""

import json
import os
import pwd
import shutil
import subprocess
import time

from .iperf import inside
from .process import Process, StartError, guarded

FOLDER = "/usr/lib/frr"
DAEMONS = ("zebra", "ospfd", "ospf6d", "bgpd")
USER = "frr"
# Where its daemons get to, who are not root. There is one network at a time.
RUN = "/run/sluice-mininet-frr"
SHOWN = ("ip ospf neighbor detail", "ipv6 ospf6 neighbor detail", "bgp neighbors")
# OSPF and BGP notice a silence of so many seconds.
HELLO_SECONDS, DEAD_SECONDS = 1, 5
AS_NUMBER = 65000
LOOPBACK = "10.254.0.%d"
LOOPBACK6 = "2001:db8:ffff::%d"


def missing():
    """Why it cannot run here; empty if it can."""
    lack = [name for name in DAEMONS if not os.access(os.path.join(FOLDER, name), os.X_OK)]
    if lack or not shutil.which("vtysh"):
        return "FRRouting (frr)"
    return ""


def _ospf(number, family, interface):
    ip = "ip" if family == "ospf" else "ipv6"
    lines = ["interface " + interface]
    lines += ["%s %s hello-interval %d" % (ip, family, HELLO_SECONDS)]
    lines += ["%s %s dead-interval %d" % (ip, family, DEAD_SECONDS)]
    for each in (interface, "lo"):
        lines += ["interface " + each, "%s %s area 0" % (ip, family)]
    identity = "ospf router-id" if family == "ospf" else "ospf6 router-id"
    return lines + ["router " + family, "%s %s" % (identity, LOOPBACK % number)]


def _bgp(number, networks, networks6):
    peer = 3 - number
    lines = ["router bgp %d" % AS_NUMBER, "bgp router-id " + LOOPBACK % number]
    lines += ["timers bgp %d %d" % (HELLO_SECONDS, DEAD_SECONDS), "no bgp network import-check"]
    lines += ["no bgp default ipv4-unicast"]
    for address in (LOOPBACK % peer, LOOPBACK6 % peer):
        lines += ["neighbor %s remote-as %d" % (address, AS_NUMBER)]
        lines += ["neighbor %s update-source lo" % address]
        lines += ["neighbor %s timers connect 2" % address]
    for family, address, announced in (
        ("ipv4", LOOPBACK % peer, networks),
        ("ipv6", LOOPBACK6 % peer, networks6),
    ):
        lines += ["address-family %s unicast" % family, "neighbor %s activate" % address]
        lines += ["network " + network for network in announced]
        lines += ["exit-address-family"]
    return lines


def configuration(daemon, number, interface, networks, networks6):
    """The lines of a daemon's file."""
    lines = ["hostname router%d" % number, "log stdout"]
    if daemon in ("ospfd", "ospf6d"):
        return lines + _ospf(number, "ospf" if daemon == "ospfd" else "ospf6", interface)
    return lines + (_bgp(number, networks, networks6) if daemon == "bgpd" else [])


class Neighbour:
    """What a router says of one: its state, how often that has changed, seconds it has been so."""

    def __init__(self, name, state, changes, seconds):
        self.name = name
        self.state = state
        self.changes = changes
        self.seconds = seconds

    def up(self):
        return self.state.startswith("Full") or self.state == "Established"


def _seconds(text):
    """Of 00:01:02, or of 1d02h03m, which is longer than anything here."""
    parts = text.split(":")
    if len(parts) != 3:
        return 86400.0
    return float(3600 * int(parts[0]) + 60 * int(parts[1]) + int(parts[2]))


def answers(text):
    """The objects of JSON in what vtysh has printed; one of its own words is none."""
    found, at = [], text.find("{")
    while at >= 0:
        each, end = json.JSONDecoder().raw_decode(text, at)
        found.append(each)
        at = text.find("{", end)
    return found + [{}] * (len(SHOWN) - len(found))


def neighbours(ospf, ospf6, bgp):
    """Of the answers to `show ... json`."""
    found = []
    for name, links in ospf.get("neighbors", {}).items():
        for link in links:
            seconds = link["lastPrgrsvChangeMsec"] / 1e3
            found.append(
                Neighbour("OSPF " + name, link["nbrState"], link["stateChangeCounter"], seconds)
            )
    for name, each in ospf6.items():
        name, state = "OSPFv3 " + name.split("%")[0], each["neighborState"]
        # There is no counter: it is known by its time.
        found.append(Neighbour(name, state, None, _seconds(each["neighborStateDuration"])))
    for name, each in bgp.items():
        changes = each.get("connectionsEstablished", 0) + each.get("connectionsDropped", 0)
        seconds = each.get("bgpTimerUpMsec", 0) / 1e3
        found.append(Neighbour("BGP " + name, each["bgpState"], changes, seconds))
    return found


class FrrRouter:
    """The first or second of two routers.

    networks, networks6: what BGP announces
    """

    def __init__(self, node, number, networks, networks6):
        self.node = node
        self.number = number
        self.networks = networks
        self.networks6 = networks6
        self.folder = os.path.join(RUN, node.name)
        self.processes = []

    def start(self):
        # What a run left that was killed.
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, 0o755)
        user = pwd.getpwnam(USER)
        os.chown(self.folder, user.pw_uid, user.pw_gid)
        for address, bits in ((LOOPBACK % self.number, 32), (LOOPBACK6 % self.number, 128)):
            self.node.cmd("ip addr add %s/%d dev lo" % (address, bits))
        interface = self.node.name + "-eth0"
        for daemon in DAEMONS:
            path = os.path.join(self.folder, daemon)
            lines = configuration(daemon, self.number, interface, self.networks, self.networks6)
            with open(path + ".conf", "w", encoding="ascii") as out:
                out.write("\n".join(lines) + "\n")
            command = [os.path.join(FOLDER, daemon), "-f", path + ".conf", "-i", path + ".pid"]
            command += ["-z", os.path.join(self.folder, "zserv"), "--vty_socket", self.folder]
            # Nobody telnets.
            command += ["-P", "0"]
            command = inside(self.node, guarded(command))
            self.processes.append(Process(command, path + ".log", hardware=True))
            self._await(os.path.join(self.folder, daemon + ".vty"))

    def _await(self, path):
        end = time.monotonic() + 60
        while not os.path.exists(path):
            self.processes[-1].require_running()
            if time.monotonic() > end:
                raise StartError("%s does not serve after 60 s" % path)
            time.sleep(0.05)

    def neighbours(self):
        command = ["vtysh", "--vty_socket", self.folder]
        for what in SHOWN:
            command += ["-c", "show %s json" % what]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        return neighbours(*answers(done.stdout))

    def stop(self):
        for process in reversed(self.processes):
            process.stop(5)
        self.processes = []
        shutil.rmtree(self.folder, ignore_errors=True)
