// Everything that P4Runtime can write, in small: tables of every kind and mixture, with and without counters, meters, idle timeouts,
// constant and initial entries, restricted actions; counters, meters, registers of every type, a value set.
#include <core.p4>
#include <v1model.p4>

enum bit<4> Mood {
  calm = 1,
  angry = 9
}

type bit<9> PortNumber;

header probe_t {
  bit<8> small;
  bit<12> medium;
  bit<4> nibble;
  bit<32> word;
  bit<128> wide;
  bit<64> result;
}

struct headers_t {
  probe_t probe;
}

struct metadata_t {}

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
  value_set<bit<8>>(3) known;

  state start {
    packet.extract(hdr.probe);
    transition select(hdr.probe.small) {
      known: accept;
      0xff: stop;
      default: accept;
    }
  }

  state stop {
    transition accept;
  }
}

control V(inout headers_t hdr, inout metadata_t meta) {
  apply {}
}

control In(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
  counter(5, CounterType.packets_and_bytes) hits;
  counter(3, CounterType.packets) other_hits;
  meter(4, MeterType.packets) rates;
  direct_counter(CounterType.packets_and_bytes) exact_counter;
  direct_counter(CounterType.packets) constant_counter;
  direct_meter<bit<2>>(MeterType.bytes) ternary_meter;
  register<bit<7>>(4) narrow;
  register<bit<200>>(3) broad;
  register<int<12>>(3) signed;
  register<PortNumber>(2) ports;
  register<Mood>(2) moods;
  bit<2> colour = 0;

  action drop() {
    mark_to_drop(standard_metadata);
  }

  action answer(bit<64> value) {
    hdr.probe.result = value;
  }

  action pair(bit<9> port, bit<128> wide) {
    standard_metadata.egress_spec = port;
    hdr.probe.wide = wide;
  }

  action metered(bit<64> value) {
    ternary_meter.read(colour);
    hdr.probe.result = value;
  }

  table exact_table {
    key = {
      hdr.probe.small: exact;
      hdr.probe.medium: exact;
    }
    actions = {
      answer;
      pair;
      @defaultonly NoAction;
      @tableonly drop;
    }
    size = 16;
    default_action = NoAction;
    counters = exact_counter;
  }

  table prefixes {
    key = {
      hdr.probe.word: lpm;
      hdr.probe.nibble: exact;
    }
    actions = {
      answer;
      drop;
    }
    size = 12;
    default_action = drop;
    support_timeout = true;
  }

  table wide_prefixes {
    key = {
      hdr.probe.wide: lpm;
    }
    actions = {
      answer;
      NoAction;
    }
    size = 64;
    const default_action = NoAction;
  }

  table masks {
    key = {
      hdr.probe.small: ternary;
      hdr.probe.wide: ternary;
      hdr.probe.nibble: exact;
    }
    actions = {
      metered;
      NoAction;
    }
    size = 20;
    meters = ternary_meter;
    default_action = NoAction;
  }

  table ranges {
    key = {
      hdr.probe.medium: range;
      hdr.probe.word: lpm;
      hdr.probe.small: ternary;
      hdr.probe.nibble: optional;
    }
    actions = {
      answer;
      pair;
      NoAction;
    }
    size = 20;
    default_action = NoAction;
    support_timeout = true;
  }

  table options {
    key = {
      hdr.probe.small: optional;
      hdr.probe.word: optional;
    }
    actions = {
      answer;
      NoAction;
    }
    size = 10;
    default_action = answer(7);
  }

  table constant {
    key = {
      hdr.probe.small: ternary;
    }
    actions = {
      answer;
      NoAction;
    }
    const entries = {
      0x10 &&& 0xf0: answer(1);
      0x20: answer(2);
      _: NoAction();
    }
    default_action = NoAction;
    counters = constant_counter;
  }

  table initial {
    key = {
      hdr.probe.word: exact;
    }
    actions = {
      answer;
      NoAction;
    }
    entries = {
      const 1: answer(11);
      2: answer(12);
    }
    size = 6;
    default_action = NoAction;
  }

  table keyless {
    actions = {
      answer;
      NoAction;
    }
    default_action = NoAction;
  }

  apply {
    hits.count((bit<32>) hdr.probe.small);
    other_hits.count((bit<32>) hdr.probe.nibble);
    rates.execute_meter((bit<32>) hdr.probe.nibble, colour);
    bit<7> a;
    bit<200> b;
    int<12> c;
    PortNumber d;
    Mood e;
    narrow.read(a, (bit<32>) hdr.probe.small);
    narrow.write((bit<32>) hdr.probe.small, a + 1);
    broad.read(b, (bit<32>) hdr.probe.small);
    broad.write((bit<32>) hdr.probe.small, b + 1);
    signed.read(c, (bit<32>) hdr.probe.small);
    signed.write((bit<32>) hdr.probe.small, c - 1);
    ports.read(d, (bit<32>) hdr.probe.small);
    ports.write((bit<32>) hdr.probe.small, (PortNumber) 9w5);
    moods.read(e, (bit<32>) hdr.probe.small);
    moods.write((bit<32>) hdr.probe.small, e == Mood.calm ? Mood.angry : Mood.calm);
    if (hdr.probe.result == 0) {
      exact_table.apply();
    } else if (hdr.probe.result == 1) {
      prefixes.apply();
    } else if (hdr.probe.result == 2) {
      wide_prefixes.apply();
    } else if (hdr.probe.result == 3) {
      masks.apply();
    } else if (hdr.probe.result == 4) {
      ranges.apply();
    } else if (hdr.probe.result == 5) {
      options.apply();
    } else if (hdr.probe.result == 6) {
      constant.apply();
    } else if (hdr.probe.result == 7) {
      initial.apply();
    } else {
      keyless.apply();
    }
    hdr.probe.nibble = hdr.probe.nibble + (bit<4>) colour;
  }
}

control Out(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
  apply {}
}

control C(inout headers_t hdr, inout metadata_t meta) {
  apply {}
}

control D(packet_out packet, in headers_t hdr) {
  apply {
    packet.emit(hdr.probe);
  }
}

V1Switch(P(), V(), In(), Out(), C(), D()) main;
