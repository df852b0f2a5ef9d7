# The emulated switch with the program that marks aggregates (paper 003), beside packet values.
kind = switch
title = Sluice's emulated switch, marking aggregates
architecture = v1model
program = sluice-aggregate
note = Time and queues are true to the nanosecond; nothing is lost unless a queue is full.

onos.driver = sluice-v1model
onos.pipeconf = net.sluice.aggregate
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = yes
gnmi.queue-settings = yes

# R_max of paper 000: the highest rate of one subscriber that a bin stands for.
rate.max-subscriber = 100G

counter.age-ms = 0
counter.writable = yes
meter.update = insert-modify-delete
meter.rate-tolerance-permille = 0
# 120 Mbit, as in paper 004.
shaping.buffer-bytes = 15000000
queue.per-port = 8
queue.settings = gnmi
aqm.kinds = codel-act p4-codel rfc8289

ports = 1..64 name=port{n} speed=100G
ports = 509..510 name=sidecar{n} speed=100G
