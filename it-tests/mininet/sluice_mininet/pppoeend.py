#!/usr/bin/python3
"""One end of PPPoE sessions where the kernel has no PPP: pppoeend.py INTERFACE [ADDRESS MAC=ADDRESS...]

With nothing else it is a subscriber, which asks for a session and is told its address; with its
own address and those of subscribers the concentrator. IPv4 goes through a TUN device. Each end sends an echo request of LCP
every second; three without an answer end the session. Prints "up SESSION ADDRESS", then every
second "echo SENT ANSWERED", and "lost".
"""

import fcntl
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

DISCOVERY, SESSION = 0x8863, 0x8864
PADI, PADO, PADR, PADS, PADT = 0x09, 0x07, 0x19, 0x65, 0xA7
IPV4, LCP, IPCP = 0x0021, 0xC021, 0x8021
REQUEST, ACK, NAK, ECHO, ECHO_REPLY = 1, 2, 3, 9, 10
MRU = 1492
DEVICE = "ppp0"
PATIENCE = 3
BROADCAST = b"\xff" * 6
# Its service has no name; a host's number comes back as it was sent.
SERVICE, HOST_UNIQ, COOKIE = b"\x01\x01\0\0", 0x0103, 0x0104
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000


def tags(payload):
    found, at = {}, 0
    while at + 4 <= len(payload):
        kind, length = struct.unpack_from("!HH", payload, at)
        found[kind] = payload[at + 4 : at + 4 + length]
        at += 4 + length
    return found


def tag(kind, value):
    return struct.pack("!HH", kind, len(value)) + value


def tell(*words):
    print(*words, flush=True)


def ip(*words):
    subprocess.run(["ip", *words], check=True, timeout=60)


class Ppp:
    """PPP of one session, after its discovery.

    send: takes a protocol and bytes
    own: this end's address, or None for a subscriber, which is told it
    offer: the other end's address, or None
    """

    def __init__(self, send, own, offer):
        self.send = send
        self.own = socket.inet_aton(own or "0.0.0.0")
        self.offer = offer and socket.inet_aton(offer)
        self.magic = os.urandom(4)
        # Of LCP and IPCP: whether what we ask for is acknowledged, and what the other end asks for.
        self.acked = {LCP: False, IPCP: False}
        self.agreed = {LCP: False, IPCP: False}
        self.sent = self.answered = self.missed = 0
        self.up = False

    def _options(self, protocol):
        if protocol == LCP:
            return struct.pack("!BBH", 1, 4, MRU) + b"\x05\x06" + self.magic
        return b"\x03\x06" + self.own

    def _packet(self, protocol, code, number, data):
        self.send(protocol, struct.pack("!BBH", code, number, 4 + len(data)) + data)

    def tick(self):
        """Once a second: asks again for what is not agreed, then whether the other end is there."""
        if self.up:
            self.sent += 1
            self.missed += 1
            self._packet(LCP, ECHO, self.sent & 0xFF, self.magic)
            return
        if not self.acked[LCP]:
            self._packet(LCP, REQUEST, 1, self._options(LCP))
        elif not self.acked[IPCP]:
            self._packet(IPCP, REQUEST, 1, self._options(IPCP))

    def receive(self, protocol, packet):
        code, number, length = struct.unpack_from("!BBH", packet)
        data = packet[4:length]
        if code == ECHO:
            self._packet(LCP, ECHO_REPLY, number, self.magic)
        elif code == ECHO_REPLY:
            self.answered += 1
            self.missed = 0
        elif code == REQUEST:
            if protocol == IPCP and self.offer and data[2:6] != self.offer:
                self._packet(protocol, NAK, number, b"\x03\x06" + self.offer)
                return
            self.agreed[protocol] = True
            self._packet(protocol, ACK, number, data)
        elif code == NAK:
            self.own = data[2:6]
            self._packet(protocol, REQUEST, number + 1, self._options(protocol))
        elif code == ACK:
            self.acked[protocol] = True
            if protocol == LCP:
                self._packet(IPCP, REQUEST, 1, self._options(IPCP))

    def ready(self):
        """Whether it has just become ready to carry IPv4."""
        if self.up or not all(self.acked.values()) or not all(self.agreed.values()):
            return False
        self.up = True
        return True


class End:
    """What both ends share: sockets, the TUN device, and sessions by (MAC, number)."""

    def __init__(self, interface):
        self.sockets = {}
        for kind in (DISCOVERY, SESSION):
            one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            one.bind((interface, kind))
            self.sockets[kind] = one
        self.mac = self.sockets[SESSION].getsockname()[4]
        self.sessions = {}
        self.tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(self.tun, TUNSETIFF, struct.pack("16sH", DEVICE.encode(), IFF_TUN | IFF_NO_PI))
        ip("link", "set", DEVICE, "mtu", str(MRU), "up")

    def frame(self, kind, peer, code, number, payload):
        header = struct.pack("!HBBHH", kind, 0x11, code, number, len(payload))
        self.sockets[kind].send(peer + self.mac + header + payload)

    def open(self, peer, number, own, offer):
        def send(protocol, packet):
            self.frame(SESSION, peer, 0, number, struct.pack("!H", protocol) + packet)

        self.sessions[peer, number] = Ppp(send, own, offer)

    def discovered(self, peer, code, number, payload):
        raise NotImplementedError

    def routed(self, ppp, number):
        """A session is ready."""
        raise NotImplementedError

    def session_of(self, packet):
        """The session that an IPv4 packet of this end's kernel belongs to; None for none."""
        raise NotImplementedError

    def tick(self):
        for ppp in self.sessions.values():
            ppp.tick()
        lost = [key for key, ppp in self.sessions.items() if ppp.missed > PATIENCE]
        for key in lost:
            del self.sessions[key]
            tell("lost", key[1])

    def hear(self, kind):
        bytes_, sender = self.sockets[kind].recvfrom(2048)
        if sender[2] == socket.PACKET_OUTGOING or len(bytes_) < 20:
            return
        peer = bytes_[6:12]
        code, number, length = struct.unpack_from("!BHH", bytes_, 15)
        payload = bytes_[20 : 20 + length]
        if kind == DISCOVERY:
            self.discovered(peer, code, number, payload)
            return
        ppp = self.sessions.get((peer, number))
        if not ppp or bytes_[:6] != self.mac or len(payload) < 6:
            return
        protocol = struct.unpack_from("!H", payload)[0]
        if protocol == IPV4:
            os.write(self.tun, payload[2:])
            return
        if protocol in (LCP, IPCP):
            ppp.receive(protocol, payload[2:])
        if ppp.ready():
            self.routed(ppp, number)

    def run(self):
        due = time.monotonic()
        while True:
            wait = max(0.0, due - time.monotonic())
            readable = select.select([*self.sockets.values(), self.tun], [], [], wait)[0]
            for kind, one in self.sockets.items():
                if one in readable:
                    self.hear(kind)
            if self.tun in readable:
                packet = os.read(self.tun, 2048)
                ppp = self.session_of(packet)
                if ppp and packet[0] >> 4 == 4:
                    ppp.send(IPV4, packet)
            if time.monotonic() >= due:
                due += 1
                self.tick()


class Concentrator(End):
    def __init__(self, interface, address, told):
        super().__init__(interface)
        self.address = address
        self.told = told
        self.by_address = {}
        ip("addr", "add", address + "/32", "dev", DEVICE)

    def discovered(self, peer, code, number, payload):
        if peer not in self.told or code not in (PADI, PADR):
            return
        answer = SERVICE + tag(0x0102, b"sluice")
        if HOST_UNIQ in tags(payload):
            answer += tag(HOST_UNIQ, tags(payload)[HOST_UNIQ])
        if code == PADI:
            self.frame(DISCOVERY, peer, PADO, 0, answer + tag(COOKIE, self.mac))
            return
        number = 1 + list(self.told).index(peer)
        if (peer, number) not in self.sessions:
            self.open(peer, number, self.address, self.told[peer])
        self.frame(DISCOVERY, peer, PADS, number, answer)

    def routed(self, ppp, number):
        self.by_address[ppp.offer] = ppp
        ip("route", "replace", socket.inet_ntoa(ppp.offer) + "/32", "dev", DEVICE)
        tell("up", number, socket.inet_ntoa(ppp.offer))

    def session_of(self, packet):
        return self.by_address.get(packet[16:20])


class Subscriber(End):
    def discovered(self, peer, code, number, payload):
        if self.sessions or tags(payload).get(HOST_UNIQ) != self.mac:
            return
        if code == PADO:
            cookie = tag(COOKIE, tags(payload).get(COOKIE, b""))
            self.frame(DISCOVERY, peer, PADR, 0, SERVICE + tag(HOST_UNIQ, self.mac) + cookie)
        elif code == PADS:
            self.open(peer, number, None, None)

    def routed(self, ppp, number):
        address = socket.inet_ntoa(ppp.own)
        ip("addr", "replace", address + "/32", "dev", DEVICE)
        ip("route", "replace", "default", "dev", DEVICE)
        tell("up", number, address)

    def session_of(self, packet):
        return next(iter(self.sessions.values()), None)

    def tick(self):
        if not self.sessions:
            self.frame(DISCOVERY, BROADCAST, PADI, 0, SERVICE + tag(HOST_UNIQ, self.mac))
        for ppp in self.sessions.values():
            if ppp.up:
                tell("echo", ppp.sent, ppp.answered)
        super().tick()


def main(interface, address=None, *pairs):
    told = {}
    for pair in pairs:
        mac, offer = pair.split("=")
        told[bytes.fromhex(mac.replace(":", ""))] = offer
    end = Concentrator(interface, address, told) if told else Subscriber(interface)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        end.run()
    finally:
        for peer, number in end.sessions:
            end.frame(DISCOVERY, peer, PADT, number, b"")


if __name__ == "__main__":
    main(*sys.argv[1:])
