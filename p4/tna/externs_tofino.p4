// What of TNA has no form that the model of a chip (model/externs.p4) could have too, under names that both give.

#ifndef SLUICE_TNA_EXTERNS_TOFINO_P4
#define SLUICE_TNA_EXTERNS_TOFINO_P4

#define COUNTER(type, index, cells) Counter<type, index>(cells, CounterType_t.PACKETS_AND_BYTES)

// A number of as many bits as its type has, each as likely as any other.
#define RANDOM(type, name) Random<type>() name;
#define DRAW(name, type, number) number = name.get()

// Two fields as one number: they need not be beside each other in the chip.
#define JOINED(type, name) Hash<type>(HashAlgorithm_t.IDENTITY) name;
#define JOIN(name, number, high, low) number = name.get({ high, low })

// Adds the bytes in a value to a cell at a time, and puts the rate that the cell finds in their place. The hardware knows the time itself.
#define RATE_FILTER(type, index, cells, name) Lpf<type, index>(cells) name;
#define FILTER(name, value, cell, now) value = name.execute(value, cell)

// What happens to one cell of a register, named here, at once: with a result, or without. The body in braces follows.
#define REGISTER_ACTION(type, index, cells, name, cell, result_type, result) \
    RegisterAction<type, index, result_type>(cells) name = { \
        void apply(inout type cell, out result_type result)
#define REGISTER_UPDATE(type, index, cells, name, cell) \
    RegisterAction<type, index, type>(cells) name = { \
        void apply(inout type cell)
#define END_REGISTER_ACTION(cells, cell) };
#define EXECUTE(result, name, index) result = name.execute(index)
#define UPDATE(name, index) name.execute(index)

// Two cells of 32 bits that one access reaches. The quotient of a law is there for an action of its own kind.
struct pair_t {
    bit<32> first;
    bit<32> second;
}
#define REGISTER_PAIR(index, cells, one, two) Register<pair_t, index>(cells) one##_and_##two;
#define PAIR_ACTION(index, one, two, name, cell, result_type, result) \
    RegisterAction<pair_t, index, result_type>(one##_and_##two) name = { \
        void apply(inout pair_t cell, out result_type result)
#define PAIR_LAW_ACTION PAIR_ACTION
#define PAIR_UPDATE(index, one, two, name, cell) \
    RegisterAction<pair_t, index, bit<32>>(one##_and_##two) name = { \
        void apply(inout pair_t cell)
#define END_PAIR_ACTION(one, two, cell) };

// 2^24 over the root of a number. The unit takes the number for i / 8 times an even power of two, where i is 4 to 15, and has eight bits of the
// result for each i: here the mean over what i stands for, where p4c's own table has the highest.
#define INVERSE_ROOT(name) \
    MathUnit<bit<32>>(true, -1, 17, { 92, 95, 99, 102, 107, 112, 118, 124, 132, 142, 155, 171, 0, 0, 0, 0 }) name;
#define DIVIDE(name, divisor) name.execute(divisor)

// The chip puts what it knows of a packet in front of it.
#define FROM_CHIP out
#define EXTRACT_INTRINSIC(packet, intrinsic) \
        packet.extract(intrinsic); \
        packet.advance(PORT_METADATA_SIZE);

#define IPV4_CHECKSUMS \
    Checksum() ipv4_verify; \
    Checksum() ipv4_unchanged;
// What the switch changes (time to live, ECN) leaves the sum over the rest of the header as it is, options included.
#define READ_IPV4_CHECKSUM(hdr, md) \
        ipv4_verify.add(hdr.ipv4); \
        md.verdict.checksum_error = (bit<1>) ipv4_verify.verify(); \
        ipv4_unchanged.subtract({ hdr.ipv4.hdr_checksum }); \
        ipv4_unchanged.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn }); \
        ipv4_unchanged.subtract({ hdr.ipv4.ttl, hdr.ipv4.protocol }); \
        md.ipv4_unchanged = ipv4_unchanged.get();

#endif
