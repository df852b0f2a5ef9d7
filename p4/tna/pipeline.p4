// Sluice's two pipelines of a Tofino: the algorithms of the v1model program, placed as paper 000 places them.
//
// Ingress: whose packet is it and how fast does its subscriber send, by one of several instances of the marker's tables; a packet with a rate
// limit that has not been held back yet goes to the FPGA; else it is marked, forwarded, and dropped or CE-marked when it is worth no more than
// the egress port's congestion threshold value. Egress: reports the queue delay to the ingress pipeline, counts what got through, rewrites the
// frame for the next hop.
//
// A build that defines CODEL manages the delay of queues by CoDel-ACT in egress, too. That takes all stages, beside which the counters of four
// instances find room.
//
// Everything here is the same on a chip and in the model of one: what only a chip has goes by the names of externs_tofino.p4, which
// model/externs.p4 gives too.

#ifndef SLUICE_TNA_PIPELINE_P4
#define SLUICE_TNA_PIPELINE_P4

#include "headers.p4"
#include "parser.p4"
#include "subscriber/ports.p4"
#include "subscriber/lines.p4"
#include "marker/csaqm/instance.p4"
#include "limit/fpga/shaping.p4"
#include "marker/csaqm/marker.p4"
#include "forwarding/forwarding.p4"
#include "dropper/threshold/threshold_state.p4"
#include "dropper/threshold/threshold_loop.p4"
#include "verdict.p4"
#include "forwarding/egress_port.p4"
#include "../shared/aqm/queue_settings.p4"
#ifdef CODEL
#include "aqm/codel/codel.p4"
#endif

control SluiceIngress(inout headers_t hdr, inout metadata_t md, in ingress_intrinsic_metadata_t intrinsic,
                      in ingress_intrinsic_metadata_from_parser_t from_parser,
                      inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                      inout ingress_intrinsic_metadata_for_tm_t for_tm) {
    Ports() ports;
    Lines() lines;
    ServiceLines() service_lines;
    Senders() senders;
#define INSTANCE(k) MarkerInstance(k) instance##k;
#include "marker/csaqm/instances.inc"
#undef INSTANCE
    Shaping() shaping;
    RandomFraction() random_fraction;
    PacketMarker() marker;
    Routes() routes;
    TimeToLive() ttl;
    Delivery() delivery;
    Unwrap() unwrap;
    Encapsulation() encapsulation;
    CongestionSteering() steering;
    ThresholdRead() threshold_read;
    Verdict() verdict;
    RANDOM(bit<16>, random)

    action take_time() {
        md.now = from_parser.global_tstamp[39:8];
    }

    // 34 s, longer than any queue stays idle before its threshold is forgotten.
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
            ports.apply(hdr, md, intrinsic.ingress_port);
            if (hdr.packet_value.isValid()) {
                hdr.ethernet.ether_type = hdr.packet_value.ether_type;
                md.value = hdr.packet_value.value;
                hdr.packet_value.setInvalid();
            }
            routes.apply(hdr, md);
            ttl.apply(hdr, md);
            lines.apply(hdr, md);
            service_lines.apply(hdr, md);
#define INSTANCE(k) instance##k.apply(hdr, md);
#include "marker/csaqm/instances.inc"
#undef INSTANCE
            senders.apply(md);
            delivery.apply(md);
            if (md.subscriber.role == PortRole_t.SIDECAR) {
                md.fpga.shape = 0;
            } else if (md.subscriber.direction == Direction_t.DOWN) {
                md.fpga.shape = md.fpga.shape_down;
            } else {
                md.fpga.shape = md.fpga.shape_up;
            }
            threshold_read.apply(md.egress_port, md.now, md.horizon, md.dropper.threshold, md.verdict.fresh, md.verdict.late);
            shaping.apply(hdr, md, intrinsic.ingress_port);
            unwrap.apply(hdr, md);
            encapsulation.apply(hdr, md);
            marker.apply(md);
            verdict.apply(hdr, md, for_deparser.drop_ctl, for_tm.ucast_egress_port);
            hdr.bridge.setValid();
            hdr.bridge.kind = INTERNAL_PACKET;
            hdr.bridge.shape = md.fpga.shape;
            hdr.bridge.instance = md.subscriber.instance;
            hdr.bridge.slot = md.subscriber.slot;
            hdr.bridge.direction = (bit<1>) md.subscriber.direction;
            hdr.bridge.value = md.value;
            hdr.bridge.arrival = md.now;
        }
    }
}

#ifdef CODEL
#define LEAVES hdr.bridge.isValid() && hdr.bridge.shape == 0
#else
#define LEAVES hdr.bridge.shape == 0
#endif

control SluiceEgress(inout headers_t hdr, inout metadata_t md, in egress_intrinsic_metadata_t intrinsic,
                     in egress_intrinsic_metadata_from_parser_t from_parser,
                     inout egress_intrinsic_metadata_for_deparser_t for_deparser,
                     inout egress_intrinsic_metadata_for_output_port_t for_port) {
    QueueDelayReport() queue_delay_report;
    EgressRewrite() egress_rewrite;
#ifdef CODEL
    QueueSettings() queue_settings;
    CodelAct() codel_act;
    JOINED(managed_queue_t, managed_queue)
#endif
// Two small counters fit where one for both directions does not.
#define INSTANCE(k) \
    COUNTER(bit<32>, bit<15>, INSTANCE_SUBSCRIBERS) down##k; \
    COUNTER(bit<32>, bit<15>, INSTANCE_SUBSCRIBERS) up##k;
#include "marker/csaqm/instances.inc"
#undef INSTANCE

    action take_time() {
        md.now = from_parser.global_tstamp[39:8];
    }

    apply {
        take_time();
#ifdef CODEL
        if (hdr.codel.isValid()) {
            md.codel.op = hdr.codel.op;
            md.codel.queue = hdr.codel.queue;
            md.codel.count = hdr.codel.count;
            md.codel.until = hdr.codel.until;
        } else
#endif
        if (hdr.bridge.isValid()) {
            md.egress_port = intrinsic.egress_port;
            md.value = hdr.bridge.value;
            queue_delay_report.apply(md, hdr.bridge.arrival, md.now, for_deparser.mirror_type);
#ifdef CODEL
            JOIN(managed_queue, md.codel.queue, intrinsic.egress_port, intrinsic.egress_qid[2:0]);
            queue_settings.apply(md, intrinsic.egress_port, intrinsic.egress_qid[2:0]);
#endif
            if (hdr.bridge.shape == 0) {
                egress_rewrite.apply(hdr, md);
            }
#ifdef CODEL
        }
        if (hdr.codel.isValid() || hdr.bridge.isValid()) {
            codel_act.apply(hdr, md, hdr.bridge.arrival, intrinsic.deq_qdepth, for_deparser.mirror_type, for_deparser.drop_ctl);
            // What it drops is counted, too: it is known too late.
#endif
#define INSTANCE(k) \
            if (LEAVES && hdr.bridge.instance == k && hdr.bridge.direction == 0) { \
                down##k.count(hdr.bridge.slot); \
            } \
            if (LEAVES && hdr.bridge.instance == k && hdr.bridge.direction == 1) { \
                up##k.count(hdr.bridge.slot); \
            }
#include "marker/csaqm/instances.inc"
#undef INSTANCE
        }
    }
}

#endif
