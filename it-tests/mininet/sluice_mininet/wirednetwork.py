"""A network that runs without Sluice, and a switch that is put into it as a wire.

    sub1 (DHCP) ----.                                      .---- core
    sub3 (PPPoE) --- lan ---- direct, later 1 sl1 2 ---- wan ---- router
    sub2 ---- access '

`lan` and `wan` are bridges without addresses. `direct` is a line with the rate that the switch's
port has afterwards. `access` and `router` are neighbours of OSPF and BGP over either.
"""

from mininet.node import Node
from mininet.topo import Topo

from .network import ACCESS_PORT, CORE_ADDRESS, CORE_PORT, LOOP_PORTS
from .network import Router, SwitchNetwork, quietly, subscriber_address, subscriber_name

KINDS = ("dhcp", "routed", "pppoe")
LAN, LAN_BITS, LAN_MASK = "10.0.0.0", 16, "255.255.0.0"
LAN6 = "2001:db8::"
ROUTER_ADDRESS, ACCESS_ADDRESS = "10.0.255.1", "10.0.255.2"
CORE_NETWORK, CORE_NETWORK6 = "10.255.0.0/24", "2001:db8:fffe::/64"
CORE_ADDRESS6 = "2001:db8:fffe::2"
# Each asks for its neighbours anew after some seconds, so that there is something to lose.
REACHABLE_MILLIS = 3000
_SWITCH_LINK, _DIRECT_LINK, _NODE_LINK = 0, 1, 2
_FIRST_SUBSCRIBER_LINK = 10


def connections(subscribers, kinds=KINDS):
    """How each subscriber is connected, by number: by turns."""
    return {number: kinds[(number - 1) % len(kinds)] for number in range(1, subscribers + 1)}


def subscriber_mac(number):
    return "02:00:00:02:00:%02x" % number


def subscriber_prefixes(number, kind):
    """Of a DHCP host with the address that it makes of the router's advertisements."""
    prefixes = [subscriber_address(number) + "/32"]
    if kind == "dhcp":
        prefixes.append("%sff:fe02:%x/128" % (LAN6, number))
    elif kind == "routed":
        prefixes.append("2001:db8:%x::/64" % number)
    return prefixes


def controller_topology(bottleneck_bps, loops):
    """The switch as a wire between its two ports."""
    topology = {
        "ports": [
            {"number": ACCESS_PORT, "role": "access", "rateBps": bottleneck_bps},
            {
                "number": CORE_PORT,
                "role": "core",
                "rateBps": 10_000_000_000,
                "valueDropping": False,
            },
        ],
        "bngPorts": {"0": ACCESS_PORT},
        "wires": [{"access": ACCESS_PORT, "core": CORE_PORT}],
    }
    if loops:
        topology["loopPorts"] = list(LOOP_PORTS)
    return topology


class Bridge(Node):
    """A bridge in a network namespace, which says nothing of its own."""

    def config(self, **params):
        super().config(**params)
        self.cmd("sysctl -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1")
        quietly(self, "ip link add br0 type bridge mcast_snooping 0")
        quietly(self, "ip link set br0 up")

    def join(self, link):
        quietly(self, "ip link set %s-eth%d master br0 up" % (self.name, link))

    def swap(self, out, into):
        """One link for another, with no moment in which there are both."""
        batch = "link set {0}-eth{1} nomaster\\nlink set {0}-eth{2} master br0\\n"
        quietly(self, "printf '%s' | ip -batch -" % batch.format(self.name, out, into))


class WiredTopo(Topo):
    """See above."""

    def build(self, connected=None, folder="/tmp", switch_params=None):
        switch = self.addSwitch("sl1", folder=folder, **(switch_params or {}))
        lan, wan = (self.addHost(name, cls=Bridge, ip=None) for name in ("lan", "wan"))
        access, router = (self.addHost(name, cls=Router, ip=None) for name in ("access", "router"))
        core = self.addHost("core", ip=None)
        self.addLink(switch, lan, port1=ACCESS_PORT, port2=_SWITCH_LINK)
        self.addLink(switch, wan, port1=CORE_PORT, port2=_SWITCH_LINK)
        self.addLink(lan, wan, port1=_DIRECT_LINK, port2=_DIRECT_LINK)
        self.addLink(lan, access, port1=_NODE_LINK, port2=0)
        self.addLink(wan, router, port1=_NODE_LINK, port2=0)
        self.addLink(router, core, port1=1, port2=0)
        for number, kind in connected.items():
            host = self.addHost(subscriber_name(number), ip=None)
            if kind == "routed":
                self.addLink(access, host, port1=number, port2=0)
            else:
                self.addLink(lan, host, port1=_FIRST_SUBSCRIBER_LINK + number, port2=0)


class WiredNetwork(SwitchNetwork):
    """The network above, running, until `stop`; at first over the direct line.

    switch: a class of `switches`
    connected: how each subscriber is
    rate_bps: of the direct line, towards subscribers
    """

    def __init__(self, switch, connected, folder, rate_bps, **switch_params):
        self.connected = connected
        self._rate_bps = rate_bps
        topology = WiredTopo(connected=connected, folder=folder, switch_params=switch_params)
        super().__init__(topology, switch)

    @property
    def switch(self):
        return self.net.get("sl1")

    def boxes(self):
        return ["sl1"]

    def numbers(self, *kinds):
        """Of the subscribers that are connected so."""
        return [number for number, kind in self.connected.items() if kind in kinds]

    def address(self):
        lan, wan = self.net.get("lan"), self.net.get("wan")
        access, router, core = (self.net.get(name) for name in ("access", "router", "core"))
        nodes = [lan, wan, access, router, core]
        nodes += [self.host(number) for number in self.numbers(*KINDS)]
        self.leave_checksums(nodes)
        for node in nodes:
            for interface in node.intfList():
                quietly(node, "ip link set %s up" % interface.name)
        for bridge in (lan, wan):
            bridge.join(_DIRECT_LINK)
            bridge.join(_NODE_LINK)
        # 50 ms of the line's rate wait at most.
        quietly(
            wan,
            "tc qdisc add dev wan-eth%d root tbf rate %dbit burst 5000 limit %d"
            % (_DIRECT_LINK, self._rate_bps, max(20_000, self._rate_bps // 8 // 20)),
        )
        for node in (access, router):
            node.cmd("sysctl -w net.ipv6.conf.all.forwarding=1")
        self._join(access, ACCESS_ADDRESS, "2001:db8::2")
        self._join(router, ROUTER_ADDRESS, "2001:db8::1")
        quietly(router, "ip addr add 10.255.0.1/24 dev router-eth1")
        quietly(router, "ip -6 addr add 2001:db8:fffe::1/64 dev router-eth1 nodad")
        quietly(core, "ip addr add %s/24 dev core-eth0" % CORE_ADDRESS)
        quietly(core, "ip -6 addr add %s/64 dev core-eth0 nodad" % CORE_ADDRESS6)
        quietly(core, "ip route add default via 10.255.0.1")
        quietly(core, "ip -6 route add default via 2001:db8:fffe::1")
        for number in self.numbers("dhcp", "pppoe"):
            lan.join(_FIRST_SUBSCRIBER_LINK + number)
            self._own_mac(self.host(number), number)
        for number in self.numbers("routed"):
            self.attach_subscriber(access, number)
            quietly(access, "ip -6 addr add 2001:db8:%x::254/64 dev access-eth%d nodad" % (number, number))
            host = self.host(number)
            quietly(host, "ip -6 addr add 2001:db8:%x::1/64 dev %s-eth0 nodad" % (number, host.name))
            quietly(host, "ip -6 route add default via 2001:db8:%x::254" % number)

    @staticmethod
    def _join(node, address, address6):
        name = node.name + "-eth0"
        quietly(node, "ip addr add %s/%d dev %s" % (address, LAN_BITS, name))
        quietly(node, "ip -6 addr add %s/64 dev %s nodad" % (address6, name))
        forget(node)

    @staticmethod
    def _own_mac(host, number):
        name = host.name + "-eth0"
        quietly(host, "ip link set %s down" % name)
        quietly(host, "ip link set %s address %s" % (name, subscriber_mac(number)))
        quietly(host, "ip link set %s up" % name)
        forget(host)

    def neighbours(self):
        """Who has neighbours on the other side of the line."""
        names = ["access", "router"] + [subscriber_name(each) for each in self.numbers("dhcp")]
        return [self.net.get(name) for name in names]

    def put_in(self):
        """The switch's ports for the direct line; the network is cut for milliseconds."""
        for name in ("lan", "wan"):
            self.net.get(name).swap(_DIRECT_LINK, _SWITCH_LINK)


def forget(node):
    """Has a node ask for its neighbours now and every few seconds."""
    name = node.name + "-eth0"
    for family in ("ipv4", "ipv6"):
        setting = "net.%s.neigh.%s.base_reachable_time_ms=%d" % (family, name, REACHABLE_MILLIS)
        node.cmd("sysctl -w " + setting)
    node.cmd("ip neigh flush dev " + name)
    node.cmd("ip -6 neigh flush dev " + name)
