// Markers of aggregates (paper 003): which packets of one contract with many flows are within its committed rate (IN) and which are not (OUT).
// A packet is IN with a probability that no division is needed for, since logarithms are compared: F-SAM's min(1, alpha / rate) and
// TSW2CM's min(1, CIR / rate) are that rate times a random fraction is at most alpha or the CIR; PAM's is the distance of the averaged tokens
// from a threshold. The including architecture supplies FlowRate, AggregateRate, TokenRefill, TokenTake, TokenAverage, Logarithm, FairRate and
// FairRateUpdate, and ContractChange, which tells them that a number has another contract than before.

#ifndef SLUICE_AGGREGATE_MARKER_P4
#define SLUICE_AGGREGATE_MARKER_P4

// The contract that a packet is under.
control AggregateContract(inout metadata_t md) {
    action token_bucket(aggregate_index_t index, bit<32> holder, bit<40> fill, bit<52> burst, bit<6> dscp_in, bit<6> dscp_out) {
        md.aggregate.kind = MARKER_TOKEN_BUCKET;
        md.aggregate.index = index;
        md.aggregate.holder = holder;
        md.aggregate.fill = fill;
        md.aggregate.burst = burst;
        md.aggregate.dscp_in = dscp_in;
        md.aggregate.dscp_out = dscp_out;
    }

    action tsw2cm(aggregate_index_t index, bit<32> holder, log_t cir_log, bit<8> time_shift, bit<6> dscp_in, bit<6> dscp_out) {
        md.aggregate.kind = MARKER_TSW2CM;
        md.aggregate.index = index;
        md.aggregate.holder = holder;
        md.aggregate.cir_log = cir_log;
        md.aggregate.time_shift = time_shift;
        md.aggregate.dscp_in = dscp_in;
        md.aggregate.dscp_out = dscp_out;
    }

    action pam(aggregate_index_t index, bit<32> holder, bit<40> fill, bit<52> burst, bit<32> least, bit<32> most, log_t scale_log,
               bit<8> average_shift, bit<6> dscp_in, bit<6> dscp_out) {
        md.aggregate.kind = MARKER_PAM;
        md.aggregate.index = index;
        md.aggregate.holder = holder;
        md.aggregate.fill = fill;
        md.aggregate.burst = burst;
        md.aggregate.least = least;
        md.aggregate.most = most;
        md.aggregate.scale_log = scale_log;
        md.aggregate.average_shift = average_shift;
        md.aggregate.dscp_in = dscp_in;
        md.aggregate.dscp_out = dscp_out;
    }

    action f_sam(aggregate_index_t index, bit<32> holder, bit<40> fill, bit<52> burst, bit<32> cir_rate, log_t cir_log, bit<8> time_shift,
                 micros_t window_micros, bit<6> dscp_in, bit<6> dscp_out) {
        md.aggregate.kind = MARKER_F_SAM;
        md.aggregate.index = index;
        md.aggregate.holder = holder;
        md.aggregate.fill = fill;
        md.aggregate.burst = burst;
        md.aggregate.cir_rate = cir_rate;
        md.aggregate.cir_log = cir_log;
        md.aggregate.time_shift = time_shift;
        md.aggregate.window = window_micros;
        md.aggregate.dscp_in = dscp_in;
        md.aggregate.dscp_out = dscp_out;
    }

    table Aggregate {
        key = {
            md.subscriber.index : exact @name("index");
            md.subscriber.direction : exact @name("direction");
        }
        actions = { token_bucket; tsw2cm; pam; f_sam; @defaultonly NoAction; }
        const default_action = NoAction();
        size = AGGREGATES;
    }

    apply {
        Aggregate.apply();
    }
}

// What a flow's share counts for beside others of its contract: by the codepoint that it comes with, once if there is no entry.
control FlowWeighting(inout metadata_t md, in bit<6> dscp) {
    action set_weight(log_t weight_log) {
        md.aggregate.weight_log = weight_log;
    }

    table FlowWeight {
        key = {
            md.aggregate.index : exact @name("aggregate");
            dscp : exact @name("dscp");
        }
        actions = { set_weight; @defaultonly NoAction; }
        const default_action = NoAction();
        size = FLOW_WEIGHTS;
    }

    apply {
        FlowWeight.apply();
    }
}

// The header checksum of an IPv4 packet with options, updated for another codepoint (RFC 1624, equation 3).
control CodepointChecksum(inout headers_t hdr, in bit<6> codepoint) {
    apply {
        bit<16> before = 8w0 ++ hdr.ipv4.dscp ++ 2w0;
        bit<16> after = 8w0 ++ codepoint ++ 2w0;
        bit<32> sum = (bit<32>) (~hdr.ipv4.hdr_checksum);
        sum = sum + (bit<32>) (~before);
        sum = sum + (bit<32>) after;
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        hdr.ipv4.hdr_checksum = ~sum[15:0];
    }
}

control AggregateMarker(inout headers_t hdr, inout metadata_t md, in bit<16> rnd, in bit<48> now) {
    AggregateContract() contract;
    ContractChange() change;
    FlowWeighting() weighting;
    FlowRate() flow_rate;
    AggregateRate() arrival_rate;
    AggregateRate() admitted_rate;
    TokenRefill() refill;
    TokenTake() take;
    TokenAverage() average;
    Logarithm() subject_logarithm;
    Logarithm() random_logarithm;
    Logarithm() admitted_logarithm;
    FairRate() fair_rate;
    FairRateUpdate() fair_rate_update;
    CodepointChecksum() codepoint_checksum;

    counter(AGGREGATE_COLOURS, CounterType.packets_and_bytes) aggregate_marks;

    apply {
        contract.apply(md);
        if (md.aggregate.kind != MARKER_NONE) {
            change.apply(md);
            bit<48> slow_now = now >> md.aggregate.time_shift;
            bit<52> needed = 13w0 ++ md.frame_bytes ++ 23w0;
            bit<6> dscp = hdr.ipv6.dscp;
            rate_t arrivals = 0;
            rate_t admitted_bytes = 0;
            // What the logarithm is asked for: a rate, or how far PAM's average is below its upper threshold.
            bit<32> subject = 0;
            log_t subject_log = 0;
            log_t random_log = 0;
            log_t admitted_log = 0;
            log_t alpha = 0;
            bit<52> tokens = 0;
            bit<32> average_bits = 0;
            bit<1> full = 0;
            bit<1> token = 1;
            bit<1> admitted = 1;

            if (hdr.ipv4.isValid()) {
                dscp = hdr.ipv4.dscp;
            }
            if (md.aggregate.kind != MARKER_TSW2CM) {
                refill.apply(md, now, tokens, full);
                if (tokens < needed) {
                    token = 0;
                }
            }
            if (md.aggregate.kind == MARKER_F_SAM) {
                weighting.apply(md, dscp);
                flow_rate.apply(hdr, md, now, subject);
                fair_rate.apply(md, alpha);
                alpha = alpha |+| md.aggregate.weight_log;
            } else if (md.aggregate.kind == MARKER_PAM) {
                average.apply(md, tokens, average_bits);
                subject = md.aggregate.most |-| average_bits;
            }
            if (md.aggregate.kind == MARKER_F_SAM || md.aggregate.kind == MARKER_TSW2CM) {
                arrival_rate.apply(md, slow_now, 1, arrivals);
            }
            if (md.aggregate.kind == MARKER_TSW2CM) {
                subject = arrivals;
                alpha = md.aggregate.cir_log;
            }

            subject_logarithm.apply(subject, subject_log);
            random_logarithm.apply(16w0 ++ rnd, random_log);
            if (md.aggregate.kind == MARKER_PAM) {
                bit<32> above = average_bits |-| md.aggregate.least;
                bit<20> drawn = (bit<20>) random_log + (bit<20>) md.aggregate.scale_log;
                if (above == 0 || (subject != 0 && drawn < (bit<20>) subject_log + (bit<20>) LOG_RANDOM)) {
                    admitted = 0;
                }
            } else if (md.aggregate.kind != MARKER_TOKEN_BUCKET) {
                bit<20> drawn = (bit<20>) subject_log + (bit<20>) random_log;
                // Without a fair rate yet all is admitted.
                if (alpha != 0 && drawn > (bit<20>) alpha + (bit<20>) LOG_RANDOM) {
                    admitted = 0;
                }
            }

            if (md.aggregate.kind == MARKER_F_SAM) {
                admitted_rate.apply(md, slow_now, admitted, admitted_bytes);
                admitted_logarithm.apply(admitted_bytes, admitted_log);
                fair_rate_update.apply(md, subject_log |-| md.aggregate.weight_log, arrivals, admitted_log, admitted, token, full, now);
            }
            if (md.aggregate.kind != MARKER_TSW2CM) {
                admitted = admitted & token;
                if (admitted == 1) {
                    tokens = tokens - needed;
                }
                take.apply(md.aggregate.index, now, tokens);
            }

            md.aggregate.out_of_profile = ~admitted;
            aggregate_marks.count((bit<32>) (md.aggregate.index ++ md.aggregate.out_of_profile));
            bit<6> codepoint = md.aggregate.dscp_in;
            if (admitted == 0) {
                codepoint = md.aggregate.dscp_out;
            }
            if (hdr.ipv4.isValid()) {
                if (hdr.ipv4.ihl != 5 || md.wire.on == 1 && hdr.ipv4.dscp != codepoint) {
                    codepoint_checksum.apply(hdr, codepoint);
                }
                hdr.ipv4.dscp = codepoint;
            } else {
                hdr.ipv6.dscp = codepoint;
            }
        }
    }
}

#endif
