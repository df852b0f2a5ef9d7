"""What tests need, and words for what is not there."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def skip(reason):
    """Skips, and says so where somebody sees it."""
    print("SKIPPED: " + reason, flush=True)
    raise unittest.SkipTest(reason)


def mininet():
    try:
        import mininet.net  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        skip("%s has no Mininet" % sys.executable)


def network():
    """Mininet, root that may make networks, iperf3."""
    mininet()
    if os.geteuid() != 0:
        skip("Mininet needs root")
    made = "ip link add slq0 type veth peer name slq1 && tc qdisc add dev slq0 root htb"
    try:
        tried = subprocess.run(
            ["unshare", "-n", "sh", "-c", made], capture_output=True, text=True, check=False
        )
    except OSError as error:
        skip("cannot make network namespaces here: %s" % error)
    if tried.returncode:
        skip("cannot make networks here: %s" % tried.stderr.strip())
    from sluice_mininet import iperf  # pylint: disable=import-outside-toplevel

    if iperf.missing():
        skip(iperf.missing())
