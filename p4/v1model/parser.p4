// Parser, deparser and checksums in v1model.

#ifndef SLUICE_V1MODEL_PARSER_P4
#define SLUICE_V1MODEL_PARSER_P4

parser SluiceParser(packet_in packet, out headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port) {
            CONTROLLER_PORT : parse_packet_out;
            default : parse_ethernet;
        }
    }

    // What is behind the controller's header leaves as it is.
    state parse_packet_out {
        packet.extract(hdr.packet_out);
        md.neighbour.look = 1;
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_PACKET_VALUE : parse_packet_value;
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_OLD_S_TAG : parse_old_outer_tag;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            ETHERTYPE_ARP : parse_arp;
            default : accept;
        }
    }

    state parse_packet_value {
        packet.extract(hdr.packet_value);
        transition select(hdr.packet_value.ether_type) {
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_OLD_S_TAG : parse_old_outer_tag;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            ETHERTYPE_ARP : parse_arp;
            default : accept;
        }
    }

    state parse_old_outer_tag {
        md.wire.unread = 1;
        transition parse_outer_tag;
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        transition select(hdr.outer_tag.ether_type) {
            ETHERTYPE_C_TAG : parse_inner_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_S_TAG : parse_inner_s_tag;
            ETHERTYPE_OLD_S_TAG : parse_inner_s_tag;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            ETHERTYPE_ARP : parse_arp;
            default : accept;
        }
    }

    state parse_inner_s_tag {
        md.wire.unread = 1;
        transition parse_inner_tag;
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        transition select(hdr.inner_tag.ether_type) {
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            ETHERTYPE_PPPOE_SESSION : parse_pppoe;
            ETHERTYPE_MPLS : parse_mpls;
            ETHERTYPE_ARP : parse_arp;
            default : accept;
        }
    }

    state parse_pppoe {
        md.wire.unread = 1;
        packet.extract(hdr.pppoe);
        transition select(hdr.pppoe.protocol) {
            PPP_IPV4 : parse_ipv4;
            PPP_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_mpls {
        md.wire.unread = 1;
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

    // Labels do not say what they are before; what is neither version of IP is a pseudowire, and not read.
    state parse_labelled {
        transition select(packet.lookahead<bit<4>>()) {
            4 : parse_ipv4;
            6 : parse_ipv6;
            default : accept;
        }
    }

    // Ports are read only behind a header without options and in the first fragment.
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (5, 0, PROTOCOL_TCP) : parse_tcp;
            (5, 0, PROTOCOL_UDP) : parse_udp;
            default : accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_hdr) {
            PROTOCOL_TCP : parse_tcp;
            PROTOCOL_UDP : parse_udp;
            PROTOCOL_ICMPV6 : parse_icmpv6;
            default : accept;
        }
    }

    state parse_arp {
        packet.extract(hdr.arp);
        md.neighbour.look = 1;
        transition accept;
    }

    state parse_icmpv6 {
        packet.extract(hdr.icmpv6);
        transition select(hdr.icmpv6.type) {
            ICMPV6_SOLICITATION : parse_neighbour_discovery;
            ICMPV6_ADVERTISEMENT : parse_neighbour_discovery;
            default : accept;
        }
    }

    state parse_neighbour_discovery {
        packet.extract(hdr.neighbour_discovery);
        md.neighbour.look = 1;
        transition select(hdr.ipv6.payload_len) {
            32 : parse_neighbour_option;
            default : accept;
        }
    }

    state parse_neighbour_option {
        packet.extract(hdr.neighbour_option);
        transition accept;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        transition accept;
    }

    state parse_udp {
        packet.extract(hdr.udp);
        transition accept;
    }
}

control SluiceDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.queue_tag);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.packet_value);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
        packet.emit(hdr.mpls1);
        packet.emit(hdr.mpls2);
        packet.emit(hdr.mpls3);
        packet.emit(hdr.pppoe);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.tcp);
        packet.emit(hdr.udp);
        packet.emit(hdr.icmpv6);
        packet.emit(hdr.arp);
        packet.emit(hdr.neighbour_discovery);
        packet.emit(hdr.neighbour_option);
    }
}

#define IPV4_CHECKSUM_FIELDS { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len, \
    hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol, \
    hdr.ipv4.src_addr, hdr.ipv4.dst_addr }

// Options are left in the payload, where a checksum over the fixed header does not reach them: see OptionsChecksum. It also keeps up those of a
// wire, where what is wrong stays so.
control SluiceVerifyChecksum(inout headers_t hdr, inout metadata_t md) {
    apply {
        verify_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5, IPV4_CHECKSUM_FIELDS, hdr.ipv4.hdr_checksum, HashAlgorithm.csum16);
    }
}

control SluiceComputeChecksum(inout headers_t hdr, inout metadata_t md) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5 && md.wire.on == 0, IPV4_CHECKSUM_FIELDS, hdr.ipv4.hdr_checksum, HashAlgorithm.csum16);
    }
}

#endif
