#ifndef SLUICE_SHAPE_METADATA_P4
#define SLUICE_SHAPE_METADATA_P4

// A limit's rate: 8 Gbit/s * 2^(word / 256 - 18); 0 is no limit.
typedef bit<16> rate_word_t;
// Nanoseconds of the switch's clock. It goes round every 4.29 s, so times are compared by the sign of their difference.
typedef bit<32> nanos_t;
// The front pipe, 0, holds what is to go next; packets wait in the back-end pipes 1 to 3.
typedef bit<2>  pipe_t;

// What a packet takes along while it waits in a loop.
struct shape_metadata_t {
    bit<1>            waits;
    pipe_t            pipe;
    // The half of its second in which it was let in; see Buffer.
    bit<1>            half;
    // Where it came in, and when it was last seen: a recirculated packet has neither.
    port_t            port;
    bit<48>           seen;
    // The limit whose order it keeps, and its place in it.
    direction_index_t limit;
    bit<32>           turn;
    nanos_t           start;
    nanos_t           finish;
}

#endif
