// The externs of TNA in v1model, by the names of ../externs_tofino.p4.

#ifndef SLUICE_TNA_MODEL_EXTERNS_P4
#define SLUICE_TNA_MODEL_EXTERNS_P4

#include "rate_filter.p4"
#include "inverse_root.p4"

#define COUNTER(type, index, cells) counter<index>(cells, CounterType.packets_and_bytes)

#define RANDOM(type, name)
#define DRAW(name, type, number) random<type>(number, 0, (type) -1)

#define JOINED(type, name)
#define JOIN(name, number, high, low) number = high ++ low

#define RATE_FILTER(type, index, cells, name) \
    register<bit<32>, index>(cells) name##_level; \
    register<tick_t, index>(cells) name##_time; \
    action name##_measure(inout type value, in index cell, in tick_t now) { \
        @atomic { \
            bit<32> level; \
            tick_t time; \
            name##_level.read(level, cell); \
            name##_time.read(time, cell); \
            low_pass(level, time, value, now); \
            name##_level.write(cell, level); \
            name##_time.write(cell, time); \
            value = level; \
        } \
    }
#define FILTER(name, value, cell, now) name##_measure(value, cell, now)

#define Register register
#define REGISTER_ACTION(type, index, cells, name, cell, result_type, result) \
    action name(in index cell_index, out result_type result) { \
        @atomic { \
            type cell; \
            cells.read(cell, cell_index);
#define REGISTER_UPDATE(type, index, cells, name, cell) \
    action name(in index cell_index) { \
        @atomic { \
            type cell; \
            cells.read(cell, cell_index);
#define END_REGISTER_ACTION(cells, cell) cells.write(cell_index, cell); } }
#define EXECUTE(result, name, index) name(index, result)
#define UPDATE(name, index) name(index)

struct pair_t {
    bit<32> first;
    bit<32> second;
}
#define REGISTER_PAIR(index, cells, one, two) \
    register<bit<32>, index>(cells) one; \
    register<bit<32>, index>(cells) two;
#define READ_PAIR(one, two, cell) \
            pair_t cell; \
            one.read(cell.first, cell_index); \
            two.read(cell.second, cell_index);
#define PAIR_ACTION(index, one, two, name, cell, result_type, result) \
    action name(in index cell_index, out result_type result) { \
        @atomic { \
            READ_PAIR(one, two, cell)
#define PAIR_LAW_ACTION(index, one, two, name, cell, result_type, result) \
    PAIR_ACTION(index, one, two, name, cell, result_type, result) \
            bit<32> quotient = cell.second; \
            inverse_root(quotient);
#define PAIR_UPDATE(index, one, two, name, cell) \
    action name(in index cell_index) { \
        @atomic { \
            READ_PAIR(one, two, cell)
#define END_PAIR_ACTION(one, two, cell) one.write(cell_index, cell.first); two.write(cell_index, cell.second); } }

#define INVERSE_ROOT(name)
#define DIVIDE(name, divisor) quotient

// The frame knows it, and verifies and updates the checksum.
#define FROM_CHIP in
#define EXTRACT_INTRINSIC(packet, intrinsic)
#define IPV4_CHECKSUMS
#define READ_IPV4_CHECKSUM(hdr, md)

#endif
