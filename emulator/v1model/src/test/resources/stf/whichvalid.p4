// Whether an element of a stack that the packet names is valid.
#include <core.p4>
#include <v1model.p4>

header Ask_t { bit<8> at; bit<8> answer; }
header Label_t { bit<7> id; bit<1> more; }

struct Headers { Ask_t ask; Label_t[3] labels; }
struct Meta { }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.ask);
    transition labels;
  }
  state labels {
    p.extract(h.labels.next);
    transition select(h.labels.last.more) {
      1: labels;
      default: accept;
    }
  }
}

control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.labels[h.ask.at].isValid()) { h.ask.answer = 1; } else { h.ask.answer = 2; }
  }
}

control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.ask); p.emit(h.labels); } }

V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
