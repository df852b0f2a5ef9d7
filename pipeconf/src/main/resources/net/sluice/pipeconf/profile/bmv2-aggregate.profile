# bmv2 with the program that marks aggregates (paper 003), beside packet values.
kind = switch
title = bmv2 (simple_switch_grpc), marking aggregates
architecture = v1model
program = sluice-aggregate
note = Forwards some 60,000 to 80,000 packets a second; line rates beyond that are not reached.
note = Queue rates are packets a second and set by Thrift only; the switch has no gNMI.

onos.driver = sluice-v1model
onos.pipeconf = net.sluice.aggregate
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = none
gnmi.port-speed = no
gnmi.queue-settings = no

rate.max-subscriber = 100G

counter.age-ms = 0
counter.writable = yes
meter.update = modify-only
meter.rate-tolerance-permille = 0
queue.per-port = 1
queue.settings = none
aqm.kinds = codel-act p4-codel rfc8289

ports = 1..64 name=s1-eth{n} speed=10G
