// What programs may compute, say and insist on: one operation a packet.
#include <core.p4>
#include <v1model.p4>

header op_t {
    bit<8>   op;
    bit<8>   a;
    bit<8>   b;
    bit<8>   r;
    bit<32>  n;
    bit<128> w;
    int<16>  s;
}

// A field of variable length in the middle, on a byte.
header middle_t {
    bit<8>      len;
    varbit<64>  v;
    bit<4>      x;
    bit<20>     y;
}

// And one that does not start on a byte.
header odd_t {
    bit<8>      len;
    bit<3>      x;
    varbit<64>  v;
    bit<13>     y;
}

header one_t {
    bit<8> tag;
    bit<8> value;
}

header two_t {
    bit<8>  tag;
    bit<16> value;
}

header_union item_t {
    one_t one;
    two_t two;
}

header mark_t {
    bit<16> sum;
}

struct headers {
    op_t     op;
    middle_t middle;
    odd_t    odd;
    item_t[3] items;
    item_t[3] copies;
    mark_t   mark;
}

struct metadata {
    bit<8> left;
}

parser P(packet_in pkt, out headers h, inout metadata m, inout standard_metadata_t std) {
    state start {
        pkt.extract(h.op);
        transition select(h.op.op) {
            0x20: middle;
            0x21: odd;
            0x30 &&& 0xf0: items;
            default: accept;
        }
    }
    state middle {
        pkt.extract(h.middle, (bit<32>) pkt.lookahead<bit<8>>() * 8);
        transition accept;
    }
    state odd {
        pkt.extract(h.odd, (bit<32>) pkt.lookahead<bit<8>>() * 8);
        transition accept;
    }
    state items {
        m.left = h.op.a;
        transition next_item;
    }
    state next_item {
        transition select(m.left) {
            0: accept;
            default: item;
        }
    }
    state item {
        m.left = m.left - 1;
        transition select(pkt.lookahead<bit<8>>()) {
            1: one;
            2: two;
        }
    }
    state one {
        pkt.extract(h.items.next.one);
        transition next_item;
    }
    state two {
        pkt.extract(h.items.next.two);
        transition next_item;
    }
}

control Verify(inout headers h, inout metadata m) {
    apply {}
}

control In(inout headers h, inout metadata m, inout standard_metadata_t std) {
    action in_range(bit<8> r) {
        h.op.r = r;
    }

    table ranges {
        key = {
            h.op.w: range;
            h.op.a: exact;
        }
        actions = {
            in_range;
            NoAction;
        }
        size = 16;
        default_action = NoAction();
    }

    apply {
        std.egress_spec = 1;
        if (h.op.op == 3) {
            h.op.w = h.op.w << h.op.a;
        } else if (h.op.op == 4) {
            h.op.w = h.op.w >> h.op.a;
        } else if (h.op.op == 5) {
            h.op.s = h.op.s >> h.op.a;
        } else if (h.op.op == 7) {
            log_msg("nothing but text");
            log_msg("a={} w={} s={}", {h.op.a, h.op.w, h.op.s});
        } else if (h.op.op == 8) {
            assert(h.op.a < 5);
        } else if (h.op.op == 9) {
            assume(h.op.w != 0);
        } else if (h.op.op == 10) {
            ranges.apply();
        } else if (h.op.op == 11) {
            h.op.w = ((h.op.w << h.op.a) + h.op.w) ^ (h.op.w << h.op.b);
        } else if (h.op.op == 0x20) {
            h.middle.y = h.middle.y + 1;
            hash(h.op.w, HashAlgorithm.crc32, 64w0, {h.middle.v, h.middle.x, h.middle.y}, 64w0x100000000);
        } else if (h.op.op == 0x21) {
            h.odd.y = h.odd.y + 1;
            hash(h.op.w, HashAlgorithm.crc16, 64w0, {h.odd.x, h.odd.v, h.odd.y}, 64w0x10000);
        } else if (h.op.op == 0x31) {
            h.items.push_front(1);
            h.items[0].one.setValid();
            h.items[0].one = {1, 0xee};
        } else if (h.op.op == 0x32) {
            h.items.pop_front(1);
        } else if (h.op.op == 0x33) {
            h.items.pop_front(2);
        } else if (h.op.op == 0x34) {
            h.copies = h.items;
        } else if (h.op.op == 0x35) {
            h.copies[1] = h.items[0];
            h.op.r = h.copies[1].one.isValid() ? 8w1 : 0;
        } else if (h.op.op == 0x36) {
            h.copies[2].two = {2, 0x1234};
            h.copies[2].two.setValid();
            h.items[0] = h.copies[2];
        }
    }
}

control Eg(inout headers h, inout metadata m, inout standard_metadata_t std) {
    apply {}
}

control Update(inout headers h, inout metadata m) {
    apply {}
}

control D(packet_out pkt, in headers h) {
    apply {
        log_msg("op {} leaves", {h.op.op});
        pkt.emit(h.op);
        pkt.emit(h.middle);
        pkt.emit(h.odd);
        pkt.emit(h.items);
        pkt.emit(h.copies);
    }
}

V1Switch(P(), Verify(), In(), Eg(), Update(), D()) main;
