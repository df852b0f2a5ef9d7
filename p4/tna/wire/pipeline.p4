// Sluice's two pipelines of a Tofino between whose ports every frame passes as it is: the marker and the dropper of ../pipeline.p4, with wires in
// place of routes, tags, next hops and the FPGA. Whose a frame is depends on the wire, which takes a stage: one instance of the marker fewer fits.

#ifndef SLUICE_TNA_WIRE_PIPELINE_P4
#define SLUICE_TNA_WIRE_PIPELINE_P4

#include "../headers.p4"
#include "parser.p4"
#include "../subscriber/lines.p4"
#include "../marker/csaqm/instance.p4"
#include "ends.p4"
#include "control_traffic.p4"
#include "../marker/csaqm/marker.p4"
#include "../dropper/threshold/threshold_state.p4"
#include "../dropper/threshold/threshold_loop.p4"
#include "verdict.p4"

control SluiceIngress(inout headers_t hdr, inout metadata_t md, in ingress_intrinsic_metadata_t intrinsic,
                      in ingress_intrinsic_metadata_from_parser_t from_parser,
                      inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                      inout ingress_intrinsic_metadata_for_tm_t for_tm) {
    WireEnd() wire_end;
    Lines() lines;
    ServiceLines() service_lines;
    WireSenders() senders;
#define INSTANCE(k) MarkerInstance(k) instance##k;
#include "../marker/csaqm/instances.inc"
#undef INSTANCE
    ControlTraffic() control_traffic;
    RandomFraction() random_fraction;
    PacketMarker() marker;
    CongestionSteering() steering;
    ThresholdRead() threshold_read;
    WireVerdict() verdict;
    RANDOM(bit<16>, random)

    action take_time() {
        md.now = from_parser.global_tstamp[39:8];
    }

    // 34 s, as in ../pipeline.p4.
    action look_ahead() {
        md.horizon = md.now + 0x8000000;
    }

    apply {
        take_time();
        if (hdr.report.isValid()) {
            steering.apply(md, md.now);
            for_deparser.drop_ctl = 1;
        } else {
            look_ahead();
            DRAW(random, bit<16>, md.csaqm.rnd);
            random_fraction.apply(md);
            wire_end.apply(hdr, md, intrinsic.ingress_port, from_parser.parser_err);
            control_traffic.apply(hdr, md);
            if (md.has_ip == 1) {
                lines.apply(hdr, md);
                service_lines.apply(hdr, md);
#define INSTANCE(k) instance##k.apply(hdr, md);
#include "../marker/csaqm/instances.inc"
#undef INSTANCE
            }
            senders.apply(md);
            threshold_read.apply(md.egress_port, md.now, md.horizon, md.dropper.threshold, md.verdict.fresh, md.verdict.late);
            marker.apply(md);
            verdict.apply(hdr, md, for_deparser.drop_ctl, for_tm.ucast_egress_port);
            hdr.bridge.setValid();
            hdr.bridge.kind = INTERNAL_PACKET;
            hdr.bridge.shape = 0;
            hdr.bridge.instance = md.subscriber.instance;
            hdr.bridge.slot = md.subscriber.slot;
            hdr.bridge.direction = (bit<1>) md.subscriber.direction;
            hdr.bridge.value = md.value;
            hdr.bridge.arrival = md.now;
        }
    }
}

control SluiceEgress(inout headers_t hdr, inout metadata_t md, in egress_intrinsic_metadata_t intrinsic,
                     in egress_intrinsic_metadata_from_parser_t from_parser,
                     inout egress_intrinsic_metadata_for_deparser_t for_deparser,
                     inout egress_intrinsic_metadata_for_output_port_t for_port) {
    QueueDelayReport() queue_delay_report;
#define INSTANCE(k) \
    COUNTER(bit<32>, bit<15>, INSTANCE_SUBSCRIBERS) down##k; \
    COUNTER(bit<32>, bit<15>, INSTANCE_SUBSCRIBERS) up##k;
#include "../marker/csaqm/instances.inc"
#undef INSTANCE

    action take_time() {
        md.now = from_parser.global_tstamp[39:8];
    }

    apply {
        take_time();
        if (hdr.bridge.isValid()) {
            md.egress_port = intrinsic.egress_port;
            queue_delay_report.apply(md, hdr.bridge.arrival, md.now, for_deparser.mirror_type);
#define INSTANCE(k) \
            if (hdr.bridge.instance == k && hdr.bridge.direction == 0) { \
                down##k.count(hdr.bridge.slot); \
            } \
            if (hdr.bridge.instance == k && hdr.bridge.direction == 1) { \
                up##k.count(hdr.bridge.slot); \
            }
#include "../marker/csaqm/instances.inc"
#undef INSTANCE
        }
    }
}

#endif
