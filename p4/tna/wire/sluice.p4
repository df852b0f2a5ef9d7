// Sluice's pipeline for wires on a Tofino.

#define WIRE

#include <core.p4>
#include <tna.p4>

#include "../externs_tofino.p4"
#include "pipeline.p4"
#include "deparser.p4"

Pipeline(SluiceIngressParser(), SluiceIngress(), SluiceIngressDeparser(), SluiceEgressParser(), SluiceEgress(), SluiceEgressDeparser()) pipe;

@pa_auto_init_metadata
@pa_no_overlay("ingress", "md.csaqm.rnd")
@pa_no_overlay("ingress", "md.csaqm.offset")
Switch(pipe) main;
