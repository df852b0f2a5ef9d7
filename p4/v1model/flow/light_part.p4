// Light flows where the switch does not hold a subscriber back itself. At the FPGA they have a queue of their own; at a congested port they take the
// part of their subscriber's packet values that is worth most. What a flow is measured by there is the rate that its subscriber gets.

#ifndef SLUICE_LIGHT_PART_P4
#define SLUICE_LIGHT_PART_P4

// How long 1 KiB takes at a rate, in 1/32 ns. At less than 977 kbit/s it is 8.4 ms, so that an eighth is never less than a call.
control RatePeriod(in rate_t rate, out bit<64> kib) {
    action set_period(bit<28> period) {
        kib = (bit<64>) period;
    }

    // Within 12 % of 2048 tau / rate: the rate filter's unit is half a byte a tau.
    table Period {
        key = { rate : lpm; }
        actions = { set_period; @defaultonly NoAction; }
        const default_action = set_period(0xfffffff);
        const entries = {
#include "rate_period.inc"
        }
    }

    apply {
        kib = 0;
        Period.apply();
    }
}

// A flow that was heavy stays so for 268 ms, in which its last packet has left the FPGA, so that none overtakes that.
#define HEAVY_FOR 0x40000

// Whether a packet's flow is light, and the part of its subscriber's bytes that light flows have brought of late, in 1/65536. If that is more than
// half, the share below which a flow is light gets smaller, as under a shaped limit. Each place at which flows are told apart has cells of its own.
control LightPart(in headers_t hdr, in direction_index_t index, in direction_index_t cells, in rate_t rate, in bit<16> bytes, in bit<48> now,
                  out bit<1> light, out bit<16> part) {
    // The part; the share; the tick in which it changed last, without its lowest four bits.
    register<bit<64>>(SUBSCRIBER_DIRECTIONS) light_parts;

    RatePeriod() rate_period;
    FindFlow() find_flow;
    KeepFlow() keep_flow;

    apply {
        bit<64> kib;
        bit<64> kept;
        flow_t flow = { 0, 0, 0, 0, 0, 0, 0, 0 };
        ticks_t tick = (ticks_t) (((((bit<64>) now) * 1000) << 5) >> TICK_BITS);
        light = 0;
        rate_period.apply(rate, kib);
        @atomic {
            find_flow.apply(hdr, cells, tick, flow);
            light_parts.read(kept, (bit<32>) index);
            part = kept[63:48];
            bit<4> share = kept[31:28];
            bit<28> since = tick[31:4] - kept[27:0];
            bit<4> changed = share;
            if (share < LARGEST_SHARE) {
                changed = LARGEST_SHARE;
            } else if (share > LARGEST_SHARE && part[15:14] == 0 && since > SHARE_GROWS_AFTER >> 4) {
                changed = share - 1;
            } else if (share < SMALLEST_SHARE && part[15:15] == 1 && kib << share < HALVED_UP_TO && since > SHARE_SHRINKS_AFTER >> 4) {
                changed = share + 1;
            }
            if (changed != share) {
                since = 0;
            }
            ticks_t cost = (ticks_t) (((kib * (bit<64>) bytes >> 10 << changed) + (1 << TICK_BITS) - 1) >> TICK_BITS);
            ticks_t depth = (ticks_t) (kib << FLOW_KIB_BITS << changed >> TICK_BITS);
            ticks_t moved = flow.ahead + cost;
            bit<32> step = (bit<32>) bytes;
            if (moved <= depth) {
                light = 1;
                step = step * (bit<32>) ~part;
                part = part + step[31:16];
            } else {
                moved = depth + HEAVY_FOR;
                step = step * (bit<32>) part;
                part = part - step[31:16];
            }
            light_parts.write((bit<32>) index, part ++ 16w0 ++ changed ++ (tick[31:4] - since));
            keep_flow.apply(flow, tick, moved);
        }
    }
}

// The queue of the FPGA for a packet of a light flow. The rate is the one at which the subscriber's packets have come back.
control LightAtFpga(in headers_t hdr, inout metadata_t md, in bit<48> now) {
    LightPart() light_part;

    apply {
        if (md.flow.light_class != 0) {
            bit<40> count;
            rate_t rate = 0xffffffff;
            bit<1> light;
            bit<16> part;
            rate_bytes.read(count, (bit<32>) md.subscriber.direction_index);
            if (count[39:39] == 0) {
                rate = count[38:7];
            }
            light_part.apply(hdr, md.subscriber.direction_index, md.subscriber.direction_index, rate, md.frame_bytes, now, light, part);
            if (light == 1) {
                md.fpga.queue = md.fpga.queue[17:3] ++ md.flow.light_class;
            }
        }
    }
}

// Where values decide on what is dropped: the random part of its subscriber's rate that a packet stands for is one of the best for a light flow, and
// one of the others for a heavy one. All parts are as often drawn as ever, so the subscriber's share stays what it is.
control LightAtPort(in headers_t hdr, inout metadata_t md, in bit<48> now) {
    LightPart() light_part;

    apply {
        bit<32> threshold;
        congestion_threshold.read(threshold, (bit<32>) md.egress_port);
        if (threshold[31:16] != 0) {
            bit<1> light;
            bit<16> part;
            bit<32> drawn;
            light_part.apply(hdr, md.subscriber.direction_index, ~md.subscriber.direction_index, md.csaqm.rate, md.frame_bytes, now, light, part);
            drawn = (bit<32>) md.csaqm.rnd;
            if (light == 1) {
                drawn = drawn * (bit<32>) part;
                md.csaqm.rnd = drawn[31:16];
            } else {
                drawn = drawn * (bit<32>) ~part;
                md.csaqm.rnd = part + drawn[31:16];
            }
        }
    }
}

#endif
