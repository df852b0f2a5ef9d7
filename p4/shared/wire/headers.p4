// What a wire reads beside the headers of routed frames: MPLS labels, PPPoE sessions, and enough of ICMPv6 to know neighbour discovery.

#ifndef SLUICE_WIRE_HEADERS_P4
#define SLUICE_WIRE_HEADERS_P4

// The value below which no threshold is.
const bit<16> WORTH_MOST = 0xffff;

const bit<16> ETHERTYPE_ARP = 0x0806;
const bit<16> ETHERTYPE_SLOW = 0x8809;
const bit<16> ETHERTYPE_MPLS = 0x8847;
const bit<16> ETHERTYPE_PPPOE_DISCOVERY = 0x8863;
const bit<16> ETHERTYPE_PPPOE_SESSION = 0x8864;
const bit<16> ETHERTYPE_LLDP = 0x88cc;
// An S-tag from before IEEE 802.1ad.
const bit<16> ETHERTYPE_OLD_S_TAG = 0x9100;
// Smaller numbers are lengths (IEEE 802.3): LLC comes next, as in frames of STP, IS-IS and CDP.
const bit<16> ETHERTYPE_LEAST = 0x0600;

const bit<16> PPP_IPV4 = 0x0021;
const bit<16> PPP_IPV6 = 0x0057;

const bit<8> PROTOCOL_ICMPV6 = 58;
const bit<8> PROTOCOL_OSPF = 89;

header mpls_t {
    bit<20> label;
    bit<3>  traffic_class;
    bit<1>  bottom;
    bit<8>  ttl;
}

header pppoe_t {
    bit<4>  version;
    bit<4>  type;
    bit<8>  code;
    bit<16> session;
    bit<16> length;
    bit<16> protocol;
}

header icmpv6_t {
    bit<8>  type;
    bit<8>  code;
    bit<16> checksum;
}

#endif
