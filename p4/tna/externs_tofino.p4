// What of TNA has no form that the model of a chip (model/externs.p4) could have too, under names that both give.

#ifndef SLUICE_TNA_EXTERNS_TOFINO_P4
#define SLUICE_TNA_EXTERNS_TOFINO_P4

#define COUNTER(type, index, cells) Counter<type, index>(cells, CounterType_t.PACKETS_AND_BYTES)

// A number of as many bits as its type has, each as likely as any other.
#define RANDOM(type, name) Random<type>() name;
#define DRAW(name, type, number) number = name.get()

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
        md.checksum_error = (bit<1>) ipv4_verify.verify(); \
        ipv4_unchanged.subtract({ hdr.ipv4.hdr_checksum }); \
        ipv4_unchanged.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn }); \
        ipv4_unchanged.subtract({ hdr.ipv4.ttl, hdr.ipv4.protocol }); \
        md.ipv4_unchanged = ipv4_unchanged.get();

#endif
