// What the program uses of TNA's intrinsic metadata and types.

#ifndef SLUICE_TNA_MODEL_INTRINSIC_P4
#define SLUICE_TNA_MODEL_INTRINSIC_P4

typedef bit<10> MirrorId_t;
typedef bit<3>  MirrorType_t;

struct ingress_intrinsic_metadata_t {
    PortId_t ingress_port;
}

struct ingress_intrinsic_metadata_from_parser_t {
    bit<48> global_tstamp;
    bit<16> parser_err;
}

struct ingress_intrinsic_metadata_for_deparser_t {
    bit<3> drop_ctl;
}

struct ingress_intrinsic_metadata_for_tm_t {
    PortId_t ucast_egress_port;
}

struct egress_intrinsic_metadata_t {
    PortId_t egress_port;
    bit<5>   egress_qid;
    bit<19>  deq_qdepth;
}

struct egress_intrinsic_metadata_from_parser_t {
    bit<48> global_tstamp;
}

struct egress_intrinsic_metadata_for_deparser_t {
    MirrorType_t mirror_type;
    bit<3>       drop_ctl;
}

struct egress_intrinsic_metadata_for_output_port_t {
    bit<1> capture_tstamp_on_tx;
}

#endif
