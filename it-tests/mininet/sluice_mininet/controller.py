"""The controller, `./sluice serve --switch`, and a client of its REST interface."""

import json
import os
import re
import urllib.error
import urllib.request

from .process import Process, StartError, sluice
from .switches import START_SECONDS

# What is on 127.0.0.1 is asked directly, whatever the environment says of proxies.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """The controller refused a request; the text is its problem's detail."""

    def __init__(self, status, problem):
        Exception.__init__(self, problem.get("detail", "status %d" % status))
        self.status = status
        self.problem = problem


class Api:
    """The REST interface at a base such as http://127.0.0.1:8181/sluice/v1.

    tell: is called with a line of text for each change
    """

    def __init__(self, base, tell=None):
        self.base = base.rstrip("/")
        self.tell = tell or (lambda text: None)

    def send(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with _OPENER.open(request, data, timeout=120) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {"detail": "%d %s" % (error.code, error.reason)}
            raise Refused(error.code, problem) from None
        return json.loads(text) if text else None

    def put(self, path, body, wait_millis=60_000):
        """Declares, and waits until the targets have it; what they say."""
        self.tell("PUT %s %s" % (path, json.dumps(body)))
        return self.send("PUT", "%s?waitMillis=%d" % (path, wait_millis), body)

    def get(self, path):
        return self.send("GET", path)

    def delete(self, path):
        self.tell("DELETE " + path)
        self.send("DELETE", path)

    def bytes_out(self, subscriber):
        """Frame bytes that have left the switch towards a subscriber."""
        return self.get("/subscribers/%s/counters" % subscriber)["down"]["bytesOut"]


class Controller:
    """A controller of one switch and, if there is one, of one node of FPGAs."""

    def __init__(self, folder, switch, topology, fpga=None, max_subscriber_rate=1_000_000_000):
        self.folder = folder
        self.switch = switch
        self.fpga = fpga
        self.max_subscriber_rate = max_subscriber_rate
        self.topology = os.path.join(folder, "topology.json")
        with open(self.topology, "w", encoding="utf-8") as out:
            json.dump(topology, out, indent=2)
        self.process = None
        self.api = None

    def launch(self):
        """Starts the process; also after `crash`. Returns when the API answers."""
        command = ["serve", "--http", "127.0.0.1:0", "--data", os.path.join(self.folder, "data")]
        command += ["--max-subscriber-rate", self.max_subscriber_rate]
        command += self.targets()
        self.process = Process(sluice(*command), os.path.join(self.folder, "serve.log"))
        line = self.process.ready_line("sluice: ready", START_SECONDS)
        found = re.search(r"API (\S+),", line)
        if not found:
            raise StartError("no API in: " + line)
        self.api = Api(found.group(1))

    def targets(self):
        """Options that say what it drives."""
        options = ["--switch", "127.0.0.1:%d" % self.switch.grpc_port]
        options += ["--profile", self.switch.profile, "--device-id", self.switch.device_id]
        options += ["--topology", self.topology]
        if self.fpga:
            options += ["--fpga-down", "127.0.0.1:%d" % self.fpga.down_port]
            options += ["--fpga-up", "127.0.0.1:%d" % self.fpga.up_port]
        return options

    def crash(self):
        self.process.kill()

    def stop(self):
        if self.process:
            self.process.stop()
            self.process = None
