"""Packs what p4c's back end for Tofino wrote into what Stratum loads: a stratum.barefoot.BfPipelineConfig.

    pipeline_config.py OUTPUT_DIRECTORY BF_RT_JSON FILE

The message is written by hand, so that nothing but Python is needed.
"""

import pathlib
import sys

P4_NAME, BFRUNTIME_INFO, PROFILES = 1, 2, 3
PROFILE_NAME, CONTEXT, BINARY, PIPE_SCOPE = 1, 2, 3, 4
# The pipes of a Wedge100BF-32X: all of them run the program.
PIPES = bytes([0, 1])


def varint(number):
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def find(root, name):
    found = sorted(root.rglob(name))
    if not found:
        sys.exit(f"pipeline_config.py: the compiler wrote no {name}")
    return found[0].read_bytes()


def main():
    root = pathlib.Path(sys.argv[1])
    profile = (
        field(PROFILE_NAME, b"pipe")
        + field(CONTEXT, find(root, "context.json"))
        + field(BINARY, find(root, "tofino*.bin"))
        + field(PIPE_SCOPE, PIPES)
    )
    config = field(P4_NAME, b"sluice") + field(BFRUNTIME_INFO, pathlib.Path(sys.argv[2]).read_bytes()) + field(PROFILES, profile)
    pathlib.Path(sys.argv[3]).write_bytes(config)


main()
