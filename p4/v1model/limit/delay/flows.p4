// A flow's rate, in a count-min sketch of two rows of leaky buckets: each flow drains its two cells at 2^-share of its limit's rate.

#ifndef SLUICE_FLOWS_P4
#define SLUICE_FLOWS_P4

// 8.6 s: no flow is further ahead.
#define FLOW_AHEAD_WITHIN 0x800000

// When a cell is drained.
register<bit<32>>(FLOW_CELLS) flow_until1;
register<bit<32>>(FLOW_CELLS) flow_until2;

struct flow_t {
    flow_cell_t cell1;
    flow_cell_t cell2;
    // How far its cells are ahead of now; the lesser of the two is the flow's.
    ticks_t     ahead1;
    ticks_t     ahead2;
    ticks_t     ahead;
    // Whether others of it wait. It follows them, light or not.
    bit<1>      behind;
    // Whether one of its cells keeps its order, and the other one, which tells whose that is.
    bit<1>      has_turn;
    flow_cell_t tag;
}

control FindFlow(in headers_t hdr, in direction_index_t limit, in ticks_t now, out flow_t flow) {
    apply {
        bit<16> source_port = 0;
        bit<16> destination_port = 0;
        bit<32> crc32;
        bit<16> crc16;
        if (hdr.tcp.isValid()) {
            source_port = hdr.tcp.src_port;
            destination_port = hdr.tcp.dst_port;
        } else if (hdr.udp.isValid()) {
            source_port = hdr.udp.src_port;
            destination_port = hdr.udp.dst_port;
        }
        if (hdr.ipv4.isValid()) {
            hash(crc32, HashAlgorithm.crc32, (bit<32>) 0, { limit, hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, source_port,
                 destination_port }, (bit<64>) 0x100000000);
            hash(crc16, HashAlgorithm.crc16, (bit<16>) 0, { limit, hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, source_port,
                 destination_port }, (bit<32>) 0x10000);
        } else {
            hash(crc32, HashAlgorithm.crc32, (bit<32>) 0, { limit, hdr.ipv6.src_addr, hdr.ipv6.dst_addr, hdr.ipv6.next_hdr, source_port,
                 destination_port }, (bit<64>) 0x100000000);
            hash(crc16, HashAlgorithm.crc16, (bit<16>) 0, { limit, hdr.ipv6.src_addr, hdr.ipv6.dst_addr, hdr.ipv6.next_hdr, source_port,
                 destination_port }, (bit<32>) 0x10000);
        }
        flow.cell1 = crc32[19:0];
        flow.cell2 = crc32[31:28] ++ crc16;
        ticks_t until;
        flow_until1.read(until, (bit<32>) flow.cell1);
        flow.ahead1 = until - now;
        if (flow.ahead1 >= FLOW_AHEAD_WITHIN) {
            flow.ahead1 = 0;
        }
        flow_until2.read(until, (bit<32>) flow.cell2);
        flow.ahead2 = until - now;
        if (flow.ahead2 >= FLOW_AHEAD_WITHIN) {
            flow.ahead2 = 0;
        }
        flow.behind = 0;
        flow.has_turn = 0;
        flow.tag = 0;
        flow.ahead = flow.ahead1;
        if (flow.ahead2 < flow.ahead1) {
            flow.ahead = flow.ahead2;
        }
    }
}

// Has a flow be ahead by so much, where it is less in a cell.
control KeepFlow(in flow_t flow, in ticks_t now, in ticks_t ahead) {
    apply {
        ticks_t kept = ahead;
        if (kept >= FLOW_AHEAD_WITHIN) {
            kept = FLOW_AHEAD_WITHIN - 1;
        }
        if (kept > flow.ahead1) {
            flow_until1.write((bit<32>) flow.cell1, now + kept);
        }
        if (kept > flow.ahead2) {
            flow_until2.write((bit<32>) flow.cell2, now + kept);
        }
    }
}

#endif
