#!/usr/bin/env python3
"""Writes frames.txt: 200 frames as networks between subscribers and core have them, for the test of wires.

    python3 -m venv /tmp/scapy && /tmp/scapy/bin/pip install scapy==2.8.0
    /tmp/scapy/bin/python frames.py > frames.txt

A line is a frame: its name, the way that it goes, whose it is, and its bytes. alice is known by her addresses, bob by
the tags 100 and 7, carol by the tag 300 with any inner one; what is none of theirs is nobody's. Scapy makes the bytes,
so that they are not the test's own idea of these protocols. The tests need only the file.
"""
import random
import sys

from scapy.all import (AH, ARP, BOOTP, DHCP, DHCP6_Solicit, DHCP6_Advertise, DHCP6OptClientId, DHCP6OptIAAddress, DHCP6OptIA_NA,
                       DUID_LL, EAPOL, ESP, GRE, ICMP, IP, LLC, PPP, PPP_IPCP, PPP_LCP_Configure, PPP_LCP_Echo, PPP_PAP_Request, PPPoE,
                       PPPoED, PPPoED_Tags, PPPoETag, SNAP, STP, TCP, UDP, Dot1AD, Dot1Q, Dot3, Ether, ICMPv6EchoRequest,
                       ICMPv6MLReport2, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6ND_RA, ICMPv6ND_RS, ICMPv6NDOptDstLLAddr,
                       ICMPv6NDOptPrefixInfo, ICMPv6NDOptSrcLLAddr, IPOption_NOP, IPOption_RR, IPOption_Router_Alert,
                       IPOption_Timestamp, IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting, PadN,
                       Raw, RouterAlert, VXLAN, fragment, load_contrib)

for contrib in ("bfd", "bgp", "cdp", "gtp", "igmp", "isis", "lacp", "ldp", "lldp", "macsec", "mpls", "ospf", "pim"):
    load_contrib(contrib)

from scapy.contrib.bfd import BFD  # noqa: E402
from scapy.contrib.bgp import BGPHeader, BGPKeepAlive  # noqa: E402
from scapy.contrib.cdp import CDPMsgDeviceID, CDPv2_HDR  # noqa: E402
from scapy.contrib.gtp import GTP_U_Header  # noqa: E402
from scapy.contrib.igmp import IGMP  # noqa: E402
from scapy.contrib.isis import ISIS_CommonHdr, ISIS_P2P_Hello  # noqa: E402
from scapy.contrib.lacp import LACP, SlowProtocol  # noqa: E402
from scapy.contrib.lldp import (LLDPDU, LLDPDUChassisID, LLDPDUEndOfLLDPDU, LLDPDUPortID, LLDPDUTimeToLive)  # noqa: E402
from scapy.contrib.macsec import MACsec  # noqa: E402
from scapy.contrib.mpls import MPLS  # noqa: E402
from scapy.contrib.ospf import OSPF_Hdr, OSPF_Hello  # noqa: E402
from scapy.layers.hsrp import HSRP  # noqa: E402
from scapy.layers.rip import RIP, RIPEntry  # noqa: E402
from scapy.layers.vrrp import VRRP  # noqa: E402

CPE = "02:00:00:00:0a:01"
BNG = "02:00:00:00:0b:02"
FRAMES = []
RANDOM = random.Random(200)


def noise(length):
    return Raw(bytes(RANDOM.randrange(256) for _ in range(length)))


def add(name, way, owner, frame):
    FRAMES.append((name, way, owner, bytes(frame)))


def ether(way, **fields):
    up = way == "up"
    return Ether(**{"src": CPE if up else BNG, "dst": BNG if up else CPE, **fields})


def v4(way, subscriber="10.0.0.1", other="198.51.100.1", **fields):
    up = way == "up"
    return IP(src=subscriber if up else other, dst=other if up else subscriber, **fields)


def v6(way, subscriber="2001:db8:1::9", other="2001:db8:ffff::1", **fields):
    up = way == "up"
    return IPv6(src=subscriber if up else other, dst=other if up else subscriber, **fields)


def encapsulated(way, packet):
    """The packet in every way in which a wire still knows whose it is."""
    ppp = 0x0057 if packet.version == 6 else 0x0021
    session = PPPoE(sessionid=0x0c1f) / PPP(proto=ppp)
    labels = [MPLS(label=label, ttl=ttl) for label, ttl in ((16, 255), (300_001, 64), (1_048_575, 1))]
    yield "plain", ether(way) / packet
    yield "dot1q", ether(way) / Dot1Q(prio=5, dei=1, vlan=501) / packet
    yield "dot1ad", ether(way) / Dot1AD(prio=3, vlan=502) / packet
    yield "qinq", ether(way) / Dot1AD(prio=7, dei=1, vlan=503) / Dot1Q(prio=1, vlan=7) / packet
    yield "old-qinq", ether(way, type=0x9100) / Dot1Q(prio=2, vlan=504) / Dot1Q(prio=6, vlan=8) / packet
    yield "pppoe", ether(way) / session / packet
    yield "qinq-pppoe", ether(way) / Dot1AD(vlan=505) / Dot1Q(prio=4, vlan=9) / session / packet
    yield "mpls-1", ether(way) / labels[0] / packet
    yield "mpls-2", ether(way) / labels[0] / labels[1] / packet
    yield "mpls-3", ether(way) / labels[0] / labels[1] / labels[2] / packet
    yield "dot1q-mpls", ether(way) / Dot1Q(prio=6, vlan=506) / labels[1] / packet


def of_alice():
    for way in ("up", "down"):
        packets = {
            "v4-udp": v4(way, ttl=1, tos=0xb8) / UDP(sport=5060, dport=5060) / noise(160),
            "v4-tcp": v4(way, flags="DF", tos=1) / TCP(sport=443, dport=50_000, flags="PA", options=[("MSS", 1460), ("WScale", 7)]) / noise(40),
            "v6-udp": v6(way, hlim=1, tc=0x02) / UDP(sport=443, dport=50_000) / noise(99),
            "v6-tcp": v6(way, fl=0x12345) / TCP(sport=80, dport=50_001, flags="S"),
        }
        for kind, packet in packets.items():
            for shape, frame in encapsulated(way, packet):
                add(f"{kind}-{shape}-{way}", way, "alice", frame)

    # Fragments, options, extension headers: known by their addresses.
    for i, part in enumerate(fragment(v4("up", id=7) / UDP(dport=9) / noise(3000), fragsize=1480)):
        add(f"v4-fragment-{i}", "up", "alice", ether("up") / part)
    for name, option in (("record-route", IPOption_RR()), ("router-alert", IPOption_Router_Alert()), ("timestamp", IPOption_Timestamp()),
                         ("nop", IPOption_NOP())):
        add(f"v4-option-{name}", "down", "alice", ether("down") / v4("down", options=[option]) / UDP(dport=9) / noise(20))
    end = UDP(dport=9) / noise(24)
    hop = IPv6ExtHdrHopByHop(options=[PadN(optdata=b"\0" * 4)])
    dest = IPv6ExtHdrDestOpt(options=[PadN(optdata=b"\0" * 12)])
    route = IPv6ExtHdrRouting(addresses=["2001:db8:ffff::2"])
    for name, headers in (("hop-by-hop", hop / end), ("destination", dest / end), ("routing", route / end),
                          ("first-fragment", IPv6ExtHdrFragment(m=1, id=3) / end), ("later-fragment", IPv6ExtHdrFragment(offset=181, id=3) / end),
                          ("all", hop / dest / route / IPv6ExtHdrFragment(m=1) / dest / end), ("ah", AH(spi=1, icv=b"\1" * 12, payloadlen=4) / end),
                          ("esp", ESP(spi=9, seq=1, data=b"\7" * 60))):
        add(f"v6-{name}", "up", "alice", ether("up") / v6("up") / headers)
    add("v4-esp", "down", "alice", ether("down") / v4("down") / ESP(spi=9, seq=1, data=b"\7" * 60))
    add("v4-icmp", "up", "alice", ether("up") / v4("up") / ICMP() / noise(56))
    add("v6-echo", "down", "alice", ether("down") / v6("down") / ICMPv6EchoRequest(data=b"x" * 56))
    add("v4-gre", "up", "alice", ether("up") / v4("up") / GRE() / IP(dst="192.0.2.1") / noise(9))
    add("v4-vxlan", "down", "alice", ether("down") / v4("down") / UDP(dport=4789) / VXLAN(vni=77) / Ether() / IP() / noise(9))
    add("v4-priority-tag", "up", "alice", ether("up") / Dot1Q(prio=6, vlan=0) / v4("up") / UDP(dport=9) / noise(18))
    add("v4-in-v4", "down", "alice", ether("down") / v4("down") / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(dport=9) / noise(18))
    add("v4-padded", "up", "alice", ether("up") / v4("up", len=28) / UDP(len=8) / noise(18))
    add("v4-jumbo", "up", "alice", ether("up") / v4("up") / UDP(dport=9) / noise(9216 - 42))
    add("v6-jumbo-qinq-pppoe", "down", "alice",
        ether("down") / Dot1AD(vlan=505) / Dot1Q(vlan=9) / PPPoE(sessionid=3) / PPP(proto=0x57) / v6("down") / UDP(dport=9) / noise(9216 - 78))


def of_lines():
    any4 = {"subscriber": "192.0.2.77"}
    for way in ("up", "down"):
        add(f"line-pair-{way}", way, "bob", ether(way) / Dot1AD(prio=5, vlan=100) / Dot1Q(vlan=7) / v4(way, **any4) / UDP(dport=9) / noise(10))
        add(f"line-pair-pppoe-{way}", way, "bob",
            ether(way) / Dot1Q(vlan=100) / Dot1Q(vlan=7) / PPPoE(sessionid=1) / PPP(proto=0x57) / v6(way, subscriber="fd00::1") / UDP(dport=9) / noise(10))
        add(f"line-single-{way}", way, "carol", ether(way) / Dot1Q(prio=3, vlan=300) / v4(way, **any4) / TCP(dport=22))
        add(f"line-single-any-{way}", way, "carol", ether(way) / Dot1AD(vlan=300) / Dot1Q(vlan=4094) / v4(way, **any4) / TCP(dport=22))


def control():
    lldp = LLDPDU() / LLDPDUChassisID(subtype=4, id=CPE) / LLDPDUPortID(subtype=7, id=b"1") / LLDPDUTimeToLive(ttl=120) / LLDPDUEndOfLLDPDU()
    add("lldp", "up", "nobody", Ether(src=CPE, dst="01:80:c2:00:00:0e", type=0x88cc) / lldp)
    add("stp", "up", "nobody", Dot3(src=CPE, dst="01:80:c2:00:00:00") / LLC() / STP() / noise(8))
    add("rstp", "down", "nobody", Dot3(src=BNG, dst="01:80:c2:00:00:00") / LLC() / STP(version=2, bpdutype=2) / noise(8))
    add("lacp", "up", "nobody", Ether(src=CPE, dst="01:80:c2:00:00:02") / SlowProtocol() / LACP())
    add("cdp", "up", "nobody",
        Dot3(src=CPE, dst="01:00:0c:cc:cc:cc") / LLC(dsap=0xaa, ssap=0xaa, ctrl=3) / SNAP(OUI=0xc, code=0x2000) / CDPv2_HDR(msg=[CDPMsgDeviceID(val=b"sw1")]))
    add("isis", "down", "nobody",
        Dot3(src=BNG, dst="09:00:2b:00:00:05") / LLC(dsap=0xfe, ssap=0xfe, ctrl=3) / ISIS_CommonHdr() / ISIS_P2P_Hello() / noise(900))
    add("eapol", "up", "nobody", Ether(src=CPE, dst="01:80:c2:00:00:03") / EAPOL(type=1))
    add("cfm", "down", "nobody", Ether(src=BNG, dst="01:80:c2:00:00:35", type=0x8902) / noise(70))
    add("arp-request", "up", "nobody", Ether(src=CPE, dst="ff:ff:ff:ff:ff:ff") / ARP(psrc="10.0.0.1", pdst="10.0.0.254"))
    add("arp-reply", "down", "nobody", ether("down") / ARP(op=2, psrc="10.0.0.254", pdst="10.0.0.1"))
    add("arp-on-a-line", "up", "nobody", Ether(src=CPE, dst="ff:ff:ff:ff:ff:ff") / Dot1AD(vlan=100) / Dot1Q(vlan=7) / ARP())
    for code, name in ((0x09, "padi"), (0x07, "pado"), (0x19, "padr"), (0x65, "pads"), (0xa7, "padt")):
        way = "down" if name in ("pado", "pads") else "up"
        add(name, way, "nobody", ether(way) / Dot1Q(vlan=100) / PPPoED(code=code) / PPPoED_Tags(tag_list=[PPPoETag(tag_type=0x0101), PPPoETag(tag_type=0x0103, tag_value=b"1234")]))
    session = PPPoE(sessionid=0x0c1f)
    add("lcp-configure", "up", "nobody", ether("up") / session / PPP() / PPP_LCP_Configure())
    add("lcp-echo", "down", "nobody", ether("down") / session / PPP() / PPP_LCP_Echo())
    add("pap", "up", "nobody", ether("up") / session / PPP() / PPP_PAP_Request(username="alice", password="secret"))
    add("chap", "down", "nobody", ether("down") / session / PPP(proto=0xc223) / noise(24))
    add("ipcp", "up", "nobody", ether("up") / session / PPP() / PPP_IPCP())
    add("ipv6cp", "up", "nobody", ether("up") / session / PPP(proto=0x8057) / noise(14))
    routers = {"src": "192.0.2.1", "dst": "192.0.2.2"}
    add("ospf", "down", "nobody", Ether(src=BNG, dst="01:00:5e:00:00:05") / IP(src="192.0.2.1", dst="224.0.0.5", ttl=1, proto=89) / OSPF_Hdr() / OSPF_Hello())
    add("bgp", "up", "nobody", ether("up") / IP(**routers, ttl=1) / TCP(sport=40_000, dport=179, flags="PA") / BGPHeader(type=4) / BGPKeepAlive())
    add("bfd", "down", "nobody", ether("down") / IP(**routers, ttl=255) / UDP(sport=49_152, dport=3784) / BFD())
    add("ldp-hello", "up", "nobody", Ether(src=CPE, dst="01:00:5e:00:00:02") / IP(src="192.0.2.1", dst="224.0.0.2", ttl=1) / UDP(sport=646, dport=646) / noise(42))
    add("rip", "up", "nobody", Ether(src=CPE, dst="01:00:5e:00:00:09") / IP(src="192.0.2.1", dst="224.0.0.9") / UDP(sport=520, dport=520) / RIP() / RIPEntry())
    add("vrrp", "down", "nobody", Ether(src=BNG, dst="01:00:5e:00:00:12") / IP(src="192.0.2.1", dst="224.0.0.18", ttl=255) / VRRP())
    add("hsrp", "down", "nobody", Ether(src=BNG, dst="01:00:5e:00:00:02") / IP(src="192.0.2.1", dst="224.0.0.2", ttl=1) / UDP(sport=1985, dport=1985) / HSRP())
    add("igmp", "down", "nobody", Ether(src=BNG, dst="01:00:5e:00:00:01") / IP(src="192.0.2.1", dst="224.0.0.1", ttl=1, options=[IPOption_Router_Alert()]) / IGMP())
    add("pim", "down", "nobody", Ether(src=BNG, dst="01:00:5e:00:00:0d") / IP(src="192.0.2.1", dst="224.0.0.13", ttl=1, proto=103) / noise(30))
    discover = BOOTP(chaddr=bytes.fromhex("020000000a01"), xid=7) / DHCP(options=[("message-type", "discover"), "end"])
    add("dhcp-discover", "up", "nobody", Ether(src=CPE, dst="ff:ff:ff:ff:ff:ff") / IP(src="0.0.0.0", dst="255.255.255.255") / UDP(sport=68, dport=67) / discover)
    add("dhcp-discover-on-a-line", "up", "bob",
        Ether(src=CPE, dst="ff:ff:ff:ff:ff:ff") / Dot1AD(vlan=100) / Dot1Q(vlan=7) / IP(src="0.0.0.0", dst="255.255.255.255") / UDP(sport=68, dport=67) / discover)
    add("dhcp-offer", "down", "alice",
        ether("down") / v4("down") / UDP(sport=67, dport=68) / BOOTP(op=2, yiaddr="10.0.0.1", xid=7) / DHCP(options=[("message-type", "offer"), "end"]))
    multicast = {"src": CPE, "dst": "33:33:00:01:00:02"}
    add("dhcpv6-solicit", "up", "nobody",
        Ether(**multicast) / IPv6(src="fe80::1", dst="ff02::1:2") / UDP(sport=546, dport=547) / DHCP6_Solicit(trid=5) / DHCP6OptClientId(duid=DUID_LL(lladdr=CPE)))
    add("dhcpv6-advertise", "down", "nobody",
        ether("down") / IPv6(src="fe80::2", dst="fe80::1") / UDP(sport=547, dport=546) / DHCP6_Advertise(trid=5) / DHCP6OptIA_NA(ianaopts=[DHCP6OptIAAddress(addr="2001:db8:1::9")]))
    add("nd-solicitation", "up", "nobody",
        Ether(src=CPE, dst="33:33:ff:00:00:02") / IPv6(src="fe80::1", dst="ff02::1:ff00:2") / ICMPv6ND_NS(tgt="fe80::2") / ICMPv6NDOptSrcLLAddr(lladdr=CPE))
    add("nd-advertisement", "down", "nobody", ether("down") / IPv6(src="fe80::2", dst="fe80::1") / ICMPv6ND_NA(tgt="fe80::2") / ICMPv6NDOptDstLLAddr(lladdr=BNG))
    add("nd-of-alice", "up", "alice", ether("up") / v6("up", hlim=255) / ICMPv6ND_NS(tgt="2001:db8:ffff::1"))
    add("rs", "up", "nobody", Ether(src=CPE, dst="33:33:00:00:00:02") / IPv6(src="fe80::1", dst="ff02::2") / ICMPv6ND_RS())
    add("ra", "down", "nobody", Ether(src=BNG, dst="33:33:00:00:00:01") / IPv6(src="fe80::2", dst="ff02::1") / ICMPv6ND_RA() / ICMPv6NDOptPrefixInfo(prefix="2001:db8:1::"))
    add("mld", "up", "nobody",
        Ether(src=CPE, dst="33:33:00:00:00:16") / IPv6(src="fe80::1", dst="ff02::16", hlim=1) / IPv6ExtHdrHopByHop(options=[RouterAlert()]) / ICMPv6MLReport2())


def unread():
    """What a wire does not read, and what is wrong: all of it passes."""
    alice = v4("up") / UDP(dport=9) / noise(30)
    labels = [MPLS(label=label) for label in (16, 17, 18, 19)]
    add("mpls-4", "up", "nobody", ether("up") / labels[0] / labels[1] / labels[2] / labels[3] / alice)
    add("pseudowire", "down", "nobody", ether("down") / MPLS(label=99, s=1) / Raw(b"\0\0\0\0") / Ether() / v4("down") / noise(20))
    add("mpls-multicast", "down", "nobody", ether("down", type=0x8848) / MPLS(label=99, s=1) / alice)
    add("three-tags", "up", "nobody", ether("up") / Dot1AD(vlan=1) / Dot1Q(vlan=2) / Dot1Q(vlan=3) / alice)
    add("ppp-mpls", "up", "nobody", ether("up") / PPPoE(sessionid=1) / PPP(proto=0x0281) / noise(40))
    add("macsec", "up", "nobody", ether("up") / MACsec(an=1, sci=b"\1" * 8) / noise(80))
    for number in (0x0600, 0x22f0, 0x8100 + 0x0a05, 0x88b5, 0x88b7, 0x88f7, 0x8906, 0x8915, 0x9000, 0xffff):
        add(f"type-{number:04x}", "down" if number % 2 else "up", "nobody", ether("up", type=number) / noise(64))
    add("type-9216-bytes", "down", "nobody", ether("down", type=0x88b7) / noise(9216 - 14))
    add("llc-unicast", "up", "nobody", Dot3(src=CPE, dst=BNG) / LLC(dsap=0xe0, ssap=0xe0, ctrl=3) / noise(40))
    add("multicast-v4", "down", "nobody", Ether(src=BNG, dst="01:00:5e:01:02:03") / IP(src="198.51.100.1", dst="239.1.2.3", ttl=9) / UDP(dport=9) / noise(1300))
    add("multicast-v6", "down", "nobody", Ether(src=BNG, dst="33:33:00:00:12:34") / IPv6(src="2001:db8:ffff::1", dst="ff3e::1234") / UDP(dport=9) / noise(1300))
    add("other-host", "down", "nobody", ether("down") / Dot1Q(vlan=301) / v4("down", subscriber="192.0.2.77") / UDP(dport=9) / noise(18))
    add("gtp-u", "up", "nobody", ether("up") / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=2152, dport=2152) / GTP_U_Header(teid=5) / v4("up") / noise(20))
    add("v4-wrong-checksum", "up", "nobody", ether("up") / v4("up", chksum=0x1234) / UDP(dport=9) / noise(30))
    add("v4-version-5", "up", "nobody", ether("up") / v4("up", version=5) / UDP(dport=9) / noise(30))
    add("v4-short-header", "up", "nobody", ether("up") / v4("up", ihl=4) / UDP(dport=9) / noise(30))
    add("v6-version-7", "down", "nobody", ether("down") / v6("down", version=7) / UDP(dport=9) / noise(30))
    add("v4-ttl-0", "down", "alice", ether("down") / v4("down", ttl=0) / UDP(dport=9) / noise(30))
    whole = bytes(ether("up") / Dot1Q(vlan=1) / alice)
    for length in (1, 6, 13, 14, 16, 18, 30, 37, 45, 59):
        FRAMES.append((f"runt-{length}", "up", "alice" if length >= 38 else "nobody", whole[:length]))


of_alice()
of_lines()
control()
unread()
print(f"{len(FRAMES)} frames", file=sys.stderr)
assert len(FRAMES) == 200 and len({name for name, *_ in FRAMES}) == 200
for name, way, owner, frame in FRAMES:
    print(name, way, owner, frame.hex())
