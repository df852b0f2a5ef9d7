// 2^24 divided by the root of a number as a Tofino's math unit has it, with the table of ../externs_tofino.p4.

#ifndef SLUICE_TNA_MODEL_INVERSE_ROOT_P4
#define SLUICE_TNA_MODEL_INVERSE_ROOT_P4

action inverse_root(inout bit<32> value) {
    // Twice the number is i times a power of four.
    bit<40> rest = (bit<40>) value << 1;
    bit<8> shift = 16;
    if (rest >= 0x10000000) {
        rest = rest >> 24;
        shift = shift - 12;
    }
    if (rest >= 0x100000) {
        rest = rest >> 16;
        shift = shift - 8;
    }
    if (rest >= 0x1000) {
        rest = rest >> 8;
        shift = shift - 4;
    }
    if (rest >= 0x100) {
        rest = rest >> 4;
        shift = shift - 2;
    }
    if (rest >= 0x40) {
        rest = rest >> 4;
        shift = shift - 2;
    } else if (rest >= 0x10) {
        rest = rest >> 2;
        shift = shift - 1;
    }
    bit<32> root = 171;
    if (rest == 5) {
        root = 155;
    } else if (rest == 6) {
        root = 142;
    } else if (rest == 7) {
        root = 132;
    } else if (rest == 8) {
        root = 124;
    } else if (rest == 9) {
        root = 118;
    } else if (rest == 10) {
        root = 112;
    } else if (rest == 11) {
        root = 107;
    } else if (rest == 12) {
        root = 102;
    } else if (rest == 13) {
        root = 99;
    } else if (rest == 14) {
        root = 95;
    } else if (rest == 15) {
        root = 92;
    }
    value = root << shift;
}

#endif
