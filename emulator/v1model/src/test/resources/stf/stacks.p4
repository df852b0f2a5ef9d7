// Header stacks: a parser loop, push and pop, elements by index, size and last index.
#include <core.p4>
#include <v1model.p4>

header Op_t { bit<8> op; bit<8> at; bit<16> value; bit<8> last; bit<8> result; }
header Label_t { bit<7> id; bit<1> more; bit<72> wide; }

struct Headers { Op_t op; Label_t[3] labels; Label_t[3] copies; }
struct Meta { bit<8> last; }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.op);
    transition select(h.op.op) {
      0xff: accept;
      default: labels;
    }
  }
  state labels {
    p.extract(h.labels.next);
    m.last = (bit<8>) h.labels.lastIndex;
    transition select(h.labels.last.more) {
      1: labels;
      default: accept;
    }
  }
}

control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  // The sum of the ids of the labels in front of the one asked for.
  action sum() {
    bit<8> i;
    for (i = 0; i < h.op.at; i = i + 1) { h.op.result = h.op.result + (bit<8>) h.labels[i].id; }
  }
  apply {
    s.egress_spec = 1;
    h.op.last = m.last;
    if (s.parser_error == error.StackOutOfBounds) { h.op.result = 0xee; }
    if (h.op.op == 1) { h.labels.push_front(1); h.labels[0].setValid(); h.labels[0].id = 0x55; h.labels[0].more = 1; h.labels[0].wide = 1; }
    if (h.op.op == 2) { h.labels.pop_front(1); }
    if (h.op.op == 3) { h.labels.push_front(2); }
    if (h.op.op == 4) { h.labels.pop_front(2); }
    if (h.op.op == 5) { h.op.result = (bit<8>) h.labels[h.op.at].id; }
    if (h.op.op == 6) { h.labels[h.op.at].wide = (bit<72>) h.op.value << 56; }
    if (h.op.op == 7) { h.labels[h.op.at].setInvalid(); }
    if (h.op.op == 8) { h.copies = h.labels; h.labels[0].setInvalid(); h.copies.pop_front(1); }
    if (h.op.op == 9) { h.labels.pop_front(5); }
    if (h.op.op == 10) { if (h.labels[1].isValid() && h.op.at == 1) { h.op.result = 1; } else { h.op.result = 2; } }
    if (h.op.op == 11) { h.labels.push_front(7); }
    if (h.op.op == 12) { sum(); }
  }
}

control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) {
  apply { p.emit(h.op); p.emit(h.labels); p.emit(h.copies); }
}

V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
