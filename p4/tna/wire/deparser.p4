// What is before a frame of a wire between the pipelines, and how it leaves: as it came, but for an ECN mark.

#ifndef SLUICE_TNA_WIRE_DEPARSER_P4
#define SLUICE_TNA_WIRE_DEPARSER_P4

control SluiceIngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md,
                              in ingress_intrinsic_metadata_for_deparser_t deparser) {
    Checksum() ipv4_checksum;

    apply {
        // A checksum that nothing changes stays, a wrong one too.
        if (md.wire.marked == 1) {
            hdr.ipv4.hdr_checksum = ipv4_checksum.update({
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
                hdr.ipv4.ttl, hdr.ipv4.protocol,
                md.ipv4_unchanged });
        }
        packet.emit(hdr.bridge);
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
        packet.emit(hdr.ports);
        packet.emit(hdr.icmpv6);
    }
}

parser SluiceEgressParser(packet_in packet, out headers_t hdr, out metadata_t md, out egress_intrinsic_metadata_t intrinsic) {
    state start {
        packet.extract(intrinsic);
        transition select(packet.lookahead<bit<7>>()) {
            INTERNAL_REPORT : parse_report;
            default : parse_bridge;
        }
    }

    state parse_report {
        packet.extract(hdr.report);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        transition accept;
    }
}

control SluiceEgressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md,
                             in egress_intrinsic_metadata_for_deparser_t deparser) {
    Mirror(REPORT_MIRROR) mirror;

    apply {
        if (deparser.mirror_type == REPORT_MIRROR) {
            mirror.emit<report_t>(md.report.session, { md.report.kind, 0, md.report.port, md.report.delay });
        }
        packet.emit(hdr.report);
    }
}

#endif
