// Parser value sets: of one field, and of several of which one is wide.
#include <core.p4>
#include <v1model.p4>

header H_t { bit<8> kind; bit<4> high; bit<68> wide; bit<8> found; }
struct Headers { H_t h; }
struct Meta { bit<8> found; }
struct Pair { @match(exact) bit<4> high; @match(exact) bit<68> wide; }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  value_set<bit<8>>(2) kinds;
  value_set<Pair>(4) pairs;
  state start {
    p.extract(h.h);
    transition select(h.h.kind) {
      0x11: literal;
      kinds: member;
      default: second;
    }
  }
  state literal { m.found = 1; transition accept; }
  state member { m.found = 2; transition second; }
  state second {
    transition select(h.h.high, h.h.wide) {
      pairs: pair;
      default: accept;
    }
  }
  state pair { m.found = m.found + 4; transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }
control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  apply { s.egress_spec = 1; h.h.found = m.found; }
}
control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
