# The emulated switch of this project: bounded by the program's table sizes only.
kind = switch
title = Sluice's emulated switch
architecture = v1model
program = sluice-v1model
note = Time and queues are true to the nanosecond; nothing is lost unless a queue is full.

onos.driver = sluice-v1model
onos.pipeconf = net.sluice.v1model
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = yes
gnmi.queue-settings = yes

# Entries a table holds.
subscribers = 1048575
table.ipv4-prefix = 1048576
table.ipv6-prefix = 1048576
table.vlan = 262144
table.encapsulation = 262144
table.policy-value = 65536
table.rate-bin = 1024
table.random-rate = 1024
table.port-role = 512
table.sidecar = 2
table.ipv4-route = 16384
table.ipv6-route = 16384
table.congestion-threshold = 512
table.queue-aqm = 4096
table.egress-port = 512

# R_max of paper 000: the highest rate of one subscriber that a bin stands for.
rate.max-subscriber = 100G

counter.cells = 2097152
counter.age-ms = 0
counter.writable = yes
meter.update = insert-modify-delete
meter.rate-tolerance-permille = 0
queue.per-port = 8
queue.settings = gnmi
aqm.kinds = codel-act p4-codel rfc8289

ports = 1..64 name=port{n} speed=100G
ports = 509..510 name=sidecar{n} speed=100G
