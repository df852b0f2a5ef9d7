// Exercises every construct of v1model that the switch executes. A probe packet names an operation and carries its operands;
// the answer comes back in the probe's output field.
#include <core.p4>
#include <v1model.p4>

error { BadVersion }

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}

header vlan_t {
    bit<3>  pcp;
    bit<1>  dei;
    bit<12> vid;
    bit<16> type;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  tos;
    bit<16> len;
    bit<16> id;
    bit<3>  flags;
    bit<13> frag;
    bit<8>  ttl;
    bit<8>  proto;
    bit<16> checksum;
    bit<32> src;
    bit<32> dst;
}

header probe_t {
    bit<8>   op;
    bit<8>   small;
    bit<16>  medium;
    bit<32>  word;
    bit<64>  result;
    bit<128> wide;
    int<16>  signed16;
    bit<5>   odd5;
    bit<11>  odd11;
    bit<200> huge;
}

header tail_t {
    bit<16> first;
    bit<16> second;
}

struct headers_t {
    ethernet_t ethernet;
    vlan_t     vlan;
    ipv4_t     ipv4;
    probe_t    probe;
    tail_t     tail;
    tail_t     spare;
}

struct metadata_t {
    bit<8>  peek;
    bit<16> scratch;
    bit<1>  hit;
    bit<32> shared_index;
}

register<bit<48>>(16) shared_register;

parser Parse_(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            0x8100: vlan;
            0x0800: ipv4;
            0x9000 &&& 0xff00: probe;
            0xa000: skip;
            default: accept;
        }
    }
    state vlan {
        packet.extract(hdr.vlan);
        transition select(hdr.vlan.type, hdr.vlan.pcp) {
            (0x0800, _): ipv4;
            (0x9000, 5): probe;
            default: accept;
        }
    }
    state ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4, error.BadVersion);
        transition accept;
    }
    state skip {
        packet.advance(16);
        meta.peek = packet.lookahead<bit<8>>();
        transition select(packet.lookahead<bit<16>>()) {
            0x0001: probe;
            default: accept;
        }
    }
    state probe {
        packet.extract(hdr.probe);
        transition select(hdr.probe.op) {
            0xf0 &&& 0xf0: tail;
            default: accept;
        }
    }
    state tail {
        packet.extract(hdr.tail);
        transition accept;
    }
}

control Verify_(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.tos, hdr.ipv4.len, hdr.ipv4.id, hdr.ipv4.flags, hdr.ipv4.frag,
              hdr.ipv4.ttl, hdr.ipv4.proto, hdr.ipv4.src, hdr.ipv4.dst },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control In(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    counter(128, CounterType.packets_and_bytes) packets_by_op;
    direct_counter(CounterType.packets_and_bytes) exact_counter;
    register<bit<8>>(4) cells8;
    register<bit<16>>(4) cells16;
    register<bit<32>>(4) cells32;
    register<bit<64>>(4) cells64;

    action answer(bit<64> value) { hdr.probe.result = value; }
    action answer_wide(bit<128> value, bit<7> small) { hdr.probe.wide = value; hdr.probe.result = (bit<64>) small; }
    action drop() { mark_to_drop(std); }
    action leave() { hdr.probe.result = 99; exit; }
    action first() { meta.scratch = 1; }
    action second() { meta.scratch = 2; }
    action branching() {
        if (hdr.probe.small > 10) {
            hdr.probe.result = 1;
            if (hdr.probe.small > 20) { hdr.probe.result = 2; }
        } else {
            hdr.probe.result = 3;
        }
        hdr.probe.medium = 7;
    }

    table exact_table {
        key = { hdr.probe.small: exact; hdr.probe.medium: exact; }
        actions = { answer; answer_wide; @defaultonly NoAction; }
        const default_action = NoAction();
        counters = exact_counter;
        size = 16;
    }
    table exact_wide {
        key = { hdr.probe.wide: exact; hdr.probe.word: exact; }
        actions = { answer; }
        default_action = answer(5);
        size = 16;
    }
    table lpm_table {
        key = { hdr.probe.word: lpm; }
        actions = { answer; drop; NoAction; }
        size = 64;
    }
    table lpm_wide {
        key = { hdr.probe.wide: lpm; hdr.probe.small: exact; }
        actions = { answer; }
        default_action = answer(0);
        size = 64;
    }
    table ternary_table {
        key = { hdr.probe.word: ternary; hdr.probe.medium: ternary; hdr.ipv4.isValid(): exact; }
        actions = { answer; }
        default_action = answer(0);
        size = 64;
    }
    table optional_table {
        key = { hdr.probe.word: optional; hdr.probe.small: optional; }
        actions = { answer; }
        default_action = answer(0);
        size = 64;
    }
    table range_table {
        key = { hdr.probe.word: range; }
        actions = { answer; }
        default_action = answer(0);
        size = 64;
    }
    table range_mixed {
        key = { hdr.probe.word: range; hdr.probe.small: exact; hdr.probe.medium: ternary; }
        actions = { answer; }
        default_action = answer(0);
        size = 64;
    }
    table constant_table {
        key = { hdr.probe.word: ternary; }
        actions = { answer; }
        default_action = answer(0);
        const entries = {
            0x10 &&& 0xf0: answer(1);
            0x12: answer(2);
            _: answer(3);
        }
    }
    table by_action {
        key = { hdr.probe.small: exact; }
        actions = { first; second; leave; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            1: first();
            2: second();
            3: leave();
        }
    }
    table invalid_key {
        key = { hdr.tail.first: exact; }
        actions = { answer; }
        default_action = answer(0);
        size = 4;
    }
    table hit_table {
        key = { hdr.probe.word: exact; }
        actions = { answer; NoAction; }
        size = 4;
    }
    table keyless {
        actions = { answer; drop; }
        default_action = answer(11);
    }

    apply {
        std.egress_spec = 1;
        if (hdr.ethernet.type == 0xbeef) {
            std.egress_spec = 511;
        }
        if (std.parser_error != error.NoError || std.checksum_error == 1) {
            hdr.ethernet.dst = (bit<48>) std.checksum_error << 8;
            if (std.parser_error == error.PacketTooShort) { hdr.ethernet.dst = hdr.ethernet.dst | 1; }
            if (std.parser_error == error.BadVersion) { hdr.ethernet.dst = hdr.ethernet.dst | 2; }
        }
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
            if (hdr.vlan.isValid()) {
                hdr.ethernet.type = hdr.vlan.type;
                hdr.vlan.setInvalid();
            } else {
                hdr.vlan.setValid();
                hdr.vlan.vid = 100;
                hdr.vlan.type = hdr.ethernet.type;
                hdr.ethernet.type = 0x8100;
            }
        }
        if (hdr.probe.isValid()) {
            packets_by_op.count((bit<32>) hdr.probe.op);
            if (hdr.probe.op == 1) { exact_table.apply(); }
            else if (hdr.probe.op == 2) { exact_wide.apply(); }
            else if (hdr.probe.op == 3) { lpm_table.apply(); }
            else if (hdr.probe.op == 4) { lpm_wide.apply(); }
            else if (hdr.probe.op == 5) { ternary_table.apply(); }
            else if (hdr.probe.op == 6) { optional_table.apply(); }
            else if (hdr.probe.op == 7) { range_table.apply(); }
            else if (hdr.probe.op == 8) { range_mixed.apply(); }
            else if (hdr.probe.op == 9) { constant_table.apply(); }
            else if (hdr.probe.op == 10) {
                switch (by_action.apply().action_run) {
                    first: { hdr.probe.result = 101; }
                    second: { hdr.probe.result = 102; }
                    NoAction: { hdr.probe.result = 103; }
                }
                hdr.probe.medium = meta.scratch;
            }
            else if (hdr.probe.op == 11) {
                if (hit_table.apply().hit) { hdr.probe.medium = 1; } else { hdr.probe.medium = 2; }
            }
            else if (hdr.probe.op == 12) { branching(); }
            else if (hdr.probe.op == 13) { invalid_key.apply(); }
            else if (hdr.probe.op == 14) { keyless.apply(); }
            else if (hdr.probe.op == 15) { random(hdr.probe.result, (bit<64>) hdr.probe.small, (bit<64>) hdr.probe.medium); }
            else if (hdr.probe.op == 16) {
                hash(hdr.probe.result, HashAlgorithm.crc16, 16w0, { hdr.probe.word, hdr.probe.medium }, 32w0xffffffff);
            }
            else if (hdr.probe.op == 17) {
                hash(hdr.probe.result, HashAlgorithm.crc32, 16w3, { hdr.probe.word, hdr.probe.odd5, hdr.probe.odd11 }, 32w1000);
            }
            else if (hdr.probe.op == 18) {
                hash(hdr.probe.result, HashAlgorithm.identity, 16w0, { hdr.probe.word, hdr.probe.small }, 64w0xffffffffffffffff);
            }
            else if (hdr.probe.op == 19) {
                hash(hdr.probe.result, HashAlgorithm.xor16, 16w0, { hdr.probe.word, hdr.probe.small }, 32w0x10000);
            }
            else if (hdr.probe.op == 20) {
                bit<8> v8; bit<16> v16; bit<32> v32; bit<64> v64;
                cells8.read(v8, hdr.probe.word); cells8.write(hdr.probe.word, v8 + 200);
                cells16.read(v16, hdr.probe.word); cells16.write(hdr.probe.word, v16 + 50000);
                cells32.read(v32, hdr.probe.word); cells32.write(hdr.probe.word, v32 + 3000000000);
                cells64.read(v64, hdr.probe.word); cells64.write(hdr.probe.word, v64 + 0xc000000000000000);
                hdr.probe.result = v64;
                hdr.probe.wide = v8 ++ v16 ++ v32 ++ 72w0;
            }
            else if (hdr.probe.op == 21) {
                shared_register.write(2, (bit<48>) hdr.probe.word);
            }
            else if (hdr.probe.op == 22) {
                hdr.spare.setValid();
                hdr.spare.first = hdr.probe.medium;
                hdr.tail = hdr.spare;
                hdr.tail.second = 0xabcd;
                hdr.spare.setInvalid();
            }
            else if (hdr.probe.op == 23) {
                hdr.probe.signed16 = hdr.probe.signed16 |-| 30000;
                if (hdr.probe.signed16 < 0) { hdr.probe.result = 1; } else { hdr.probe.result = 2; }
                hdr.probe.odd5 = hdr.probe.odd5 |+| 20;
                hdr.probe.odd11 = hdr.probe.odd11 |-| 1000;
            }
            else if (hdr.probe.op == 24) {
                hdr.probe.result = hdr.probe.wide[100:37];
                hdr.probe.wide = hdr.probe.wide[63:0] ++ hdr.probe.wide[127:64];
                hdr.probe.huge[130:67] = hdr.probe.result;
            }
            else if (hdr.probe.op == 25) {
                hdr.probe.result = (bit<64>) meta.peek;
            }
            else if (hdr.probe.op == 0xf1) {
                hdr.spare = hdr.tail;
                hdr.tail.setInvalid();
            }
            if (hdr.probe.op != 3) { std.priority = (bit<3>) hdr.probe.small; }
        }
    }
}

control Out(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    apply {
        if (hdr.probe.isValid()) {
            if (hdr.probe.op == 30) {
                hdr.probe.word = std.packet_length;
                hdr.probe.medium = (bit<16>) std.egress_port;
                hdr.probe.result = std.enq_timestamp ++ std.deq_timedelta;
                hdr.probe.wide = std.ingress_global_timestamp ++ std.egress_global_timestamp ++ 13w0 ++ std.enq_qdepth;
                hdr.probe.small = (bit<8>) std.egress_spec;
                hdr.probe.odd11 = (bit<11>) std.deq_qdepth;
            } else if (hdr.probe.op == 31) {
                mark_to_drop(std);
            } else if (hdr.probe.op == 32) {
                bit<48> v;
                shared_register.read(v, 2);
                hdr.probe.result = (bit<64>) v;
            }
        }
    }
}

control Compute_(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.tos, hdr.ipv4.len, hdr.ipv4.id, hdr.ipv4.flags, hdr.ipv4.frag,
              hdr.ipv4.ttl, hdr.ipv4.proto, hdr.ipv4.src, hdr.ipv4.dst },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
        update_checksum_with_payload(hdr.probe.isValid() && hdr.probe.op == 40,
            { hdr.probe.word, hdr.probe.small, 8w1 }, hdr.probe.medium, HashAlgorithm.csum16);
    }
}

control Deparse_(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.vlan);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.probe);
        packet.emit(hdr.tail);
        packet.emit(hdr.spare);
    }
}

V1Switch(Parse_(), Verify_(), In(), Out(), Compute_(), Deparse_()) main;
