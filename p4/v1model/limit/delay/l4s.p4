// The low-latency way of a limit, for scalable senders (RFC 9331, RFC 9332). Their packets go first, as long as they are not far ahead of what the
// limit alone would let through of them; they are marked by how far they are ahead, and by what the classic traffic beside them loses.

#ifndef SLUICE_L4S_P4
#define SLUICE_L4S_P4

// 1.05 ms or a packet: from there on all are marked. 4.2 ms or four packets: beyond that they wait like others.
#define MARKED_FROM 0x2000000
#define MARKED_KIB_BITS 1
#define FIRST_WITHIN 0x8000000
#define FIRST_KIB_BITS 3
// A limit has classic traffic if a packet of that had to wait within so many of 1.05 ms.
#define CLASSIC_WITHIN 64

// What goes first is up to, in 32 ns.
register<bit<32>>(SUBSCRIBER_DIRECTIONS) first_finish;
// Of classic packets: the number since the last that CoDel dropped or marked, and the mean number from one to the next; when the last came, in
// 1.05 ms; and of the others what their marks are ahead of their share, in 1/65536.
register<bit<64>>(SUBSCRIBER_DIRECTIONS) classic_losses;

// How far what goes first is ahead, and how far it gets with this packet. If the limit is overloaded, that has half of it.
control FirstAhead(in direction_index_t limit, in pace_t pace, in bit<1> overload, out bit<64> before, out bit<64> after) {
    apply {
        bit<32> last;
        first_finish.read(last, (bit<32>) limit);
        before = ((bit<64>) (last - pace.now[41:10])) << 10;
        // What light and scalable flows may be ahead together. More is from before the clock went round, or from a slower limit.
        bit<64> within = pace.kib << (LIGHT_KIB_BITS + 1);
        if (within < LIGHT_WITHIN << 1) {
            within = LIGHT_WITHIN << 1;
        }
        if (before > within) {
            before = 0;
        }
        after = before + (pace.elapsed << overload);
    }
}

// Sets `first` on a scalable sender's packet that is not too far ahead, and whose flow has none that wait. Once these have left it goes first again,
// or a flow that had to wait once would go on waiting among the classic ones, and all of it be marked.
control LowLatency(in pace_t pace, in flow_t flow, in bit<64> ahead, inout bit<1> first) {
    apply {
        bit<64> within = pace.kib << FIRST_KIB_BITS;
        if (within < FIRST_WITHIN) {
            within = FIRST_WITHIN;
        }
        if (flow.behind == 0 && ahead <= within) {
            first = 1;
        }
    }
}

// Notes a classic packet that had to wait.
control ClassicPacket(in direction_index_t limit, in ticks_t now, in bit<1> signal) {
    apply {
        bit<64> kept;
        classic_losses.read(kept, (bit<32>) limit);
        bit<16> since = kept[15:0] |+| 1;
        bit<16> mean = kept[31:16];
        if (signal == 1) {
            if (mean == 0) {
                mean = since;
            } else {
                mean = mean - (mean >> 2) + (since >> 2);
            }
            since = 0;
        }
        classic_losses.write((bit<32>) limit, kept[63:48] ++ now[25:10] ++ mean ++ since);
    }
}

// Whether a scalable sender's packet is marked. Those of classic senders are lost once in so many, p; with 2 sqrt(p) of its packets marked, a
// scalable sender beside them gets about as much as they do (RFC 9332, section 2.1).
control Coupling(in direction_index_t limit, in pace_t pace, in bit<64> wait, inout bit<1> mark) {
    CodelControlLaw() root;

    apply {
        bit<64> kept;
        bit<64> from = pace.kib << MARKED_KIB_BITS;
        if (from < MARKED_FROM) {
            from = MARKED_FROM;
        }
        if (wait > from) {
            mark = 1;
        }
        classic_losses.read(kept, (bit<32>) limit);
        bit<16> since = kept[15:0];
        bit<16> mean = kept[31:16];
        bit<16> age = pace.tick[25:10] - kept[47:32];
        if (mean != 0 && age < CLASSIC_WITHIN) {
            if (since > mean) {
                mean = since;
            }
            // 2^22 / sqrt(mean), and 2^17 / sqrt(mean) is twice the root in 1/65536.
            micros_t step;
            root.apply((codel_weight_t) mean, step);
            step = step >> 5;
            if (step > 0xffff) {
                step = 0xffff;
            }
            bit<17> credit = (bit<17>) kept[63:48] + (bit<17>) step;
            if (credit[16:16] == 1) {
                mark = 1;
            }
            classic_losses.write((bit<32>) limit, credit[15:0] ++ kept[47:0]);
        }
    }
}

#endif
