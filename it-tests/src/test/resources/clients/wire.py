"""Probes of the program 'everything' on the far ends of a switch's interfaces."""
import select
import socket
import struct
import sys

ETH_P_ALL = 3
PACKET_OUTGOING = 4
PROBE = 0x88B6
PATIENCE = 300
HERE = bytes.fromhex("0a0000000001")


def check(what, actual, expected):
    if actual != expected:
        raise AssertionError("%s: expected %r, got %r" % (what, expected, actual))
    print("ok:", what, flush=True)


def frame(kind, key=0, word=0, addr=0, dst="0a0000000002", type=PROBE):
    return bytes.fromhex(dst) + HERE + struct.pack("!HBBHI", type, kind, key, word, addr) + b"payload"


class Wire:
    """Interfaces by the number of the port at their other end."""

    def __init__(self, names):
        self.sockets = {}
        for word in names.split(","):
            port, name = word.split("@")
            # Without a protocol until it is bound: it would hear every interface of the machine.
            one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            one.bind((name, ETH_P_ALL))
            self.sockets[int(port)] = one

    def send(self, port, bytes_):
        self.sockets[port].send(bytes_)

    def next(self, port):
        """The next frame that comes out of a port; None if none comes."""
        one = self.sockets[port]
        while select.select([one], [], [], PATIENCE)[0]:
            bytes_, address = one.recvfrom(65536)
            if address[2] != PACKET_OUTGOING:
                return bytes_
        return None

    def port_of_next(self, *ports):
        """Takes the next frame out of any of these ports; which one that was."""
        ready = select.select([self.sockets[port] for port in ports], [], [], PATIENCE)[0]
        for port in ports:
            if self.sockets[port] in ready:
                self.next(port)
                return port
        return None

    def expect(self, what, port, bytes_):
        check(what, self.next(port), bytes_)

    def word_of_next(self, port):
        got = self.next(port)
        return None if got is None else struct.unpack("!H", got[16:18])[0]

    def key_of_next(self, port):
        got = self.next(port)
        return None if got is None else got[15]

    def addr_of_next(self, port):
        got = self.next(port)
        return None if got is None else struct.unpack("!I", got[18:22])[0]

    def nothing_before(self, what, port, bytes_):
        """A packet that is known to come out of a port is the first that does."""
        self.send(1, bytes_)
        self.expect(what, port, bytes_)
