// Headers of the packets Sluice's switches handle: Ethernet, Sluice's packet value, up to two VLAN tags, IPv4 or IPv6, TCP or UDP.

#ifndef SLUICE_HEADERS_P4
#define SLUICE_HEADERS_P4

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<16> ETHERTYPE_IPV6 = 0x86dd;
const bit<16> ETHERTYPE_C_TAG = 0x8100;
const bit<16> ETHERTYPE_S_TAG = 0x88a8;
// IEEE 802 local experimental EtherType 1: the packet value never leaves the operator's own switches.
const bit<16> ETHERTYPE_PACKET_VALUE = 0x88b5;

const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;

const bit<2> ECN_NOT_ECT = 0;
const bit<2> ECN_CE = 3;

// An upstream frame tells the FPGA, and the switch behind it, the port of its line by a destination address 02:53:4c:43:xx:xx: the lowest 9
// bits. On a Tofino the parser goes by the address alone, so that no switch or host may have it: 02:00:... is a switch's own by default.
const bit<32> LINE_PORT_ADDRESS = 0x02534c43;

// What the FPGA sidecar expects before every frame: bits 17..15 BNG port, 14..9 tree, 8..3 customer, 2..0 class.
header queue_tag_t {
    bit<32> queue_id;
}

header ethernet_t {
    bit<48> dst_addr;
    bit<48> src_addr;
    bit<16> ether_type;
}

header packet_value_t {
    bit<16> value;
    bit<16> ether_type;
}

header vlan_tag_t {
    bit<3>  pcp;
    bit<1>  dei;
    bit<12> vid;
    bit<16> ether_type;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<6>  dscp;
    bit<2>  ecn;
    bit<16> total_len;
    bit<16> identification;
    bit<3>  flags;
    bit<13> frag_offset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> hdr_checksum;
    bit<32> src_addr;
    bit<32> dst_addr;
}

header ipv6_t {
    bit<4>   version;
    bit<6>   dscp;
    bit<2>   ecn;
    bit<20>  flow_label;
    bit<16>  payload_len;
    bit<8>   next_hdr;
    bit<8>   hop_limit;
    bit<128> src_addr;
    bit<128> dst_addr;
}

header tcp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> seq_no;
    bit<32> ack_no;
    bit<4>  data_offset;
    bit<4>  reserved;
    bit<8>  flags;
    bit<16> window;
    bit<16> checksum;
    bit<16> urgent_ptr;
}

header udp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> length;
    bit<16> checksum;
}

#ifdef WIRES
#include "wire/headers.p4"
#include "neighbour/headers.p4"
#endif

struct headers_t {
#ifdef WIRES
    packet_in_t    packet_in;
    packet_out_t   packet_out;
#endif
    queue_tag_t    queue_tag;
    ethernet_t     ethernet;
    packet_value_t packet_value;
    vlan_tag_t     outer_tag;
    vlan_tag_t     inner_tag;
#ifdef WIRES
    mpls_t         mpls1;
    mpls_t         mpls2;
    mpls_t         mpls3;
    pppoe_t        pppoe;
    icmpv6_t       icmpv6;
    arp_t          arp;
    neighbour_discovery_t neighbour_discovery;
    neighbour_option_t neighbour_option;
#endif
    ipv4_t         ipv4;
    ipv6_t         ipv6;
    tcp_t          tcp;
    udp_t          udp;
}

#endif
