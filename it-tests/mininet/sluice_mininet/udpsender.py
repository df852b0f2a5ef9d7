#!/usr/bin/python3
"""Sends UDP at a rate that may change: udpsender.py ADDRESS FRAME_BYTES ECN [RATE_BPS MILLIS]...

What could not be sent in time is sent late, so that a busy machine sends the same packets. Runs in
a host of its own.
"""

import os
import socket
import sys
import time

# Ethernet, IPv4 and UDP.
HEADERS = 14 + 20 + 8
DISCARD = 9


def command(address, frame_bytes, phases, ecn=0):
    """The command line.

    phases: pairs of a rate, bit/s of frames, and milliseconds
    ecn: the codepoint of RFC 3168 that packets have
    """
    numbers = [frame_bytes, ecn] + [number for phase in phases for number in phase]
    return ["/usr/bin/python3", os.path.abspath(__file__), address] + [str(n) for n in numbers]


def main(address, frame_bytes, ecn, *phases):
    payload = bytes(int(frame_bytes) - HEADERS)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, int(ecn))
        due = time.monotonic()
        for rate, millis in zip(phases[::2], phases[1::2]):
            gap = 8 * int(frame_bytes) / int(rate)
            end = due + int(millis) / 1000
            while due < end:
                time.sleep(max(0.0, due - time.monotonic()))
                out.sendto(payload, (address, DISCARD))
                due += gap


if __name__ == "__main__":
    main(*sys.argv[1:])
