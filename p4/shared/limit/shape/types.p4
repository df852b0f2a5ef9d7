// Rates, times and pipes of shaping, as every architecture tells them.

#ifndef SLUICE_SHAPE_TYPES_P4
#define SLUICE_SHAPE_TYPES_P4

// A limit's rate: 8 Gbit/s * 2^(word / 256 - 18); 0 is no limit.
typedef bit<16> rate_word_t;
// Nanoseconds of the switch's clock. It goes round every 4.29 s, so times are compared by the sign of their difference.
typedef bit<32> nanos_t;
// The front pipe, 0, holds what is to go next; packets wait in the back-end pipes 1 to 3.
typedef bit<2>  pipe_t;

#endif
