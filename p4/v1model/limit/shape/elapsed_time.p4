// How long a packet takes at a rate (paper 004's pkt_elapsed_time_table), in 1/32 ns: 2^18 ns a byte at 8 Gbit/s / 2^18, and by the rate
// word's fraction less; and how long 1 KiB does. v1model multiplies, so that the table needs no length and the time is exact to half a unit.

#ifndef SLUICE_ELAPSED_TIME_P4
#define SLUICE_ELAPSED_TIME_P4

control ElapsedTime(in rate_word_t rate, in bit<16> bytes, out bit<64> elapsed, out bit<64> kib) {
    bit<8>  fraction = rate[7:0];
    bit<64> mantissa = 65536;

    action set_mantissa(bit<17> m) {
        mantissa = (bit<64>) m;
    }

    // 2^(-fraction/256) in 1/65536.
    table PktElapsedTime {
        key = { fraction : exact; }
        actions = { set_mantissa; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
#include "../../marker/csaqm/decay_fraction.inc"
        }
    }

    apply {
        elapsed = 0;
        kib = 0;
        if (rate != 0) {
            PktElapsedTime.apply();
            // 2^18 ns in 1/32 ns, less 16 bits of the mantissa, and a bit more to round.
            elapsed = (((((bit<64>) bytes) * mantissa) << 8 >> rate[15:8]) + 1) >> 1;
            kib = mantissa << 17 >> rate[15:8];
        }
    }
}

#endif
