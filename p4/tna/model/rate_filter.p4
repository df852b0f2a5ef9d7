// A rate filter of a Tofino (TNA's Lpf) with the hardware's arithmetic: what is left of the bytes before is a sum of two shifts of it, and time
// passes in steps that such a shift can follow. Facts: the simulation model of the chip that its maker has published (p4lang/open-p4studio,
// tofino-model, "LPF equations").

#ifndef SLUICE_TNA_MODEL_RATE_FILTER_P4
#define SLUICE_TNA_MODEL_RATE_FILTER_P4

// The time constant, mantissa / 512 * 2^exponent ticks of the clock: 94.5 ms, which makes the unit of what is read 8 bits a time constant,
// 84.65 bit/s, that of the v1model program but for 0.05 %. The clock here has ticks of 256 ns; a chip's are cycles of 0.8 ns, divided.
#define FILTER_EXPONENT 18
#define FILTER_MANTISSA 721

// One packet at a cell. The cell holds bytes that decay, and the time up to which they have.
action low_pass(inout bit<32> level, inout tick_t time, in bit<32> bytes, in tick_t now) {
    bit<32> elapsed = now - time;
    bit<32> rest = elapsed;
    bit<8> magnitude = 0;
    if (rest >= 0x10000) {
        magnitude = 16;
        rest = rest >> 16;
    }
    if (rest >= 0x100) {
        magnitude = magnitude + 8;
        rest = rest >> 8;
    }
    if (rest >= 0x10) {
        magnitude = magnitude + 4;
        rest = rest >> 4;
    }
    if (rest >= 4) {
        magnitude = magnitude + 2;
        rest = rest >> 2;
    }
    if (rest >= 2) {
        magnitude = magnitude + 1;
    }
    // The longest step that is a power of two of the time constant and not beyond the present.
    bit<48> step = ((bit<48>) FILTER_MANTISSA << magnitude) >> 9;
    if (step > (bit<48>) elapsed) {
        magnitude = magnitude - 1;
        step = step >> 1;
    }
    if (elapsed != 0 && magnitude >= FILTER_EXPONENT + 4) {
        level = 0;
        time = now;
    } else if (elapsed != 0 && magnitude >= FILTER_EXPONENT) {
        // e^-1, e^-2, e^-4, e^-8.
        if (magnitude == FILTER_EXPONENT) {
            level = (level >> 2) + (level >> 3);
        } else if (magnitude == FILTER_EXPONENT + 1) {
            level = (level >> 3) + (level >> 7);
        } else if (magnitude == FILTER_EXPONENT + 2) {
            level = (level >> 6) + (level >> 9);
        } else {
            level = (level >> 12) + (level >> 14);
        }
        time = time + step[31:0];
    } else if (elapsed != 0 && magnitude + 7 >= FILTER_EXPONENT) {
        // e^-x as 1 - x + x^2 / 2.
        bit<8> shift = FILTER_EXPONENT - magnitude;
        level = level - (level >> shift) + (level >> (shift + shift + 1));
        time = time + step[31:0];
    }
    // Less than 1/128 of a time constant waits until there is more of it.
    level = level |+| bytes;
}

#endif
