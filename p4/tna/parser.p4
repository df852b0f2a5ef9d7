// What the ingress pipeline reads of a frame, or of a report of the egress pipeline.

#ifndef SLUICE_TNA_PARSER_P4
#define SLUICE_TNA_PARSER_P4

parser SluiceIngressParser(packet_in packet, out headers_t hdr, out metadata_t md,
                           FROM_CHIP ingress_intrinsic_metadata_t intrinsic) {
    IPV4_CHECKSUMS

    state start {
        EXTRACT_INTRINSIC(packet, intrinsic)
        // Ports 68, 196, 324, 452 lead back into the pipe: what comes from there is a queue delay report of the egress pipe.
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
#if __TARGET_TOFINO__ == 2
        // Behind its longer metadata p4c cannot look ahead.
        transition parse_own_line;
#else
        transition select(packet.lookahead<bit<32>>()) {
            LINE_PORT_ADDRESS : parse_told_line;
            default : parse_own_line;
        }
#endif
    }

    state parse_own_line {
        packet.extract(hdr.ethernet);
        md.subscriber.line_port = intrinsic.ingress_port;
        md.subscriber.told_line = 0;
        transition parse_type;
    }

    // See Shaping. Only the FPGA may say it: from other ports the packet is dropped.
    state parse_told_line {
        packet.extract(hdr.ethernet);
        md.subscriber.line_port = hdr.ethernet.dst_addr[8:0];
        md.subscriber.told_line = 1;
        transition parse_type;
    }

    state parse_type {
        md.subscriber.s_vid = 0;
        md.subscriber.c_vid = 0;
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_PACKET_VALUE : parse_packet_value;
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
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
            default : accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        md.subscriber.s_vid = hdr.outer_tag.vid;
        transition select(hdr.outer_tag.ether_type) {
            ETHERTYPE_C_TAG : parse_inner_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        md.subscriber.c_vid = hdr.inner_tag.vid;
        transition select(hdr.inner_tag.ether_type) {
            ETHERTYPE_IPV4 : parse_ipv4;
            ETHERTYPE_IPV6 : parse_ipv6;
            default : accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        READ_IPV4_CHECKSUM(hdr, md)
        transition select(hdr.ipv4.ihl) {
            5 : accept;
            default : parse_ipv4_options;
        }
    }

    // Options stay in the payload, where the sum over the fixed header does not reach them.
    state parse_ipv4_options {
        md.verdict.options = 1;
        transition accept;
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition accept;
    }
}

#endif
