// What hosts and routers on a line ask each other: ARP (RFC 826) and neighbour discovery (RFC 4861). And what stands before a packet between the
// switch and its controller.

#ifndef SLUICE_NEIGHBOUR_HEADERS_P4
#define SLUICE_NEIGHBOUR_HEADERS_P4

// Where packets from and to the controller come in and leave: --cpu-port of bmv2 and of the emulated switch.
const bit<9> CONTROLLER_PORT = 500;

// Hardware Ethernet, protocol IPv4, addresses of 6 and 4 bytes.
const bit<48> ARP_FORMAT = 0x000108000604;
const bit<16> ARP_REQUEST = 1;
const bit<16> ARP_REPLY = 2;

const bit<8> ICMPV6_SOLICITATION = 135;
const bit<8> ICMPV6_ADVERTISEMENT = 136;

header arp_t {
    bit<48> format;
    bit<16> operation;
    bit<48> sender_mac;
    bit<32> sender_addr;
    bit<48> target_mac;
    bit<32> target_addr;
}

header neighbour_discovery_t {
    bit<32>  flags;
    bit<128> target_addr;
}

header neighbour_option_t {
    bit<8>  type;
    bit<8>  length;
    bit<48> mac;
}

@controller_header("packet_in")
header packet_in_t {
    bit<9> port;
    bit<7> reason;
}

@controller_header("packet_out")
header packet_out_t {
    bit<9> port;
    bit<7> unused;
}

#endif
