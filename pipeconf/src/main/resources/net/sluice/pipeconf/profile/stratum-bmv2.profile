# bmv2 behind Stratum (stratum_bmv2), as its Mininet image runs it.
kind = switch
title = Stratum on bmv2
architecture = v1model
program = sluice-v1model
note = Forwards some 60,000 to 80,000 packets a second; line rates beyond that are not reached.
note = Port speeds are what the chassis config says; bmv2 does not keep to them.

onos.driver = sluice-v1model
onos.pipeconf = net.sluice.v1model
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = no
gnmi.queue-settings = no

chassis.platform = PLT_P4_SOFT_SWITCH
chassis.name = bmv2

rate.max-subscriber = 100G

counter.age-ms = 0
counter.writable = yes
meter.update = modify-only
meter.rate-tolerance-permille = 0
queue.per-port = 1
queue.settings = none
aqm.kinds = codel-act p4-codel rfc8289

# Stratum writes the one channel of a soft switch's port as 1.
ports = 1..8 name=s1-eth{n} speed=10G channel=1
