// Keeps the delay of a shaped limit low. How long a packet waits is known when it comes: its start less now. CoDel decides on that, for each
// limited direction of a subscriber, and none waits longer than its policy allows. What is light, or of a scalable sender, skips the queue and
// takes the limit's time, so that the limit holds and those behind wait longer.

#ifndef SLUICE_DELAY_P4
#define SLUICE_DELAY_P4

#include "../../../shared/limit/delay/settings.p4"
#include "light.p4"
#include "l4s.p4"
#include "codel.p4"

const DropReason_t LIMIT_CODEL = (DropReason_t) 4w13;
const DropReason_t LIMIT_WAIT = (DropReason_t) 4w14;

// However long it takes, this much may wait: eight full packets.
#define ALWAYS_WAIT_KIB 12

// A packet leaves its loop so many ticks after its start, or earlier: 16.8 ms.
#define LATE_WITHIN 0x4000

// The counted events of a limit: the lower three bits of an index into their counters. 0 to 4 are the waits of packets that were let in: up
// to 1, 5, 20, 100 ms and more.
const bit<3> LIMIT_DROPPED = 5;
const bit<3> LIMIT_MARKED = 6;
const bit<3> LIMIT_FIRST = 7;

counter(SUBSCRIBER_DIRECTIONS * 8, CounterType.packets_and_bytes) limit_events;

control CountWait(in direction_index_t limit, in bit<64> wait) {
    apply {
        bit<3> bucket = 0;
        if (wait > 32 * 100000000) {
            bucket = 4;
        } else if (wait > 32 * 20000000) {
            bucket = 3;
        } else if (wait > 32 * 5000000) {
            bucket = 2;
        } else if (wait > 32 * 1000000) {
            bucket = 1;
        }
        limit_events.count((bit<32>) (limit ++ bucket));
    }
}

// The limit that a packet's flow and wait are measured by: the first of the subscriber's, its tree's and its port's that there is.
control PaceOf(in limits_t limits, in finish_times_t times, out pace_t pace) {
    apply {
        pace.elapsed = times.elapsed;
        pace.kib = times.kib;
        if (limits.subscriber == 0 && limits.tree != 0) {
            pace.elapsed = times.elapsed_tree;
            pace.kib = times.kib_tree;
        } else if (limits.subscriber == 0) {
            pace.elapsed = times.elapsed_port;
            pace.kib = times.kib_port;
        }
        pace.now = times.now;
        pace.tick = (ticks_t) (times.now >> TICK_BITS);
        pace.wait = times.most;
    }
}

// What is decided on a packet that has to wait: it goes first, is let in, or is dropped and why.
control Delay(inout headers_t hdr, inout metadata_t md, in limits_t limits, in finish_times_t times, in flow_t flow, in bit<48> now, inout bit<1> first,
              inout DropReason_t reason) {
    DelaySettings() settings;
    PaceOf() pace_of;
    KeepFlow() keep_flow;
    LightFlow() light_flow;
    FirstAhead() first_ahead;
    LowLatency() low_latency;
    ClassicPacket() classic_packet;
    Coupling() coupling;
    LimitCodel() limit_codel;
    CeMark() ce_mark;

    apply {
        pace_t pace;
        ticks_t cost = 0;
        ticks_t depth = 0;
        bit<1> scalable = 0;
        bit<1> overload = 0;
        bit<1> signal = 0;
        bit<1> mark = 0;
        bit<64> ahead = 0;
        bit<64> ahead_after = 0;
        settings.apply(md);
        pace_of.apply(limits, times, pace);
        bit<64> longest = ((bit<64>) md.delay.longest_wait) << 5;

        // Whether it goes before what waits.
        if (md.delay.l4s == 1 && md.ecn[0:0] == 1) {
            scalable = 1;
            if (pace.wait > longest >> 1) {
                overload = 1;
            }
        }
        if (md.flow.light_first == 1 || scalable == 1) {
            light_flow.apply(md.subscriber.direction_index, pace, flow, scalable, first, cost, depth);
            first_ahead.apply(md.subscriber.direction_index, pace, overload, ahead, ahead_after);
        }
        if (scalable == 1) {
            low_latency.apply(pace, flow, ahead_after, first);
        }
        if (first == 1) {
            first_finish.write((bit<32>) md.subscriber.direction_index, (pace.now + ahead_after)[41:10]);
        }

        // Whether it is dropped or marked.
        if (first == 0 && longest != 0 && pace.wait > longest && pace.wait > pace.kib * ALWAYS_WAIT_KIB) {
            reason = LIMIT_WAIT;
        }
        if (scalable == 1) {
            if (first == 0) {
                ahead = pace.wait;
            }
            coupling.apply(md.subscriber.direction_index, pace, ahead, mark);
        } else if (first == 0 && reason == DropReason_t.NONE && md.delay.aqm == LimitAqm_t.CODEL) {
            bit<1> below = 0;
            if (pace.wait < ((bit<64>) md.delay.target) << 5 || pace.wait <= pace.elapsed) {
                below = 1;
            }
            limit_codel.apply(md.subscriber.direction_index, md.delay.interval, below, now[31:0], signal);
            classic_packet.apply(md.subscriber.direction_index, pace.tick, signal);
            if (signal == 1 && md.delay.ecn == 1 && md.ecn != ECN_NOT_ECT) {
                mark = 1;
            } else if (signal == 1) {
                reason = LIMIT_CODEL;
                limit_events.count((bit<32>) (md.subscriber.direction_index ++ LIMIT_DROPPED));
            }
        }
        if (mark == 1 && reason == DropReason_t.NONE) {
            ce_mark.apply(hdr, md);
            md.ecn = ECN_CE;
            limit_events.count((bit<32>) (md.subscriber.direction_index ++ LIMIT_MARKED));
        }

        // What its flow is known by from now on. A heavy one is heavy until it has been light for the time of its bucket, and until its last
        // packet has left, late as loops may be, so that none overtakes that.
        ticks_t moved = flow.ahead + cost;
        if (first == 0) {
            if (moved > depth << 1) {
                moved = depth << 1;
            }
            ticks_t left = (ticks_t) (pace.wait >> TICK_BITS) + depth + LATE_WITHIN;
            if (reason == DropReason_t.NONE && left > moved) {
                moved = left;
            }
        }
        if (first == 0 && scalable == 1 || md.flow.light_first == 1 && scalable == 0) {
            keep_flow.apply(flow, pace.tick, moved);
        }
        if (first == 1) {
            limit_events.count((bit<32>) (md.subscriber.direction_index ++ LIMIT_FIRST));
        }
    }
}

#endif
