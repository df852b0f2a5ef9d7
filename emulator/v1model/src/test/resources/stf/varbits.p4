// Variable-length fields: extracted with a length, copied, compared, summed, sent.
#include <core.p4>
#include <v1model.p4>

header Op_t { bit<8> op; bit<8> bits; bit<8> second; bit<8> code; bit<16> sum; bit<16> length; }
header V_t { bit<16> fixed; varbit<64> rest; }
struct Headers { Op_t op; V_t v; V_t w; }
struct Meta { bit<16> length; }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.op);
    p.extract(h.v, (bit<32>) h.op.bits);
    transition select(h.op.second) {
      0: accept;
      default: second;
    }
  }
  state second { p.extract(h.w, (bit<32>) h.op.second); transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.PacketTooShort) { h.op.code = 1; }
    if (s.parser_error == error.HeaderTooShort) { h.op.code = 4; }
    if (s.parser_error == error.ParserInvalidArgument) { h.op.code = 6; }
    if (h.op.op == 1) { h.v.setInvalid(); }
    if (h.op.op == 2) { h.w = h.v; }
    if (h.op.op == 3) { if (h.v == h.w) { h.op.code = 0x11; } else { h.op.code = 0x22; } }
    if (h.op.op == 4) { h.v.setInvalid(); h.v.setValid(); h.v.fixed = 0x1234; }
    if (h.op.op == 5) { if (h.v != h.w) { h.op.code = 0x33; } }
  }
}
control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  apply { h.op.length = (bit<16>) s.packet_length; }
}
control Update(inout Headers h, inout Meta m) {
  apply {
    update_checksum(h.v.isValid(), { h.v.fixed, h.v.rest }, h.op.sum, HashAlgorithm.csum16);
  }
}
control Dep(packet_out p, in Headers h) { apply { p.emit(h.op); p.emit(h.v); p.emit(h.w); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
