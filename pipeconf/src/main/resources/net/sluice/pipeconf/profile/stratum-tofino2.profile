# Edgecore AS9516-32D under Stratum: a Tofino 2 with 32 ports of 400 Gbit/s.
kind = switch
title = Stratum on Tofino 2 (Edgecore AS9516-32D)
architecture = t2na
program = none
note = The program for this architecture is not part of this release: the profile plans and describes such a switch.
note = Stratum programs all pipes alike, so that one pipe's room is the switch's.

onos.driver = sluice-tofino2
onos.pipeconf = net.sluice.tofino2
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = yes
gnmi.queue-settings = no

chassis.platform = PLT_GENERIC_BAREFOOT_TOFINO2
chassis.name = Edgecore AS9516-32D

# Paper 000: 537,000 rate filters a pipe, under the constraints of a stage of Tofino: 15 instances.
marker.pipes = 1
marker.instances = 15
marker.subscribers-per-instance = 35800
table.ipv4-prefix = 537000
# Budgets, not yet confirmed by a compiled program.
table.ipv6-prefix = 131072
table.vlan = 131072
table.service-vlan = 131072
table.encapsulation = 131072
table.policy-value = 65536
table.rate-bin = 1024
table.random-rate = 1024
table.port-role = 512
table.sidecar = 2
table.ipv4-route = 8192
table.ipv6-route = 2048
table.congestion-threshold = 512
table.queue-aqm = 0
table.egress-port = 512
table.subscriber-meter = 0
table.subscriber-limit = 0

rate.max-subscriber = 100G

counter.cells = 1074002
counter.age-ms = 1000
counter.writable = yes
meter.update = modify-only
meter.rate-tolerance-permille = 1
queue.per-port = 8
queue.settings = chassis

# A front panel port has eight lanes; `device` is the first lane's number in table entries and packets: pipe * 128
# + 8 + 8 * MAC block, by the board's lane map in the switch's open development kit.
port.lanes = 8
port.split = 1x400G 2x200G 4x100G 8x50G 8x25G 8x10G
port = 1 name=1/0 device=136 speed=400G
port = 2 name=2/0 device=144 speed=400G
port = 3 name=3/0 device=152 speed=400G
port = 4 name=4/0 device=160 speed=400G
port = 5 name=5/0 device=168 speed=400G
port = 6 name=6/0 device=176 speed=400G
port = 7 name=7/0 device=184 speed=400G
port = 8 name=8/0 device=192 speed=400G
port = 9 name=9/0 device=320 speed=400G
port = 10 name=10/0 device=312 speed=400G
port = 11 name=11/0 device=304 speed=400G
port = 12 name=12/0 device=296 speed=400G
port = 13 name=13/0 device=288 speed=400G
port = 14 name=14/0 device=280 speed=400G
port = 15 name=15/0 device=272 speed=400G
port = 16 name=16/0 device=264 speed=400G
port = 17 name=17/0 device=400 speed=400G
port = 18 name=18/0 device=392 speed=400G
port = 19 name=19/0 device=416 speed=400G
port = 20 name=20/0 device=408 speed=400G
port = 21 name=21/0 device=432 speed=400G
port = 22 name=22/0 device=424 speed=400G
port = 23 name=23/0 device=448 speed=400G
port = 24 name=24/0 device=440 speed=400G
port = 25 name=25/0 device=56 speed=400G
port = 26 name=26/0 device=64 speed=400G
port = 27 name=27/0 device=40 speed=400G
port = 28 name=28/0 device=48 speed=400G
port = 29 name=29/0 device=24 speed=400G
port = 30 name=30/0 device=32 speed=400G
port = 31 name=31/0 device=8 speed=400G
port = 32 name=32/0 device=16 speed=400G
