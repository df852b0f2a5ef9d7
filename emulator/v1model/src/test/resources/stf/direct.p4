// Direct resources, and actions that use them or not.
#include <core.p4>
#include <v1model.p4>

header H_t { bit<8> key; bit<8> colour; }
struct Headers { H_t h; }
struct Meta { bit<8> colour; }

parser Prs(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
  state start { p.extract(h.h); transition accept; }
}
control Verify(inout Headers h, inout Meta m) { apply {} }
control In(inout Headers h, inout Meta m, inout standard_metadata_t s) {
  direct_counter(CounterType.packets) hits;
  direct_meter<bit<8>>(MeterType.packets) rate;
  action using() { hits.count(); rate.read(m.colour); }
  action other() { h.h.key = 0; }
  table counted { key = { h.h.key: exact; } actions = { using; other; NoAction; } counters = hits; meters = rate; default_action = other; }
  apply {
    s.egress_spec = 1;
    m.colour = 9;
    counted.apply();
    h.h.colour = m.colour;
  }
}
control Eg(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply {} }
control Update(inout Headers h, inout Meta m) { apply {} }
control Dep(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(Prs(), Verify(), In(), Eg(), Update(), Dep()) main;
