// Externs that write to an element of a stack that the packet names.
#include <core.p4>
#include <v1model.p4>

header Op_t { bit<8> op; bit<8> at; bit<8> cell; bit<8> pad; }
header Item_t { bit<8> small; bit<2> colour; bit<6> odd; bit<32> number; bit<72> wide; }

struct Headers { Op_t op; Item_t[3] items; }
struct Meta { }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.op);
    p.extract(h.items.next);
    p.extract(h.items.next);
    p.extract(h.items.next);
    transition accept;
  }
}

control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  register<bit<32>>(4) narrow;
  register<bit<72>>(4) wide;
  meter(4, MeterType.packets) meters;
  action read_narrow() { narrow.read(h.items[h.op.at].number, (bit<32>) h.op.cell); }
  action read_wide() { wide.read(h.items[h.op.at].wide, (bit<32>) h.op.cell); }
  action write() {
    narrow.write((bit<32>) h.op.cell, h.items[h.op.at].number);
    wide.write((bit<32>) h.op.cell, h.items[h.op.at].wide);
  }
  action digest_of() {
    hash(h.items[h.op.at].number, HashAlgorithm.crc32, 32w1, {h.items[0].small, h.op.at}, 32w0xffff);
  }
  action draw() { random(h.items[h.op.at].small, 8w7, 8w7); }
  action meter_it() { meters.execute_meter((bit<32>) h.op.cell, h.items[h.op.at].colour); }
  apply {
    s.egress_spec = 1;
    // Beyond the stack and the arrays bmv2 ends.
    if (h.op.at < 3 && h.op.cell < 4) {
      if (h.op.op == 0) { write(); }
      if (h.op.op == 1) { read_narrow(); }
      if (h.op.op == 2) { read_wide(); }
      if (h.op.op == 3) { digest_of(); }
      if (h.op.op == 4) { draw(); }
      if (h.op.op == 5) { meter_it(); }
    }
  }
}

control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.op); p.emit(h.items); } }

V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
