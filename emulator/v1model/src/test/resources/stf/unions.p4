// Header unions, alone and stacked: at most one member is valid.
#include <core.p4>
#include <v1model.p4>

header Op_t { bit<8> op; bit<8> kind; bit<8> valid; bit<8> length; }
header A_t { bit<8> a; }
header B_t { bit<16> b; }
header_union U { A_t a; B_t b; }
struct Headers { Op_t op; U u; U[2] list; A_t extra; }
struct Meta {}

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.op);
    transition select(h.op.kind) {
      0: first;
      1: second;
      2: both;
      3: stacked;
      default: accept;
    }
  }
  state first { p.extract(h.u.a); transition accept; }
  state second { p.extract(h.u.b); transition accept; }
  state both { p.extract(h.u.a); p.extract(h.u.b); transition accept; }
  state stacked {
    p.extract(h.list.next.a);
    p.extract(h.list.next.b);
    transition select(h.op.op) {
      9: more;
      default: accept;
    }
  }
  state more { p.extract(h.list.next.a); transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.op.valid = 0;
    if (h.u.isValid()) { h.op.valid = 1; }
    if (s.parser_error == error.StackOutOfBounds) { h.op.valid = 0xee; }
    if (h.op.op == 1) { h.u.a.setValid(); h.u.a.a = 0x77; }
    if (h.op.op == 2) { h.u.b.setValid(); h.u.b.b = 0x8888; }
    if (h.op.op == 3) { h.u.a.setInvalid(); }
    if (h.op.op == 4) { h.extra.setValid(); h.extra.a = 0x99; h.u.a = h.extra; h.extra.setInvalid(); }
    if (h.op.op == 5) { h.u.a = h.extra; }
    if (h.u.a.isValid()) { h.op.valid = h.op.valid | 0x10; }
    if (h.u.b.isValid()) { h.op.valid = h.op.valid | 0x20; }
  }
}
control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.op); p.emit(h.u); p.emit(h.list); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
