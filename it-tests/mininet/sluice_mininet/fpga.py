"""The emulated FPGAs as a Mininet node, beside any switch."""

import os

from mininet.node import Node

from .process import Process, free_port, sluice
from .switches import START_SECONDS, STOP_SECONDS, silence


class FpgaNode(Node):
    """Runs `./sluice fpga` on its first two interfaces: down, then up. Lives in the root namespace.

    folder: where its log and report go
    """

    def __init__(self, name, folder="/tmp", inNamespace=False, **params):
        Node.__init__(self, name, inNamespace=inNamespace, **params)
        self.folder = folder
        self.down_port = free_port()
        self.up_port = free_port()
        self.report = os.path.join(folder, name + ".json")
        self.process = None

    def launch(self):
        """Starts the process, once the links are there."""
        down, up = [self.intfs[port] for port in sorted(self.intfs)]
        silence(down.name)
        silence(up.name)
        command = sluice(
            "fpga",
            "--down",
            "%s=127.0.0.1:%d" % (down.name, self.down_port),
            "--up",
            "%s=127.0.0.1:%d" % (up.name, self.up_port),
            "--report",
            self.report,
        )
        self.process = Process(command, os.path.join(self.folder, self.name + ".log"), hardware=True)
        self.process.ready_line("sluice fpga: ready", START_SECONDS)

    def halt(self):
        """Ends the process as a signal does, and waits for it."""
        if self.process:
            self.process.stop(STOP_SECONDS)
            self.process = None

    def terminate(self):
        self.halt()
        Node.terminate(self)
