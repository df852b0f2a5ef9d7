// The steps that only the program with contracts has (aggregate.p4), as the plain one takes them: not at all.

#ifndef SLUICE_PLAIN_P4
#define SLUICE_PLAIN_P4

control ContractMarking(inout headers_t hdr, inout metadata_t md, in bit<48> now) {
    apply {
    }
}

control Rio(in headers_t hdr, inout metadata_t md, inout standard_metadata_t standard_metadata, in bit<48> now) {
    apply {
    }
}

control RioDeparture(in metadata_t md, in standard_metadata_t standard_metadata) {
    apply {
    }
}

#endif
