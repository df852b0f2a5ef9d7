#!/usr/bin/python3
"""Packet values across switches, live: two BNG switches mark, an aggregation switch drops by value.

    sudo python3 it-tests/mininet/two_bng.py --switch bmv2

starts three switches and one controller in Mininet, has every subscriber send UDP at a constant
rate to the core, more than the last line carries, and holds what arrives of each, by the frames that
reach the core, against the water-filling of the line. Then a silver subscriber becomes gold.

Exit codes: as of demo.py.
"""

import argparse
import json
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import demo  # pylint: disable=wrong-import-position


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="two_bng.py", description="Subscribers of two BNG switches share a line by value, live."
    )
    parser.add_argument("--switch", default="sluice", help="as of demo.py (default: sluice)")
    parser.add_argument("--rate", default="10M", help="rate of the bottleneck (default: 10M)")
    parser.add_argument(
        "--subscriber",
        action="append",
        metavar="POLICY@BNG:RATE",
        help="such as gold@1:4M, what it offers; repeated (default: six of them)",
    )
    parser.add_argument("--settle", default=10, type=int, help="seconds after a change (default: 10)")
    parser.add_argument(
        "--measure",
        default=20,
        type=int,
        help="seconds after each change in which the machine has to keep up (default: 20)",
    )
    parser.add_argument("--report", help="the figures as JSON")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    lack = demo.missing()
    if lack:
        print("sluice mininet: " + lack.replace("demo.py", "two_bng.py"), file=sys.stderr)
        return 2
    # pylint: disable=import-outside-toplevel
    from sluice_mininet import scenario, sharing
    from sluice_mininet.process import StartError

    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory(prefix="sluice-mininet-") as folder:
        try:
            found = sharing.Sharing(options, folder).run()
        except (scenario.OptionError, StartError) as error:
            print("sluice mininet: %s" % error, file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("\nsluice mininet: stopped", file=sys.stderr)
            return 130
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            json.dump(found.as_dict(), out, indent=2)
            out.write("\n")
    print(found.text())
    return found.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
