"""DHCP and router advertisements by dnsmasq, and hosts that take addresses by dhclient."""

import os
import re
import shutil

from .iperf import inside
from .process import Process, guarded

LEASE_SECONDS = 120
START_SECONDS = 120
# dhclient's own would write the machine's resolv.conf.
_SCRIPT = """#!/bin/sh
case $reason in
BOUND|REBOOT|RENEW|REBIND)
  ip addr replace $new_ip_address/$new_subnet_mask dev $interface
  ip route replace default via ${new_routers%% *}
  echo "leased $new_ip_address $reason" ;;
EXPIRE|FAIL|RELEASE|STOP)
  ip addr flush dev $interface scope global
  echo "lost $reason" ;;
esac
"""


def missing():
    """What is not here, by the names of Debian's packages."""
    needed = (("dnsmasq", "dnsmasq"), ("dhclient", "isc-dhcp-client"))
    return [package for command, package in needed if not shutil.which(command)]


class Server:
    """dnsmasq on a node's interface.

    hosts: {hardware address: address}
    """

    def __init__(self, node, interface, network, mask, hosts, folder):
        command = ["dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--port=0"]
        command += ["--user=root", "--pid-file", "--bind-interfaces", "--interface=" + interface]
        command += ["--no-ping", "--log-facility=-", "--log-dhcp", "--dhcp-authoritative"]
        command += ["--dhcp-leasefile=" + os.path.join(folder, "dnsmasq.leases")]
        command += ["--dhcp-range=%s,static,%s,%d" % (network, mask, LEASE_SECONDS)]
        command += ["--enable-ra", "--ra-param=%s,5,1800" % interface]
        command += ["--dhcp-range=::,constructor:%s,ra-only,64" % interface]
        command += ["--dhcp-host=%s,%s" % pair for pair in hosts.items()]
        self.process = Process(inside(node, guarded(command)), os.path.join(folder, "dnsmasq.log"))

    def stop(self):
        self.process.stop(5)


class Client:
    """dhclient on a host's first interface."""

    def __init__(self, host, folder):
        self.name = host.name
        path = os.path.join(folder, "dhclient-" + host.name)
        with open(path + ".sh", "w", encoding="ascii") as out:
            out.write(_SCRIPT)
        os.chmod(path + ".sh", 0o755)
        with open(path + ".conf", "w", encoding="ascii") as out:
            out.write("initial-interval 1;\n")
        self.log = path + ".log"
        command = ["dhclient", "-4", "-d", "-cf", path + ".conf", "-lf", path + ".leases"]
        command += ["-pf", path + ".pid", "-sf", path + ".sh", host.name + "-eth0"]
        self.process = Process(inside(host, command), self.log)

    def await_lease(self):
        self.process.ready_line("leased", START_SECONDS)

    def said(self, word):
        """How often its log has a word of the protocol, such as DHCPACK."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return len(re.findall(r"^%s\b" % word, log.read(), re.M))

    def running(self):
        return self.process.running()

    def stop(self):
        self.process.stop(5)
