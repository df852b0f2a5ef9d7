# Edgecore AS9516-32D under Stratum: a Tofino 2 with 32 ports of 400 Gbit/s.
kind = switch
title = Stratum on Tofino 2 (Edgecore AS9516-32D)
architecture = t2na
program = none
note = The program for this architecture is not part of this release: the profile plans and describes such a switch.
note = Stratum programs all pipes alike, so that one pipe's room is the switch's.
note = Port numbers in table entries are the chip's: Stratum tells them over gNMI as an interface's ifindex.

onos.driver = sluice-t2na
onos.pipeconf = net.sluice.t2na
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = yes
gnmi.queue-settings = no

chassis.platform = PLT_GENERIC_BAREFOOT_TOFINO2
chassis.name = Edgecore AS9516-32D

# Paper 000: 537,000 rate filters a pipe.
subscribers = 537000
table.ipv4-prefix = 537000
# Budgets, not yet confirmed by a compiled program.
table.ipv6-prefix = 131072
table.vlan = 131072
table.encapsulation = 131072
table.policy-value = 65536
table.rate-bin = 1024
table.random-rate = 256
table.port-role = 512
table.sidecar = 2
table.ipv4-route = 8192
table.ipv6-route = 2048
table.congestion-threshold = 512
table.egress-port = 512

rate.max-subscriber = 100G

counter.cells = 1074002
counter.age-ms = 1000
counter.writable = yes
meter.update = modify-only
meter.rate-tolerance-permille = 1
queue.per-port = 8
queue.settings = chassis

port.lanes = 8
port.split = 1x400G 2x200G 4x100G 8x50G 8x25G 8x10G
ports = 1..32 name={n}/0 speed=400G
