#!/usr/bin/python3
"""SLAs on real TCP: subscribers in Mininet, a switch with a bottleneck, declarations over REST.

    sudo python3 it-tests/mininet/demo.py

starts the emulated switch, the FPGAs and the controller, declares SLAs, runs iperf3 from the core
to every subscriber, changes the SLAs while it runs, and holds what each got against a prediction.
Then it pings from a capped subscriber while that downloads, with AQM under the limit and without.

Exit codes: 0 all as declared, 1 not so, 2 it cannot run here or as asked, 3 as declared as far as it
was measured: for some steps the machine was too slow.
"""

import argparse
import json
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="demo.py", description="SLAs declared over REST, obeyed by iperf3 in Mininet, live."
    )
    parser.add_argument(
        "--switch",
        default="sluice",
        help="sluice, bmv2 or stratum-bmv2 (default: sluice, the emulated switch)",
    )
    parser.add_argument(
        "--wire",
        action="store_true",
        help="put the switch as a wire into a network that runs: OSPF, BGP, DHCP, PPPoE",
    )
    parser.add_argument("--rate", default="20M", help="rate of the bottleneck (default: 20M)")
    parser.add_argument(
        "--delay", help="its delay each way, on the emulated switch (default: 10ms)"
    )
    parser.add_argument(
        "--subscriber",
        action="append",
        metavar="POLICY:CONGESTION[:LIMIT]",
        help="such as gold:cubic or silver:bbr:2M; repeated (default: six of them)",
    )
    parser.add_argument("--streams", default=4, type=int, help="connections each (default: 4)")
    parser.add_argument("--settle", default=6, type=int, help="seconds after a change (default: 6)")
    parser.add_argument(
        "--measure",
        default=15,
        type=int,
        help="seconds after each change in which the machine has to keep up (default: 15)",
    )
    parser.add_argument("--html", default="mininet.html", help="the page (default: mininet.html)")
    parser.add_argument("--report", help="the figures as JSON")
    return parser.parse_args(arguments)


def missing(wire):
    """What this machine lacks, in words; empty if nothing."""
    if os.geteuid() != 0:
        return "it takes root: sudo python3 " + os.path.relpath(__file__)
    try:
        import mininet.net  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return (
            "%s has no Mininet; on Debian: apt-get install mininet iperf3 iputils-ping, and the system's own"
            " python3" % sys.executable
        )
    from sluice_mininet import carrier, iperf  # pylint: disable=import-outside-toplevel

    return iperf.missing() or (carrier.missing() if wire else "")


def main(arguments):
    options = parse(arguments)
    lack = missing(options.wire)
    if lack:
        print("sluice mininet: " + lack, file=sys.stderr)
        return 2
    from sluice_mininet import run, scenario, wire  # pylint: disable=import-outside-toplevel
    from sluice_mininet.process import StartError  # pylint: disable=import-outside-toplevel

    try:
        # With all that it starts: who measures others should not wait for them.
        os.nice(-5)
    except OSError:
        print("sluice mininet: not allowed to go before other processes", file=sys.stderr)
    # A signal ends it as Ctrl-C does, so that everything is taken down.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory(prefix="sluice-mininet-") as folder:
        try:
            kind = wire.WireDemo if options.wire else run.Demo
            found = kind(options, folder).run()
        except (scenario.OptionError, StartError) as error:
            print("sluice mininet: %s" % error, file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("\nsluice mininet: stopped", file=sys.stderr)
            return 130
    with open(options.html, "w", encoding="utf-8") as out:
        out.write(found.page())
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            json.dump(found.as_dict(), out, indent=2)
            out.write("\n")
    print(found.text(options.html))
    return found.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
