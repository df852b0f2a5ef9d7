"""Subscribers behind an access router, one switch with a bottleneck, a core host.

    core ---- 2 switch 1 ==== access ---- sub1 .. subN
               3 | | 4
              fpga (down, up)

The line at port 1 is the bottleneck, with a rate and a delay where the switch emulates them. The
switch rewrites the next hop's address by port and drops ARP, so a router stands behind the
bottleneck and neighbours are configured.
"""

import fcntl
import os
import re
import subprocess

from mininet.net import Mininet
from mininet.node import Node
from mininet.topo import Topo

from .fpga import FpgaNode
from .process import StartError

LOCK = "/run/lock/sluice-mininet.lock"
ACCESS_PORT = 1
CORE_PORT = 2
SIDECAR_DOWN_PORT = 3
SIDECAR_UP_PORT = 4
# Ports of the emulated switch without interfaces, in which packets wait for a limit.
LOOP_PORTS = (505, 506, 507, 508)

CORE_ADDRESS = "10.255.0.2"
CORE_GATEWAY = "10.255.0.1"
_ACCESS_ADDRESS = "10.254.0.2"
_ACCESS_GATEWAY = "10.254.0.1"
_SWITCH_MAC = "02:00:00:00:00:%02x"
NEIGHBOUR_MAC = "02:00:00:01:00:%02x"
_OFFLOAD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "offload.py")
MAX_SUBSCRIBERS = 200


class Router(Node):
    """A node that forwards."""

    def config(self, **params):
        super().config(**params)
        self.cmd("sysctl -w net.ipv4.ip_forward=1")


class AccessTopo(Topo):
    """See above. `fpga` adds the FPGAs; the switch's class is Mininet's choice."""

    def build(self, subscribers=2, fpga=True, folder="/tmp", switch="sl1", switch_params=None):
        if not 1 <= subscribers <= MAX_SUBSCRIBERS:
            raise ValueError(
                "subscribers is %r; allowed: 1 to %d" % (subscribers, MAX_SUBSCRIBERS)
            )
        node = self.addSwitch(switch, folder=folder, **(switch_params or {}))
        core = self.addHost("core", ip=None)
        access = self.addHost("access", cls=Router, ip=None)
        self.addLink(node, access, port1=ACCESS_PORT, port2=0)
        self.addLink(node, core, port1=CORE_PORT, port2=0)
        if fpga:
            box = self.addHost("fpga", cls=FpgaNode, folder=folder, ip=None)
            self.addLink(node, box, port1=SIDECAR_DOWN_PORT, port2=0)
            self.addLink(node, box, port1=SIDECAR_UP_PORT, port2=1)
        for number in range(1, subscribers + 1):
            host = self.addHost(subscriber_name(number), ip=None)
            self.addLink(access, host, port1=number, port2=0)


def subscriber_name(number):
    return "sub%d" % number


def subscriber_address(number):
    return "10.0.%d.1" % number


def controller_topology(bottleneck_bps, fpga=True, value_dropping=True, loops=False):
    """How the switch is cabled, as `./sluice serve --topology` reads it."""
    ports = [
        {
            "number": ACCESS_PORT,
            "role": "access",
            "rateBps": bottleneck_bps,
            "destinationMac": NEIGHBOUR_MAC % ACCESS_PORT,
            "valueDropping": value_dropping,
        },
        {
            "number": CORE_PORT,
            "role": "core",
            "rateBps": 10_000_000_000,
            "destinationMac": NEIGHBOUR_MAC % CORE_PORT,
            "valueDropping": False,
        },
    ]
    if fpga:
        for number, direction in ((SIDECAR_DOWN_PORT, "down"), (SIDECAR_UP_PORT, "up")):
            ports.append(
                {
                    "number": number,
                    "role": "sidecar",
                    "direction": direction,
                    "rateBps": 10_000_000_000,
                }
            )
    topology = {
        "ports": ports,
        "bngPorts": {"0": ACCESS_PORT},
        "routes": [{"prefix": "0.0.0.0/0", "port": CORE_PORT}],
    }
    if loops:
        topology["loopPorts"] = list(LOOP_PORTS)
    return topology


class SwitchNetwork:
    """Switches and hosts, running, until `stop`."""

    def __init__(self, topology, switch):
        self.net = None
        self._lock = _only_one()
        remove_leftovers()
        self.net = Mininet(
            topo=topology, switch=switch, controller=None, waitConnected=False, build=False
        )
        try:
            self.net.build()
            self.address()
            self.before_switches()
            self.net.start()
        except BaseException:
            self.stop()
            raise

    def address(self):
        """Gives hosts their addresses and routes."""
        raise NotImplementedError

    def before_switches(self):
        """Starts what switches need."""

    def boxes(self):
        """Names of what has a process of its own."""
        raise NotImplementedError

    def host(self, number):
        """A subscriber's host, from 1."""
        return self.net.get(subscriber_name(number))

    def core(self):
        return self.net.get("core")

    @staticmethod
    def attach(node, name, port, address, gateway):
        """Makes an interface the neighbour of a switch's port."""
        quietly(node, "ip link set %s address %s" % (name, NEIGHBOUR_MAC % port))
        quietly(node, "ip addr add %s/24 dev %s" % (address, name))
        quietly(node, "ip neigh replace %s lladdr %s dev %s" % (gateway, _SWITCH_MAC % port, name))
        quietly(node, "ip route replace default via %s" % gateway)

    def attach_subscriber(self, access, number):
        """Connects a subscriber with the router before it."""
        host = self.host(number)
        near, far = "%s-eth%d" % (access.name, number), host.name + "-eth0"
        gateway = "10.0.%d.254" % number
        quietly(access, "ip addr add %s/24 dev %s" % (gateway, near))
        quietly(host, "ip addr add %s/24 dev %s" % (subscriber_address(number), far))
        quietly(host, "ip route replace default via %s" % gateway)

    @staticmethod
    def leave_checksums(nodes):
        for node in nodes:
            names = [interface.name for interface in node.intfList() if interface.name != "lo"]
            # bmv2 takes a checksum that is left to the hardware for a wrong one.
            quietly(node, "/usr/bin/python3 %s %s" % (_OFFLOAD, " ".join(names)))

    def stop(self):
        """Ends everything; may be called twice."""
        net = self.net
        if net:
            # Mininet takes the links away first; who still runs then complains of it.
            for name in self.boxes():
                if name in net:
                    net.get(name).halt()
            self.net = None
            net.stop()
            remove_leftovers()
            self._lock.close()


class AccessNetwork(SwitchNetwork):
    """The network above, running, until `stop`.

    switch: a class of `switches`
    """

    def __init__(self, switch, subscribers, folder, fpga=True, **switch_params):
        self.subscribers = subscribers
        self._with_fpga = fpga
        topology = AccessTopo(
            subscribers=subscribers, fpga=fpga, folder=folder, switch_params=switch_params
        )
        super().__init__(topology, switch)

    @property
    def switch(self):
        return self.net.get("sl1")

    @property
    def fpga(self):
        return self.net.get("fpga") if self._with_fpga else None

    def boxes(self):
        return ["sl1"] + (["fpga"] if self._with_fpga else [])

    def before_switches(self):
        if self._with_fpga:
            self.fpga.launch()

    def address(self):
        core, access = self.core(), self.net.get("access")
        self.attach(core, "core-eth0", CORE_PORT, CORE_ADDRESS, CORE_GATEWAY)
        self.attach(access, "access-eth0", ACCESS_PORT, _ACCESS_ADDRESS, _ACCESS_GATEWAY)
        for number in range(1, self.subscribers + 1):
            self.attach_subscriber(access, number)
        hosts = [self.host(number + 1) for number in range(self.subscribers)]
        self.leave_checksums([core, access] + hosts)


def _only_one():
    """Interfaces of the root namespace have fixed names, so there is one network at a time."""
    lock = open(LOCK, "w", encoding="ascii")  # pylint: disable=consider-using-with
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StartError("another run is under way (%s)" % LOCK) from None
    return lock


def remove_leftovers():
    """Deletes the interfaces of a run that was killed; its processes ended with it."""
    for name in os.listdir("/sys/class/net"):
        if re.fullmatch(r"(sl\d|fpga)-eth\d+", name):
            # A pair goes with either end.
            subprocess.run(
                ["ip", "link", "del", name], check=False, stderr=subprocess.DEVNULL, timeout=60
            )


def quietly(node, command):
    """Runs a command that must say nothing: ip(8) speaks when it fails."""
    said = node.cmd("LC_ALL=C %s 2>&1" % command).strip()
    if said:
        raise RuntimeError("%s: %s: %s" % (node.name, command, said))
