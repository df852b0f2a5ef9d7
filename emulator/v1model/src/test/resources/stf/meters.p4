// Meters: an array that counts bytes, a direct one that counts packets.
#include <core.p4>
#include <v1model.p4>

header H_t { bit<8> cell; bit<8> key; bit<8> colour; bit<8> direct; }
struct Headers { H_t h; }
struct Meta { bit<2> colour; bit<8> direct; }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start { p.extract(h.h); transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  meter(3, MeterType.bytes) cells;
  direct_meter<bit<8>>(MeterType.packets) direct;
  action go(bit<9> port) { direct.read(m.direct); s.egress_spec = port; }
  table keys { key = { h.h.key: exact; } actions = { go; } meters = direct; size = 40; }
  table unmetered { key = { h.h.key: exact; } actions = { NoAction; } }
  apply {
    s.egress_spec = 1;
    m.direct = 9;
    keys.apply();
    unmetered.apply();
    cells.execute_meter((bit<32>) h.h.cell, m.colour);
    h.h.colour = (bit<8>) m.colour;
    h.h.direct = m.direct;
  }
}

control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
