// What the ingress pipeline of a wire reads of a frame: IP behind up to two tags, in a PPPoE session or under up to three MPLS labels, as
// v1model/parser.p4.

#ifndef SLUICE_TNA_WIRE_PARSER_P4
#define SLUICE_TNA_WIRE_PARSER_P4

parser SluiceIngressParser(packet_in packet, out headers_t hdr, out metadata_t md,
                           FROM_CHIP ingress_intrinsic_metadata_t intrinsic) {
    IPV4_CHECKSUMS

    state start {
        EXTRACT_INTRINSIC(packet, intrinsic)
        transition select(intrinsic.ingress_port) {
            RECIRCULATION_PORT &&& RECIRCULATION_MASK : parse_report;
            default : parse_ethernet;
        }
    }

    state parse_report {
        packet.extract(hdr.report);
        md.egress_port = hdr.report.port;
        md.dropper.queue_delay = hdr.report.delay;
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        md.subscriber.s_vid = 0;
        md.subscriber.c_vid = 0;
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_PACKET_VALUE : parse_packet_value;
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_OLD_S_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            default : accept;
        }
    }

    state parse_packet_value {
        packet.extract(hdr.packet_value);
        transition select(hdr.packet_value.ether_type) {
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_OLD_S_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            default : accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        md.subscriber.s_vid = hdr.outer_tag.vid;
        transition select(hdr.outer_tag.ether_type) {
            ETHERTYPE_S_TAG : parse_inner_tag;
            ETHERTYPE_C_TAG : parse_inner_tag;
            ETHERTYPE_OLD_S_TAG : parse_inner_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            default : accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        md.subscriber.c_vid = hdr.inner_tag.vid;
        transition select(hdr.inner_tag.ether_type) {
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            default : accept;
        }
    }

    state parse_pppoe {
        packet.extract(hdr.pppoe);
        transition select(hdr.pppoe.protocol) {
            PPP_IPV4 : parse_ipv4;
            PPP_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_mpls {
        packet.extract(hdr.mpls1);
        transition select(hdr.mpls1.bottom) {
            0 : parse_second_label;
            default : parse_labelled;
        }
    }

    state parse_second_label {
        packet.extract(hdr.mpls2);
        transition select(hdr.mpls2.bottom) {
            0 : parse_third_label;
            default : parse_labelled;
        }
    }

    state parse_third_label {
        packet.extract(hdr.mpls3);
        transition select(hdr.mpls3.bottom) {
            0 : accept;
            default : parse_labelled;
        }
    }

    state parse_labelled {
        transition select(packet.lookahead<bit<4>>()) {
            4 : parse_ipv4;
            6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        READ_IPV4_CHECKSUM(hdr, md)
        transition select(hdr.ipv4.ihl) {
            5 : parse_ipv4_payload;
            default : parse_ipv4_options;
        }
    }

    // Options stay in the payload, where the sum over the fixed header does not reach them.
    state parse_ipv4_options {
        md.verdict.options = 1;
        transition accept;
    }

    state parse_ipv4_payload {
        transition select(hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, PROTOCOL_TCP) : parse_ports;
            (0, PROTOCOL_UDP) : parse_ports;
            default : accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_hdr) {
            PROTOCOL_TCP : parse_ports;
            PROTOCOL_UDP : parse_ports;
            PROTOCOL_ICMPV6 : parse_icmpv6;
            default : accept;
        }
    }

    state parse_ports {
        packet.extract(hdr.ports);
        transition accept;
    }

    state parse_icmpv6 {
        packet.extract(hdr.icmpv6);
        transition accept;
    }
}

#endif
