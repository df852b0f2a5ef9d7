// Registers wider than 64 bits, and a stack of headers of variable length.
#include <core.p4>
#include <v1model.p4>

header Op_t { bit<8> op; bit<8> cell; bit<8> small; bit<100> value; bit<4> pad; }
header V_t { bit<8> bytes; varbit<32> rest; }
struct Headers { Op_t op; V_t[2] list; }
struct Meta {}

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.op);
    transition select(h.op.op) {
      4: list;
      5: list;
      default: accept;
    }
  }
  state list {
    p.extract(h.list.next, ((bit<32>) p.lookahead<bit<8>>()) << 3);
    transition select(h.list.last.bytes) {
      0: accept;
      default: list;
    }
  }
}
control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  register<bit<90>>(3) cells;
  register<bit<128>>(3) wider;
  apply {
    s.egress_spec = 1;
    bit<128> w;
    bit<90> n;
    if (h.op.op == 0) { cells.write((bit<32>) h.op.cell, (bit<90>) h.op.value); }
    if (h.op.op == 1) { cells.read(n, (bit<32>) h.op.cell); h.op.value = (bit<100>) n; h.op.small = (bit<8>) n; }
    if (h.op.op == 2) { wider.write((bit<32>) h.op.cell, (bit<128>) h.op.value << 28); }
    if (h.op.op == 3) { wider.read(w, (bit<32>) h.op.cell); h.op.value = (bit<100>) (w >> 28); }
    if (h.op.op == 5) { h.list.pop_front(1); }
    if (s.parser_error == error.StackOutOfBounds) { h.op.small = 0xee; }
  }
}
control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.op); p.emit(h.list); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
