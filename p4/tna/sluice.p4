// Sluice's pipeline for TNA (Tofino) and T2NA (Tofino 2).

#include <core.p4>
#if __TARGET_TOFINO__ == 1
#include <tna.p4>
#else
#include <t2na.p4>
#endif

#include "externs_tofino.p4"
#include "pipeline.p4"
#include "deparser.p4"

Pipeline(SluiceIngressParser(), SluiceIngress(), SluiceIngressDeparser(), SluiceEgressParser(), SluiceEgress(), SluiceEgressDeparser()) pipe;

@pa_auto_init_metadata
#if __TARGET_TOFINO__ == 2
// Else it is spread over containers so that no register can take it.
@pa_container_size("ingress", "steering_loop_late", 8)
#endif
#ifdef CODEL
// In a container of 16 bits the assembler takes no result of a register from them.
@pa_container_size("egress", "codel_act_due", 8)
@pa_container_size("egress", "codel_act_recent", 8)
#endif
@pa_no_overlay("ingress", "md.csaqm.rnd")
@pa_no_overlay("ingress", "md.csaqm.offset")
Switch(pipe) main;
