"""Subscribers behind two BNG switches, which an aggregation switch joins: the way up.

    sub1 sub2 ..  ==== access1 ---- 1 sl1 2 ----- 1
                                                    sl3 3 ---- core
    subN ..       ==== access2 ---- 1 sl2 2 ----- 2

The line from sl3 to the core is the bottleneck. sl1 and sl2 mark, sl3, which has no subscribers,
drops by what they have marked.
"""

from mininet.topo import Topo

from . import network
from .controller import Controller

BNGS = ("sl1", "sl2")
AGGREGATION = "sl3"
ACCESS_PORT, UP_PORT = 1, 2
BOTTLENECK_PORT = 3
_FAST = 10_000_000_000


class AggregationTopo(Topo):
    """See above; `behind` has the BNG, 0 or 1, of each subscriber."""

    def build(self, behind=(0, 1), folder="/tmp", params=None):
        upper = self.addSwitch(AGGREGATION, folder=folder, **(params or {}))
        core = self.addHost("core", ip=None)
        self.addLink(upper, core, port1=BOTTLENECK_PORT, port2=0)
        for index, name in enumerate(BNGS):
            node = self.addSwitch(name, folder=folder)
            access = self.addHost(_access_name(index), cls=network.Router, ip=None)
            self.addLink(node, access, port1=ACCESS_PORT, port2=0)
            self.addLink(node, upper, port1=UP_PORT, port2=index + 1)
        for number, index in enumerate(behind, 1):
            host = self.addHost(network.subscriber_name(number), ip=None)
            self.addLink(_access_name(index), host, port1=number, port2=0)


def _access_name(index):
    return "access%d" % (index + 1)


def _port(number, role, rate_bps, direction=None, value_dropping=False):
    port = {
        "number": number,
        "role": role,
        "rateBps": rate_bps,
        "destinationMac": network.NEIGHBOUR_MAC % number,
        "valueDropping": value_dropping,
    }
    return {**port, "direction": direction} if direction else port


def controller_network(switches, bottleneck_bps):
    """How the switches are cabled, as `./sluice serve --network` reads it.

    switches: by name, each with its profile, device id and P4Runtime port
    """
    topologies = {}
    for index, name in enumerate(BNGS):
        topologies[name] = {
            "ports": [_port(ACCESS_PORT, "access", _FAST), _port(UP_PORT, "trunk", _FAST, "down")],
            "bngPorts": {"0": ACCESS_PORT},
            "routes": [{"prefix": "0.0.0.0/0", "port": UP_PORT}],
            "trunks": [{"port": UP_PORT, "toSwitch": AGGREGATION, "toPort": index + 1}],
        }
    trunks = [_port(index + 1, "trunk", _FAST, "up") for index in range(len(BNGS))]
    topologies[AGGREGATION] = {
        "ports": trunks + [_port(BOTTLENECK_PORT, "core", bottleneck_bps, value_dropping=True)],
        "bngPorts": {},
        "routes": [{"prefix": "0.0.0.0/0", "port": BOTTLENECK_PORT}],
    }
    return {
        "switches": [
            {
                "id": name,
                "profile": switches[name].profile,
                "deviceId": switches[name].device_id,
                "p4runtime": "127.0.0.1:%d" % switches[name].grpc_port,
                "topology": topology,
            }
            for name, topology in topologies.items()
        ]
    }


class AggregationNetwork(network.SwitchNetwork):
    """The network above, running, until `stop`.

    switch: a class of `switches`
    behind: the BNG, 0 or 1, of each subscriber
    params: more parameters of the aggregation switch
    """

    def __init__(self, switch, behind, folder, **params):
        self.behind = behind
        super().__init__(AggregationTopo(behind=behind, folder=folder, params=params), switch)

    @property
    def switches(self):
        """By name."""
        return {name: self.net.get(name) for name in self.boxes()}

    def boxes(self):
        return [*BNGS, AGGREGATION]

    def address(self):
        core = self.core()
        self.attach(
            core, "core-eth0", BOTTLENECK_PORT, network.CORE_ADDRESS, network.CORE_GATEWAY
        )
        routers = [self.net.get(_access_name(index)) for index in range(len(BNGS))]
        for index, router in enumerate(routers):
            name, addresses = router.name + "-eth0", ("10.254.%d.2", "10.254.%d.1")
            self.attach(router, name, ACCESS_PORT, *(text % index for text in addresses))
        hosts = []
        for number, index in enumerate(self.behind, 1):
            hosts.append(self.host(number))
            self.attach_subscriber(routers[index], number)
        self.leave_checksums([core] + routers + hosts)


class NetworkController(Controller):
    """A controller of several switches.

    document: what `./sluice serve --network` reads
    """

    def __init__(self, folder, document):
        super().__init__(folder, None, document)

    def targets(self):
        return ["--network", self.topology]
