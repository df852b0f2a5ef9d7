"""Turns off an interface's offloads, as `ethtool -K` does, which need not be installed.

Usage: python3 offload.py INTERFACE...
"""

import array
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
# ETHTOOL_STXCSUM, STSO, SGSO, SGRO: checksums, cutting and joining of segments.
SET = (0x17, 0x1F, 0x24, 0x2C)


def turn_off(name):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in SET:
            value = array.array("B", struct.pack("=II", command, 0))
            address, _ = value.buffer_info()
            fcntl.ioctl(control, SIOCETHTOOL, struct.pack("16sP", name.encode(), address))


if __name__ == "__main__":
    for each in sys.argv[1:]:
        turn_off(each)
