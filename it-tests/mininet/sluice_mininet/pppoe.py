"""PPPoE sessions: Debian's pppoe and pppd where the kernel has PPP, else `pppoeend.py`."""

import os
import re
import shutil

from .iperf import inside
from .process import Process, guarded

START_SECONDS = 120
_END = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pppoeend.py")


def lack():
    """Why sessions are frames of a test client here; empty if they are the kernel's."""
    if not os.path.exists("/dev/ppp"):
        return "the kernel has no PPP (/dev/ppp)"
    absent = [name for name in ("pppoe", "pppoe-server", "pppd") if not shutil.which(name)]
    return "not on PATH: %s (pppoe)" % ", ".join(absent) if absent else ""


class Server:
    """A concentrator on a node's interface.

    told: {a subscriber's hardware address: the address it is told}, in the order in which they come
    """

    def __init__(self, node, interface, address, told, folder):
        log = os.path.join(folder, "pppoe-server.log")
        if lack():
            command = ["/usr/bin/python3", _END, interface, address]
            command += ["%s=%s" % pair for pair in told.items()]
        else:
            pool, options = os.path.join(folder, "pppoe-pool"), os.path.join(folder, "pppoe-options")
            with open(pool, "w", encoding="ascii") as out:
                out.write("".join(each + "\n" for each in told.values()))
            with open(options, "w", encoding="ascii") as out:
                out.write("noauth\nlcp-echo-interval 1\nlcp-echo-failure 3\nnodeflate\nnobsdcomp\n")
            command = ["pppoe-server", "-F", "-I", interface, "-L", address, "-p", pool]
            command += ["-O", options, "-N", str(len(told))]
        self.process = Process(inside(node, guarded(command)), log, hardware=True)

    def stop(self):
        self.process.stop(5)


class Session:
    """A subscriber's session on its host's first interface.

    echoes: requests of LCP sent and answered so far; pppd does not tell
    lost: how often it ended
    """

    def __init__(self, host, folder):
        self.name = host.name
        self.kernel = not lack()
        self.echoes = (0, 0)
        self.lost = 0
        interface = host.name + "-eth0"
        if self.kernel:
            command = ["pppd", "pty", "pppoe -I %s -T 80" % interface, "nodetach", "noauth"]
            command += ["noaccomp", "nopcomp", "default-asyncmap", "nodeflate", "nobsdcomp"]
            command += ["ipcp-accept-local", "ipcp-accept-remote", "mtu", "1492", "mru", "1492"]
            command += ["lcp-echo-interval", "1", "lcp-echo-failure", "3"]
            command += ["defaultroute", "replacedefaultroute"]
        else:
            command = ["/usr/bin/python3", _END, interface]
        log = os.path.join(folder, "pppoe-%s.log" % host.name)
        self.process = Process(inside(host, guarded(command)), log, hardware=True)

    def await_up(self):
        beginning = "remote IP address" if self.kernel else "up"
        self.process.ready_line(beginning, START_SECONDS)

    def read(self):
        """Reads what it has said."""
        for line in self.process.lines():
            if line.startswith("echo "):
                self.echoes = tuple(int(word) for word in line.split()[1:])
            elif re.match("lost|LCP terminated|Connection terminated", line):
                self.lost += 1

    def running(self):
        return self.process.running()

    def stop(self):
        self.process.stop(5)
