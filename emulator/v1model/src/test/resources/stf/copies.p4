/* Everything v1model does with copies of a packet, as commands in the packet ask for it. */
#include <core.p4>
#include <v1model.p4>

const bit<8> CLONE = 1;
const bit<8> CLONE_KEEP = 2;
const bit<8> AGAIN = 4;        // resubmit in ingress, recirculate in egress
const bit<8> AGAIN_OTHER = 8;  // the same with another field list
const bit<8> GROUP = 16;
const bit<8> DIGEST = 32;
const bit<8> CUT = 64;
const bit<8> DROP = 128;

/* What to do, by pass through ingress and by kind of packet in egress. */
header command_t {
    bit<8> in_first;
    bit<8> in_again;
    bit<8> out_first;
    bit<8> out_again;
    bit<8> out_copy;
    bit<8> keep;
    bit<16> session;
    bit<16> group;
    bit<16> cut;
    bit<16> port;
    bit<16> sum;
    bit<8> reports;
    bit<8> options_bytes;
}

header options_t {
    varbit<64> bytes;
}

/* What egress saw of the packet, the latest first. */
header report_t {
    bit<8> type;
    bit<8> in_type;
    bit<16> in_port;
    bit<16> in_length;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<16> egress_spec;
    bit<16> length;
    bit<16> instance;
    bit<16> group;
    bit<8> kept_one;
    bit<8> kept_both;
    bit<8> plain;
    bit<8> parsed;
    bit<16> sum;
    bit<8> bad_sum;
    bit<8> parser_error;
    bit<8> without_time;
    bit<72> kept_wide;
}

struct headers_t {
    command_t command;
    options_t options;
    report_t[6] reports;
}

struct metadata_t {
    @field_list(1)
    bit<8> kept_one;
    @field_list(1, 2)
    bit<8> kept_both;
    @field_list(2)
    bit<72> kept_wide;
    bit<8> plain;
    bit<8> parsed;
    bit<8> left;
    bit<8> in_type;
    bit<16> in_port;
    bit<16> in_length;
}

struct learned_t {
    bit<8> keep;
    bit<9> port;
    bit<72> wide;
}

parser P(packet_in packet, out headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    state start {
        m.parsed = (bit<8>) s.ingress_port + 0x70;
        packet.extract(h.command);
        transition select(h.command.options_bytes) {
            0: count;
            default: options;
        }
    }
    state options {
        packet.extract(h.options, (bit<32>) h.command.options_bytes << 3);
        transition count;
    }
    state count {
        m.left = h.command.reports;
        transition more;
    }
    state more {
        transition select(m.left) {
            0: accept;
            default: report;
        }
    }
    state report {
        packet.extract(h.reports.next);
        m.left = m.left - 1;
        transition more;
    }
}

control Verify(inout headers_t h, inout metadata_t m) {
    apply {
        verify_checksum(true,
            { h.command.session, h.command.group, h.command.port, h.command.reports,
              h.command.options_bytes },
            h.command.sum, HashAlgorithm.csum16);
    }
}

control In(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    action do_drop(inout standard_metadata_t where) {
        mark_to_drop(where);
    }
    apply {
        bit<8> todo = s.instance_type == 0 ? h.command.in_first : h.command.in_again;
        m.in_type = (bit<8>) s.instance_type;
        m.in_port = (bit<16>) s.ingress_port;
        m.in_length = (bit<16>) s.packet_length;
        m.kept_one = m.kept_one + h.command.keep;
        m.kept_both = m.kept_both + h.command.keep + 1;
        m.kept_wide = m.kept_wide + ((bit<72>) h.command.keep << 64) + 5;
        m.plain = m.plain + h.command.keep;
        s.egress_spec = (bit<9>) h.command.port;
        if (todo & CLONE != 0) {
            clone(CloneType.I2E, (bit<32>) h.command.session);
        }
        if (todo & CLONE_KEEP != 0) {
            clone_preserving_field_list(CloneType.I2E, (bit<32>) h.command.session, 1);
        }
        if (todo & AGAIN != 0) {
            resubmit_preserving_field_list(1);
        }
        if (todo & AGAIN_OTHER != 0) {
            resubmit_preserving_field_list(2);
        }
        if (todo & GROUP != 0) {
            s.mcast_grp = h.command.group;
        }
        if (todo & DIGEST != 0) {
            digest<learned_t>(1, { h.command.keep, s.egress_spec, m.kept_wide });
        }
        if (todo & CUT != 0) {
            truncate((bit<32>) h.command.cut);
        }
        h.command.keep = h.command.keep + 0x10;
        if (todo & DROP != 0) {
            do_drop(s);
        }
    }
}

control Out(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    apply {
        bit<8> todo = 0;
        if (s.instance_type == 0) {
            if (m.in_type == 0) {
                todo = h.command.out_first;
            } else {
                todo = h.command.out_again;
            }
        } else {
            todo = h.command.out_copy;
            // A copy of a copy is not copied again.
            h.command.out_copy = 0;
        }
        h.reports.push_front(1);
        h.reports[0].setValid();
        h.reports[0].type = (bit<8>) s.instance_type;
        h.reports[0].in_type = m.in_type;
        h.reports[0].in_port = m.in_port;
        h.reports[0].in_length = m.in_length;
        h.reports[0].ingress_port = (bit<16>) s.ingress_port;
        h.reports[0].egress_port = (bit<16>) s.egress_port;
        h.reports[0].egress_spec = (bit<16>) s.egress_spec;
        h.reports[0].length = (bit<16>) s.packet_length;
        h.reports[0].instance = s.egress_rid;
        h.reports[0].group = s.mcast_grp;
        h.reports[0].kept_one = m.kept_one;
        h.reports[0].kept_both = m.kept_both;
        h.reports[0].plain = m.plain;
        h.reports[0].parsed = m.parsed;
        h.reports[0].sum = h.command.sum;
        h.reports[0].bad_sum = (bit<8>) s.checksum_error;
        h.reports[0].parser_error = s.parser_error == error.NoError ? 8w0 : 8w1;
        h.reports[0].without_time = s.ingress_global_timestamp == 0 ? 8w1 : 8w0;
        h.reports[0].kept_wide = m.kept_wide;
        h.command.reports = h.command.reports + 1;
        m.kept_both = m.kept_both + 0x40;
        if (todo & CLONE != 0) {
            clone(CloneType.E2E, (bit<32>) h.command.session);
        }
        if (todo & CLONE_KEEP != 0) {
            clone_preserving_field_list(CloneType.E2E, (bit<32>) h.command.session, 2);
        }
        if (todo & AGAIN != 0) {
            recirculate_preserving_field_list(1);
        }
        if (todo & AGAIN_OTHER != 0) {
            recirculate_preserving_field_list(2);
        }
        if (todo & CUT != 0) {
            truncate((bit<32>) h.command.cut);
        }
        if (todo & DROP != 0) {
            mark_to_drop(s);
        }
    }
}

control Compute(inout headers_t h, inout metadata_t m) {
    apply {
        update_checksum(true,
            { h.command.session, h.command.group, h.command.port, h.command.reports,
              h.command.options_bytes },
            h.command.sum, HashAlgorithm.csum16);
    }
}

control Deparse(packet_out packet, in headers_t h) {
    apply {
        packet.emit(h.command);
        packet.emit(h.options);
        packet.emit(h.reports);
    }
}

V1Switch(P(), Verify(), In(), Out(), Compute(), Deparse()) main;
