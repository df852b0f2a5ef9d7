// Light flows go before heavy ones. Light is a flow that sends less than 2^-share of its limit's rate, and the light flows of a limit together
// at most half of it: flows that pretend to be light find the share smaller, and gain nothing.

#ifndef SLUICE_LIGHT_P4
#define SLUICE_LIGHT_P4

const bit<4> LARGEST_SHARE = 3;
const bit<4> SMALLEST_SHARE = 10;
// A share of at least 122 kbit/s: 1 KiB in 67 ms. A call is always light.
#define HALVED_UP_TO 0x40000000
// In ticks. The share gets smaller at most once in 34 ms, and larger after 134 ms in which the light flows kept to their half.
#define SHARE_SHRINKS_AFTER 0x8000
#define SHARE_GROWS_AFTER 0x20000
// A flow's bucket, and what all light flows may be ahead, in KiB and at least 16.8 ms.
#define FLOW_KIB_BITS 2
#define LIGHT_KIB_BITS 4
#define LIGHT_WITHIN 0x20000000

// What the light flows are up to, in 32 ns; the share, and the tick in which it changed last, without its lowest four bits.
register<bit<64>>(SUBSCRIBER_DIRECTIONS) light_flows;

// Sets `first` on a packet of a light flow that may go first. `cost` is how far a packet moves its flow on, `depth` how far a light flow may be.
control LightFlow(in direction_index_t limit, in pace_t pace, in flow_t flow, in bit<1> scalable, inout bit<1> first, out ticks_t cost,
                  out ticks_t depth) {
    apply {
        bit<64> kept;
        light_flows.read(kept, (bit<32>) limit);
        bit<4> share = kept[31:28];
        bit<28> since = pace.tick[31:4] - kept[27:0];
        bit<4> changed = share;
        bit<32> finish = kept[63:32];
        bit<32> now = pace.now[41:10];
        if (share < LARGEST_SHARE) {
            changed = LARGEST_SHARE;
        } else if (share > LARGEST_SHARE && since > SHARE_GROWS_AFTER >> 4) {
            changed = share - 1;
        }
        cost = (ticks_t) (((pace.elapsed << changed) + (1 << TICK_BITS) - 1) >> TICK_BITS);
        depth = (ticks_t) (pace.kib << FLOW_KIB_BITS << changed >> TICK_BITS);
        if (scalable == 0 && flow.behind == 0 && flow.ahead + cost <= depth) {
            bit<64> within = pace.kib << LIGHT_KIB_BITS;
            if (within < LIGHT_WITHIN) {
                within = LIGHT_WITHIN;
            }
            bit<64> reached = ((bit<64>) (finish - now)) << 10;
            // From before the clock went round, or from a slower limit.
            if (reached > within) {
                reached = 0;
            }
            reached = reached + (pace.elapsed << 1);
            if (reached <= within) {
                first = 1;
                finish = now + reached[41:10];
            } else if (changed == share && share < SMALLEST_SHARE && pace.kib << share < HALVED_UP_TO && since > SHARE_SHRINKS_AFTER >> 4) {
                changed = share + 1;
            }
        }
        if (changed != share) {
            since = 0;
        }
        if (changed != share || first == 1) {
            light_flows.write((bit<32>) limit, finish ++ changed ++ (pace.tick[31:4] - since));
        }
    }
}

#endif
