#!/usr/bin/python3
"""Counts the frames that reach an interface, by IPv4 source: framecounter.py INTERFACE.

Prints "seconds {source: frame bytes so far}" four times a second, by the monotonic clock. Takes what
comes to the discard port, so that nobody answers that there is none. Runs in a host of its own.
"""

import collections
import json
import socket
import sys
import time

from udpsender import DISCARD

PERIOD = 0.25
_ETH_P_IP = 0x0800
_HEADERS = 34


def main(interface):
    counts = collections.Counter()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IP)) as frames:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
            sink.bind(("", DISCARD))
            frames.bind((interface, _ETH_P_IP))
            frames.settimeout(PERIOD / 5)
            start = bytearray(_HEADERS)
            told = time.monotonic()
            print(told, json.dumps(counts), flush=True)
            while True:
                try:
                    size, sender = frames.recvfrom_into(start, 0, socket.MSG_TRUNC)
                    if sender[2] == socket.PACKET_OUTGOING:
                        size = 0
                except TimeoutError:
                    size = 0
                if size:
                    counts[socket.inet_ntoa(start[26:30])] += size
                now = time.monotonic()
                if now - told >= PERIOD:
                    told = now
                    print(now, json.dumps(counts), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
