// DragonKing (paper 004) for Tofino: a program of its own for the pipes that shape. Ingress finds a packet's limit and its time; egress of the loop
// ports, the pipes' recirculation ports, judges by gate_table and scheduler_table whether it goes on or round again (the paper's figure 7 c).
//
// METERS builds the baseline: the same match with a meter behind each entry (Nimble).

#include <core.p4>
#if __TARGET_TOFINO__ == 1
#include <tna.p4>
#else
#include <t2na.p4>
#endif

#define headers_t v1model_headers_t
#include "../../../shared/headers.p4"
#undef headers_t
#include "../../../shared/types.p4"
#include "../../../shared/subscriber/types.p4"
#include "../../../shared/limit/shape/types.p4"

// Limits a pipe holds, and in how many banks of how many cells their times are.
#ifndef LIMITS
#define LIMITS 175000
#endif
#ifndef BANKS
#define BANKS 2
#endif
#ifndef BANK_CELLS
#define BANK_CELLS 94208
#endif

#if __TARGET_TOFINO__ == 1
#define LOOP_PORT 68
#else
#define LOOP_PORT 6
#endif
#define LOOP_MASK 0x7f

// In ns: a packet that would start more than 2^30 later is not let in.
#define HORIZON 0x40000000

typedef bit<18> cell_t;

// Of a packet that was not let in: what to add to its limit's time.
const bit<3> REFUND = 1;

header refund_t {
    bit<8>  bank;
    bit<6>  pad;
    cell_t  cell;
    nanos_t elapsed;
}

// Of the chip's packet generator, which visits all cells once a second: a limit that is idle must not seem to be ahead when the clock has gone half
// round. An application a bank; batch and packet are the cell.
header sweep_t {
    bit<5>  pipe;
    bit<3>  application;
    bit<16> pad;
    bit<6>  pad2;
    cell_t  cell;
}

// In front of what waits. A sweep, on the same port, begins with a 0.
header waiting_t {
    bit<1>  waits;
    bit<1>  due;
    pipe_t  pipe;
    bit<3>  pad;
    port_t  port;
    nanos_t start;
    nanos_t finish;
}

struct headers_t {
    refund_t   refund;
    sweep_t    sweep;
    waiting_t  waiting;
    ethernet_t ethernet;
    vlan_tag_t outer_tag;
    vlan_tag_t inner_tag;
    ipv4_t     ipv4;
    ipv6_t     ipv6;
    udp_t      l4;
}

struct metadata_t {
    bit<8>      protocol;
    bit<32>     source;
    bit<32>     destination;
    bit<16>     source_port;
    bit<16>     destination_port;
    bit<16>     length;
    Direction_t direction;
    bit<1>      limited;
    bit<8>      bank;
    cell_t      cell;
    bit<16>     exponent;
    nanos_t     now;
    nanos_t     elapsed;
    nanos_t     work;
    nanos_t     idle_offset;
    nanos_t     offset;
    nanos_t     start;
    nanos_t     ahead;
    nanos_t     refund;
    bit<2>      colour;
}

parser ShaperIngressParser(packet_in packet, out headers_t hdr, out metadata_t md, out ingress_intrinsic_metadata_t intrinsic) {
    state start {
        packet.extract(intrinsic);
        transition select(intrinsic.resubmit_flag) {
            1 : parse_refund;
            default : parse_port;
        }
    }

    state parse_refund {
        packet.extract(hdr.refund);
        md.bank = hdr.refund.bank;
        md.cell = hdr.refund.cell;
        md.elapsed = hdr.refund.elapsed;
        transition accept;
    }

    state parse_port {
        packet.advance(PORT_METADATA_SIZE);
        transition select(intrinsic.ingress_port) {
            LOOP_PORT &&& LOOP_MASK : parse_loop;
            default : parse_ethernet;
        }
    }

    state parse_loop {
        transition select(packet.lookahead<bit<1>>()) {
            0 : parse_sweep;
            default : parse_waiting;
        }
    }

    state parse_sweep {
        packet.extract(hdr.sweep);
        md.cell = hdr.sweep.cell;
        transition select(hdr.sweep.application) {
            1 : sweep1;
            2 : sweep2;
            3 : sweep3;
            4 : sweep4;
            5 : sweep5;
            default : accept;
        }
    }

    state sweep1 {
        md.bank = 1;
        transition accept;
    }

    state sweep2 {
        md.bank = 2;
        transition accept;
    }

    state sweep3 {
        md.bank = 3;
        transition accept;
    }

    state sweep4 {
        md.bank = 4;
        transition accept;
    }

    state sweep5 {
        md.bank = 5;
        transition accept;
    }

    state parse_waiting {
        packet.extract(hdr.waiting);
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_S_TAG : parse_outer_tag;
            ETHERTYPE_C_TAG : parse_outer_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            default : accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        transition select(hdr.outer_tag.ether_type) {
            ETHERTYPE_C_TAG : parse_inner_tag;
            ETHERTYPE_IPV4 : parse_ipv4;
            default : accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        transition select(hdr.inner_tag.ether_type) {
            ETHERTYPE_IPV4 : parse_ipv4;
            default : accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.protocol) {
            (5, PROTOCOL_TCP) : parse_l4;
            (5, PROTOCOL_UDP) : parse_l4;
            default : accept;
        }
    }

    state parse_l4 {
        packet.extract(hdr.l4);
        transition accept;
    }
}

// WF2Q+. max(last finish, now) + time is three operands of a packet's, and one access of a register has two. So a limit has two cells: the time of
// all its packets, and by how much their finish is ahead of that, which only grows when a packet finds the limit idle. Two registers of so many
// cells fit a stage.
control Work(inout metadata_t md) {
    Register<bit<32>, cell_t>(BANK_CELLS) work;

    RegisterAction<bit<32>, cell_t, bit<32>>(work) add = {
        void apply(inout bit<32> sum, out bit<32> before) {
            before = sum;
            sum = sum + md.elapsed;
        }
    };

    apply {
        md.work = add.execute(md.cell);
    }
}

control Offset(inout metadata_t md) {
    Register<bit<32>, cell_t>(BANK_CELLS) offset;

    RegisterAction<bit<32>, cell_t, bit<32>>(offset) go_on = {
        void apply(inout bit<32> ahead, out bit<32> after) {
            if ((int<32>) ahead - (int<32>) md.idle_offset < 0) {
                ahead = md.idle_offset;
            }
            after = ahead;
        }
    };

    apply {
        md.offset = go_on.execute(md.cell);
    }
}

#if BANKS == 2
#define EACH_BANK(x) \
                if (md.bank == 0) { x##0.apply(md); } \
                else { x##1.apply(md); }
#elif BANKS == 3
#define EACH_BANK(x) \
                if (md.bank == 0) { x##0.apply(md); } \
                else if (md.bank == 1) { x##1.apply(md); } \
                else { x##2.apply(md); }
#elif BANKS == 4
#define EACH_BANK(x) \
                if (md.bank == 0) { x##0.apply(md); } \
                else if (md.bank == 1) { x##1.apply(md); } \
                else if (md.bank == 2) { x##2.apply(md); } \
                else { x##3.apply(md); }
#elif BANKS == 6
#define EACH_BANK(x) \
                if (md.bank == 0) { x##0.apply(md); } \
                else if (md.bank == 1) { x##1.apply(md); } \
                else if (md.bank == 2) { x##2.apply(md); } \
                else if (md.bank == 3) { x##3.apply(md); } \
                else if (md.bank == 4) { x##4.apply(md); } \
                else { x##5.apply(md); }
#endif

control ShaperIngress(inout headers_t hdr, inout metadata_t md, in ingress_intrinsic_metadata_t intrinsic,
                      in ingress_intrinsic_metadata_from_parser_t from_parser, inout ingress_intrinsic_metadata_for_deparser_t deparser,
                      inout ingress_intrinsic_metadata_for_tm_t tm) {
    action limit(rate_word_t rate, bit<8> bank, cell_t cell) {
        md.limited = 1;
        md.exponent = rate - md.exponent;
        md.bank = bank;
        md.cell = cell;
    }

#ifdef METERS
    DirectMeter(MeterType_t.BYTES) meter;

    action police() {
        md.colour = (bit<2>) meter.execute();
    }
#endif

    // Paper 004's rate_limiter_table; the last finish times are in the banks.
    table RateLimiter {
        key = {
#ifdef FIVE_TUPLE
            hdr.ipv4.src_addr : exact @name("source");
            hdr.ipv4.dst_addr : exact @name("destination");
            hdr.l4.src_port : exact @name("source_port");
            hdr.l4.dst_port : exact @name("destination_port");
            hdr.ipv4.protocol : exact @name("protocol");
#else
            md.destination : exact @name("address");
            md.direction : exact @name("direction");
#endif
        }
#ifdef METERS
        actions = { police; @defaultonly NoAction; }
        meters = meter;
#else
        actions = { limit; @defaultonly NoAction; }
#endif
        const default_action = NoAction();
        size = LIMITS;
    }

    action to_down(port_t next) {
        md.direction = Direction_t.DOWN;
        md.destination = hdr.ipv4.dst_addr;
        tm.ucast_egress_port = next;
    }

    action to_up(port_t next) {
        md.direction = Direction_t.UP;
        md.destination = hdr.ipv4.src_addr;
        tm.ucast_egress_port = next;
    }

    // The direction of what comes in on a port, and where it goes on: to the marker's pipe.
    table NextPort {
        key = { intrinsic.ingress_port : exact; }
        actions = { to_down; to_up; @defaultonly NoAction; }
        const default_action = NoAction();
        size = PORTS;
    }

#ifndef METERS
    action set_logarithm(bit<16> octaves) {
        md.exponent = octaves;
    }

    // 256 log2(length) + 4608, with 14 bytes of Ethernet: pkt_elapsed_time_table in two, as a quotient is a difference of logarithms.
    table PktLength {
        key = { hdr.ipv4.total_len : exact @name("length"); }
        actions = { set_logarithm; }
        const default_action = set_logarithm(7988);
        size = 10240;
    }

    action set_elapsed(nanos_t elapsed) {
        md.elapsed = elapsed;
    }

    // 2^(-exponent / 256) ns.
    table PktElapsedTime {
        key = { md.exponent : exact @name("exponent"); }
        actions = { set_elapsed; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 8192;
    }

    action set_idle_offset() {
        md.idle_offset = md.now - md.work;
    }

    action set_start() {
        md.start = md.offset + md.work;
        md.ahead = md.offset - md.idle_offset;
    }

    Work() work0;
    Work() work1;
    Offset() offset0;
    Offset() offset1;
#if BANKS > 2
    Work() work2;
    Offset() offset2;
#endif
#if BANKS > 3
    Work() work3;
    Offset() offset3;
#endif
#if BANKS > 4
    Work() work4;
    Work() work5;
    Offset() offset4;
    Offset() offset5;
#endif

    DirectCounter<bit<32>>(CounterType_t.PACKETS_AND_BYTES) judged;

    action send() {
        judged.count();
    }

    action wait_for_time() {
        judged.count();
        hdr.waiting.setValid();
        hdr.waiting.waits = 1;
        hdr.waiting.due = 0;
        hdr.waiting.pipe = 3;
        hdr.waiting.pad = 0;
        hdr.waiting.port = tm.ucast_egress_port;
        hdr.waiting.start = md.start;
        hdr.waiting.finish = md.start + md.elapsed;
        tm.ucast_egress_port = 2w3 ++ (bit<7>) LOOP_PORT;
    }

    // It comes again for its time, which has been added to the limit's.
    action drop() {
        judged.count();
        md.refund = 0 - md.elapsed;
        deparser.resubmit_type = REFUND;
    }

    // The front pipe's scheduler_table, by how far the limit is ahead: not at all, up to the horizon, or beyond.
    table FrontScheduler {
        key = { md.ahead : ternary @name("ahead"); }
        actions = { send; wait_for_time; drop; }
        const default_action = send();
        counters = judged;
        const entries = {
            0x80000000 &&& 0x80000000 : send();
            0x40000000 &&& 0x40000000 : drop();
            0 : send();
            0 &&& 0x80000000 : wait_for_time();
        }
    }
#endif

    apply {
#ifdef METERS
        NextPort.apply();
        RateLimiter.apply();
        if (md.colour == 3) {
            deparser.drop_ctl = 1;
        }
#else
        if (hdr.waiting.isValid()) {
            if (hdr.waiting.due == 1) {
                tm.ucast_egress_port = hdr.waiting.port;
                hdr.waiting.setInvalid();
            } else {
                tm.ucast_egress_port = hdr.waiting.pipe ++ (bit<7>) LOOP_PORT;
            }
            tm.bypass_egress = hdr.waiting.due;
        } else {
            if (hdr.ipv4.isValid()) {
                NextPort.apply();
                PktLength.apply();
                RateLimiter.apply();
                PktElapsedTime.apply();
            }
            md.now = from_parser.global_tstamp[31:0];
            if (md.limited == 1 || hdr.refund.isValid() || hdr.sweep.isValid()) {
                EACH_BANK(work)
                set_idle_offset();
                EACH_BANK(offset)
                set_start();
                if (md.limited == 1) {
                    FrontScheduler.apply();
                } else {
                    deparser.drop_ctl = 1;
                }
            }
        }
#endif
    }
}

control ShaperIngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md, in ingress_intrinsic_metadata_for_deparser_t deparser) {
    Resubmit() resubmit;

    apply {
        if (deparser.resubmit_type == REFUND) {
            resubmit.emit<refund_t>({ md.bank, 0, md.cell, md.refund });
        }
        packet.emit(hdr);
    }
}

parser ShaperEgressParser(packet_in packet, out headers_t hdr, out metadata_t md, out egress_intrinsic_metadata_t intrinsic) {
    state start {
        packet.extract(intrinsic);
        transition select(intrinsic.egress_port) {
            LOOP_PORT &&& LOOP_MASK : parse_waiting;
            default : accept;
        }
    }

    state parse_waiting {
        packet.extract(hdr.waiting);
        transition accept;
    }
}

control ShaperEgress(inout headers_t hdr, inout metadata_t md, in egress_intrinsic_metadata_t intrinsic,
                     in egress_intrinsic_metadata_from_parser_t from_parser, inout egress_intrinsic_metadata_for_deparser_t deparser,
                     inout egress_intrinsic_metadata_for_output_port_t output_port) {
#ifndef METERS
    action set_pipe(pipe_t p) {
        hdr.waiting.pipe = p;
    }

    // A range has 20 bits at most: windows begin at multiples of 4,096 ns.
    table GateTable {
        key = { hdr.waiting.finish[31:12] : range @name("finish"); }
        actions = { set_pipe; }
        const default_action = set_pipe(3);
        size = 32;
    }

    Counter<bit<32>, bit<3>>(8, CounterType_t.PACKETS_AND_BYTES) pipe_events;

    action send() {
        hdr.waiting.due = 1;
    }

    action recirculate_packet() {
        hdr.waiting.due = 0;
    }

    table SchedulerTable {
        key = {
            hdr.waiting.pipe : ternary @name("pipe");
            md.ahead : ternary @name("ahead");
        }
        actions = { send; recirculate_packet; }
        const default_action = recirculate_packet();
        // Its start is past.
        const entries = {
            (_, 0x80000000 &&& 0x80000000) : send();
            (_, 0) : send();
        }
    }
#endif

    apply {
#ifndef METERS
        if (hdr.waiting.isValid()) {
            md.ahead = hdr.waiting.start - from_parser.global_tstamp[31:0];
            GateTable.apply();
            SchedulerTable.apply();
            pipe_events.count(hdr.waiting.pipe ++ hdr.waiting.due);
        }
#endif
    }
}

control ShaperEgressDeparser(packet_out packet, inout headers_t hdr, in metadata_t md, in egress_intrinsic_metadata_for_deparser_t deparser) {
    apply {
        packet.emit(hdr.waiting);
    }
}

Pipeline(ShaperIngressParser(), ShaperIngress(), ShaperIngressDeparser(), ShaperEgressParser(), ShaperEgress(), ShaperEgressDeparser()) pipe;
Switch(pipe) main;
