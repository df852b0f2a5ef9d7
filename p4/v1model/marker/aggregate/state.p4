// The state of aggregates' markers in v1model: registers that one pass may read and write.

#ifndef SLUICE_AGGREGATE_STATE_P4
#define SLUICE_AGGREGATE_STATE_P4

// A bucket that saw no packet for longer has filled for this long: 16.8 s.
#define LONGEST_FILL 0xffffff

register<bit<52>>(AGGREGATES) bucket_tokens;
register<bit<48>>(AGGREGATES) bucket_time;
register<bit<16>>(AGGREGATES) fair_rate_log;
register<bit<32>>(AGGREGATES) contract_holder;

// Registers cannot be cleared from outside on every switch: the first packet of a contract passes over what one with its number has left.
control ContractChange(inout metadata_t md) {
    apply {
        bit<32> before;
        contract_holder.read(before, (bit<32>) md.aggregate.index);
        if (before != md.aggregate.holder) {
            md.aggregate.fresh = 1;
            contract_holder.write((bit<32>) md.aggregate.index, md.aggregate.holder);
        }
    }
}

// The rate of a packet's flow, at the edge: what paper 003 writes into the packet stays in its metadata, as edge and marker are one switch.
control FlowRate(in headers_t hdr, in metadata_t md, in bit<48> now, out rate_t rate) {
    FlowEstimate(FLOW_RATES) estimate;

    apply {
        flow_index_t flow;
        bit<128> source = hdr.ipv6.src_addr;
        bit<128> destination = hdr.ipv6.dst_addr;
        bit<8> protocol = hdr.ipv6.next_hdr;
        bit<16> source_port = 0;
        bit<16> destination_port = 0;
        if (hdr.ipv4.isValid()) {
            source = (bit<128>) hdr.ipv4.src_addr;
            destination = (bit<128>) hdr.ipv4.dst_addr;
            protocol = hdr.ipv4.protocol;
        }
        if (hdr.tcp.isValid()) {
            source_port = hdr.tcp.src_port;
            destination_port = hdr.tcp.dst_port;
        } else if (hdr.udp.isValid()) {
            source_port = hdr.udp.src_port;
            destination_port = hdr.udp.dst_port;
        }
        hash(flow, HashAlgorithm.crc32, (flow_index_t) 0,
             { md.aggregate.index, source, destination, protocol, source_port, destination_port }, (bit<32>) FLOW_RATES);
        estimate.apply(flow, md.frame_bytes, now, 1, 0, rate);
    }
}

control AggregateRate(in metadata_t md, in bit<48> now, in bit<1> counts, out rate_t rate) {
    FlowEstimate(AGGREGATES) estimate;

    apply {
        estimate.apply(4w0 ++ md.aggregate.index, md.frame_bytes, now, counts, md.aggregate.fresh, rate);
    }
}

// Tokens that a packet finds, in 2^-20 bit. A bucket begins full.
control TokenRefill(in metadata_t md, in bit<48> now, out bit<52> tokens, out bit<1> full) {
    apply {
        bit<48> last;
        bit<52> left;
        bucket_time.read(last, (bit<32>) md.aggregate.index);
        bucket_tokens.read(left, (bit<32>) md.aggregate.index);
        bit<48> elapsed = now - last;
        if (elapsed > LONGEST_FILL) {
            elapsed = LONGEST_FILL;
        }
        bit<64> level = (bit<64>) left + (bit<64>) elapsed * (bit<64>) md.aggregate.fill;
        full = 0;
        if (last == 0 || md.aggregate.fresh == 1 || level >= (bit<64>) md.aggregate.burst) {
            level = (bit<64>) md.aggregate.burst;
            full = 1;
        }
        tokens = level[51:0];
    }
}

control TokenTake(in aggregate_index_t index, in bit<48> now, in bit<52> tokens) {
    apply {
        bucket_time.write((bit<32>) index, now);
        bucket_tokens.write((bit<32>) index, tokens);
    }
}

// PAM's average of the tokens that packets find, bits: it begins with a full bucket.
control TokenAverage(in metadata_t md, in bit<52> tokens, out bit<32> average) {
    register<bit<52>>(AGGREGATES) missing_tokens;

    apply {
        bit<52> missing;
        missing_tokens.read(missing, (bit<32>) md.aggregate.index);
        if (md.aggregate.fresh == 1) {
            missing = 0;
        } else if (missing > md.aggregate.burst) {
            // The burst has been lowered.
            missing = md.aggregate.burst;
        }
        missing = missing - (missing >> md.aggregate.average_shift) + ((md.aggregate.burst - tokens) >> md.aggregate.average_shift);
        missing_tokens.write((bit<32>) md.aggregate.index, missing);
        average = (md.aggregate.burst |-| missing)[51:20];
    }
}

// The logarithm of the rate that each flow of the contract may have, 0 if it is not known yet.
control FairRate(in metadata_t md, out log_t alpha) {
    apply {
        fair_rate_log.read(alpha, (bit<32>) md.aggregate.index);
        if (md.aggregate.fresh == 1) {
            alpha = 0;
        }
    }
}

// CSFQ's estimate of the fair rate: as long as more arrives than is committed, the rate is corrected once a window by committed over admitted;
// as long as less does, it is the greatest rate of a flow that a window has seen. A bucket that is empty although the fair rate admits a packet,
// or that is full, corrects it by less than 1 %.
control FairRateUpdate(in metadata_t md, in log_t label, in rate_t arrivals, in log_t admitted_log, in bit<1> admitted, in bit<1> token,
                       in bit<1> full, in bit<48> now) {
    register<bit<1>>(AGGREGATES) congested;
    register<bit<48>>(AGGREGATES) window_begin;
    register<bit<16>>(AGGREGATES) largest_log;

    apply {
        bit<1> was_congested;
        bit<48> begin;
        log_t largest;
        log_t alpha;
        bit<1> is_congested = 0;
        congested.read(was_congested, (bit<32>) md.aggregate.index);
        window_begin.read(begin, (bit<32>) md.aggregate.index);
        largest_log.read(largest, (bit<32>) md.aggregate.index);
        fair_rate_log.read(alpha, (bit<32>) md.aggregate.index);
        if (md.aggregate.fresh == 1) {
            was_congested = 0;
            begin = now;
            largest = 0;
            alpha = 0;
        }
        bit<48> since = now - begin;

        if (arrivals >= md.aggregate.cir_rate) {
            is_congested = 1;
        }
        if (is_congested != was_congested) {
            begin = now;
            largest = 0;
            if (is_congested == 1 && alpha == 0) {
                alpha = label;
            }
        } else if (since >= (bit<48>) md.aggregate.window) {
            begin = now;
            if (is_congested == 1) {
                alpha = (alpha |+| md.aggregate.cir_log) |-| admitted_log;
            } else {
                alpha = largest;
                largest = 0;
            }
        }
        if (is_congested == 0) {
            if (label > largest) {
                largest = label;
            }
        } else if (admitted == 1 && token == 0) {
            alpha = alpha |-| LOG_CORRECTION;
        } else if (full == 1) {
            alpha = alpha |+| LOG_CORRECTION;
        }
        congested.write((bit<32>) md.aggregate.index, is_congested);
        window_begin.write((bit<32>) md.aggregate.index, begin);
        largest_log.write((bit<32>) md.aggregate.index, largest);
        fair_rate_log.write((bit<32>) md.aggregate.index, alpha);
    }
}

#endif
