// 1,024 times the logarithm to base 2, in v1model: the place of the leading one and a table of the eight bits behind it. An entry is that of
// the middle of its numbers, so that it is off by at most half of 1/256. The logarithm of 0 is that of 1.

#ifndef SLUICE_LOGARITHM_P4
#define SLUICE_LOGARITHM_P4

control Logarithm(in bit<32> x, out log_t logarithm) {
    bit<32> number = 0;
    bit<8>  fraction = 0;
    log_t   exponent_log = 0;
    log_t   fraction_log = 0;
    bit<8>  shift = 31;

    action set_exponent(log_t log, bit<8> left) {
        exponent_log = log;
        shift = left;
    }

    table Exponent {
        key = { number : lpm; }
        actions = { set_exponent; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
#include "logarithm_exponent.inc"
        }
    }

    action set_fraction(log_t log) {
        fraction_log = log;
    }

    table Fraction {
        key = { fraction : exact; }
        actions = { set_fraction; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
#include "logarithm_mantissa.inc"
        }
    }

    apply {
        logarithm = 0;
        number = x;
        if (x > 1) {
            Exponent.apply();
            fraction = (number << shift)[30:23];
            Fraction.apply();
            logarithm = exponent_log + fraction_log;
        }
    }
}

#endif
