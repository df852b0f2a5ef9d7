// A table of every kind, a counter and a register: what the commands of a test work on.
#include <core.p4>
#include <v1model.p4>

header H_t { bit<8> a; bit<16> b; bit<8> op; }
struct Headers { H_t h; }
struct Meta {}

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start { p.extract(h.h); transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }

control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  counter(4, CounterType.packets_and_bytes) counted;
  direct_counter(CounterType.packets_and_bytes) hits;
  register<bit<8>>(4) cells;
  action go(bit<9> port) { s.egress_spec = port; }
  action stay() { mark_to_drop(s); }
  table exacts { key = { h.h.a: exact; } actions = { go; stay; } default_action = stay(); counters = hits; size = 4; }
  table prefixes { key = { h.h.b: lpm; } actions = { go; stay; } default_action = stay(); }
  table masks { key = { h.h.a: ternary; } actions = { go; stay; } default_action = stay(); }
  table ranges { key = { h.h.a: range; } actions = { go; stay; } default_action = stay(); }
  apply {
    if (h.h.op == 3) { exacts.apply(); }
    if (h.h.op == 1) { prefixes.apply(); }
    if (h.h.op == 2) { masks.apply(); }
    if (h.h.op == 5) { ranges.apply(); }
    if (h.h.op == 4) {
      counted.count((bit<32>) h.h.a);
      cells.read(h.h.a, (bit<32>) h.h.a);
      s.egress_spec = 1;
    }
  }
}

control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
