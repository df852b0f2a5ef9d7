"""Mininet switches that run P4: Sluice's emulated one, bmv2's simple_switch_grpc, Stratum on bmv2.

All take the same parameters, so that one topology runs on each of them. They are given no program:
a controller loads it over P4Runtime. `grpc_port` says where they listen on 127.0.0.1.

bmv2 has no lines with a rate of its own. Its interfaces can have one, by the kernel's token bucket
filter: a bucket without tokens holds bmv2's sending back, its queue fills, and the program drops by
value as it would with a slow line. Behind that queue then are 128 packets more, in an output buffer
that all ports share, which is all the delay there is: 77 ms at 20 Mbit/s.
"""

import os
import shutil
import subprocess

from mininet.node import Switch

from . import sendbuffer, verdict
from .process import Process, StartError, free_port, sluice

START_SECONDS = 600
STOP_SECONDS = 120


class P4Switch(Switch):
    """What they have in common.

    grpc_port: P4Runtime's TCP port, by default a free one
    device_id: P4Runtime device id
    folder: where logs go
    rates: line rates by port, bit/s; ports without one send at once
    delays: time under way on a port's line by port, such as "10ms", each way
    """

    profile = None
    title = None
    emulates_lines = False
    emulates_delays = False
    reports = False
    # Whether it has ports in which packets wait for a limit.
    shapes = False
    # What the demo holds it to, and the line rates at which that is possible.
    bounds = verdict.DEFAULT
    line_rates = (2_000_000, 200_000_000)

    def __init__(
        self, name, grpc_port=None, device_id=1, folder="/tmp", rates=None, delays=None, **params
    ):
        Switch.__init__(self, name, **params)
        self.grpc_port = grpc_port or free_port()
        self.device_id = device_id
        self.folder = folder
        self.rates = dict(rates or {})
        self.delays = dict(delays or {})
        self.process = None
        for what, values, able in (
            ("rates", self.rates, self.emulates_lines),
            ("delays", self.delays, self.emulates_delays),
        ):
            if values and not able:
                raise StartError("%s has no line %s" % (type(self).__name__, what))

    @classmethod
    def missing(cls):
        """Why this switch cannot run here; empty if it can."""
        return ""

    def lines(self):
        """(port number, interface name) of each port."""
        return [
            (number, interface.name)
            for number, interface in sorted(self.intfs.items())
            if interface.name != "lo"
        ]

    def log(self):
        return os.path.join(self.folder, self.name + ".log")

    def start(self, controllers):
        for _, interface in self.lines():
            silence(interface)
        self.launch()

    def launch(self):
        """Starts the process; also after `crash`."""
        raise NotImplementedError

    def crash(self):
        """Ends the process and nothing else."""
        self.process.kill()

    def halt(self):
        """Ends the process as a signal does, and waits for it."""
        if self.process:
            self.process.stop(STOP_SECONDS)
            self.process = None

    def stop(self, deleteIntfs=True):
        self.halt()
        Switch.stop(self, deleteIntfs)


class SluiceSwitch(P4Switch):
    """The emulated switch, `./sluice switch`.

    report: file for what each port did, written when it ends
    options: more options of the command
    """

    profile = "emulator"
    title = "the emulated switch"
    emulates_lines = True
    emulates_delays = True
    reports = True
    shapes = True

    def __init__(self, name, report=None, options=(), **params):
        P4Switch.__init__(self, name, **params)
        self.report = report
        self.options = list(options)

    def launch(self):
        command = ["switch", "--grpc", "127.0.0.1:%d" % self.grpc_port]
        command += ["--device-id", self.device_id]
        for number, name in self.lines():
            command += ["-i", "%d@%s" % (number, name)]
        for number, rate in sorted(self.rates.items()):
            command += ["--port-rate", "%d=%d" % (number, rate)]
        for number, delay in sorted(self.delays.items()):
            command += ["--port-delay", "%d=%s" % (number, delay)]
        if self.report:
            command += ["--report", self.report]
        # What is to be on time goes first.
        self.process = Process(sluice(*command, *self.options), self.log(), hardware=True)
        self.process.ready_line("sluice switch: device", START_SECONDS)


class V1modelSwitch(P4Switch):
    """What is bmv2 inside: its lines' rates are the kernel's."""

    emulates_lines = True
    bounds = verdict.BMV2
    line_rates = (10_000_000, 30_000_000)

    def start(self, controllers):
        for name, rate in self._shaped():
            shape(name, rate)
        P4Switch.start(self, controllers)

    def _shaped(self):
        """(interface, rate) of each line with a rate."""
        return [(name, self.rates[number]) for number, name in self.lines() if number in self.rates]

    def launch(self):
        self.run()
        for name, _ in self._shaped():
            try:
                found = sendbuffer.shorten(self.process.pid(), name)
            except OSError as error:
                raise StartError("cannot shorten the send buffer of %s: %s" % (name, error)) from error
            if not found:
                raise StartError("%s has no socket on %s" % (self.executable, name))

    def run(self):
        """Starts the process and waits until it serves."""
        raise NotImplementedError


class SimpleSwitchGrpc(V1modelSwitch):
    """bmv2's simple_switch_grpc, from PATH."""

    profile = "bmv2"
    title = "bmv2 (simple_switch_grpc)"
    executable = "simple_switch_grpc"

    @classmethod
    def missing(cls):
        return "" if shutil.which(cls.executable) else cls.executable + " is not on PATH"

    def logging(self):
        """Options of its command: what it logs."""
        return ["-L", "off"]

    def command(self):
        command = [shutil.which(self.executable), "--no-p4", *self.logging()]
        command += ["--device-id", str(self.device_id)]
        for number, name in self.lines():
            command += ["-i", "%d@%s" % (number, name)]
        return command + ["--", "--grpc-server-addr", "127.0.0.1:%d" % self.grpc_port]

    def run(self):
        self.process = Process(self.command(), self.log(), hardware=True)
        self.process.wait_for_port(self.grpc_port, START_SECONDS)


class StratumBmv2(V1modelSwitch):
    """Stratum's stratum_bmv2, from PATH, with a chassis configuration made from the interfaces.

    initial_pipeline: the empty program that Stratum starts bmv2 with, by default from where
        Stratum's package or its Mininet image has it
    """

    profile = "stratum-bmv2"
    title = "Stratum (stratum_bmv2)"
    executable = "stratum_bmv2"
    initial = ("/etc/stratum/dummy.json", "/root/dummy.json")

    def __init__(self, name, initial_pipeline=None, **params):
        P4Switch.__init__(self, name, **params)
        self.initial_pipeline = initial_pipeline or self._initial()

    @classmethod
    def _initial(cls):
        return next((path for path in cls.initial if os.path.exists(path)), cls.initial[0])

    @classmethod
    def missing(cls):
        if not shutil.which(cls.executable):
            return cls.executable + " is not on PATH"
        return "" if os.path.exists(cls._initial()) else " and ".join(cls.initial) + " are not there"

    def chassis_config(self):
        """Stratum's chassis configuration, one singleton port for each interface."""
        text = 'description: "%s in Mininet"\n' % self.name
        text += 'chassis {\n  platform: PLT_P4_SOFT_SWITCH\n  name: "%s"\n}\n' % self.name
        text += "nodes {\n  id: %d\n  slot: 1\n  index: 1\n}\n" % self.device_id
        for number, name in self.lines():
            text += (
                'singleton_ports {\n  id: %d\n  name: "%s"\n  slot: 1\n  port: %d\n  channel: 1\n'
                "  speed_bps: 10000000000\n  config_params {\n"
                "    admin_state: ADMIN_STATE_ENABLED\n  }\n  node: %d\n}\n"
                % (number, name, number, self.device_id)
            )
        return text

    def command(self, folder):
        """The command line, with its files below a folder."""
        return [
            shutil.which(self.executable) or self.executable,
            "-device_id=%d" % self.device_id,
            "-chassis_config_file=%s/chassis_config.pb.txt" % folder,
            "-forwarding_pipeline_configs_file=%s/pipelines.pb.txt" % folder,
            "-persistent_config_dir=" + folder,
            "-initial_pipeline=" + self.initial_pipeline,
            "-cpu_port=255",
            "-external_stratum_urls=127.0.0.1:%d" % self.grpc_port,
            "-local_stratum_url=127.0.0.1:%d" % free_port(),
            "-max_num_controllers_per_node=10",
            # Each write and read would be appended to a file.
            "-write_req_log_file=",
            "-read_req_log_file=",
            "-bmv2_log_level=warn",
            "-logtosyslog=false",
            "-logtostderr=true",
        ]

    def run(self):
        folder = os.path.join(self.folder, self.name + "-stratum")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "chassis_config.pb.txt"), "w", encoding="utf-8") as out:
            out.write(self.chassis_config())
        self.process = Process(self.command(folder), self.log(), hardware=True)
        self.process.wait_for_port(self.grpc_port, START_SECONDS)


def silence(name, mtu=1600):
    """Lets nothing but what is meant talk on an interface of the root namespace, and long frames."""
    path = "/proc/sys/net/ipv6/conf/%s/disable_ipv6" % name
    if os.path.exists(path):
        with open(path, "w", encoding="ascii") as setting:
            setting.write("1")
    subprocess.run(["ip", "link", "set", name, "mtu", str(mtu), "up"], check=True, timeout=60)


def shape(name, rate_bps):
    """Gives an interface's line a rate, by the kernel's token bucket filter."""
    # A frame of 1,514 bytes more than what the timer lets through at once; nothing is dropped
    # there: the sender's socket buffer is full long before.
    burst = 2 * 1514 + rate_bps // 8 // 1000
    command = ["tc", "qdisc", "replace", "dev", name, "root", "tbf"]
    command += ["rate", "%dbit" % rate_bps, "burst", str(burst), "limit", "4000000"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except OSError as error:
        raise StartError("cannot start tc: %s" % error) from error
    if done.returncode:
        raise StartError("%s: %s" % (" ".join(command), done.stderr.strip()))


SWITCHES = {"sluice": SluiceSwitch, "bmv2": SimpleSwitchGrpc, "stratum-bmv2": StratumBmv2}
