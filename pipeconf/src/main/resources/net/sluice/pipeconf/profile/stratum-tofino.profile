# Edgecore Wedge100BF-32X under Stratum: a Tofino of two pipes with 32 ports of 100 Gbit/s.
kind = switch
title = Stratum on Tofino (Edgecore Wedge100BF-32X)
architecture = tna
program = sluice-tna
note = What the switch loads is made by the compiler and named to the controller; the program has run neither on a chip nor on a model of one.
note = Stratum programs all pipes alike, so that one pipe's room is the switch's.

onos.driver = sluice-tofino
onos.pipeconf = net.sluice.tofino
p4runtime.port = 9559
p4runtime.device-id = 1
gnmi.port = 9339
gnmi.port-speed = yes
gnmi.queue-settings = no

chassis.platform = PLT_GENERIC_BAREFOOT_TOFINO
chassis.name = Edgecore Wedge100BF-32x

rate.max-subscriber = 100G

# The driver copies counters from the chip from time to time.
counter.age-ms = 1000
counter.writable = yes
# Deleting a meter's configuration is refused; modifying it to the default has that effect.
meter.update = modify-only
# 8,000,000 bit/s reads back as 7,992,000.
meter.rate-tolerance-permille = 1
queue.per-port = 8
queue.settings = chassis

# A front panel port has four lanes; `device` is the first lane's number in table entries and packets.
port.lanes = 4
port.split = 1x100G 1x40G 2x50G 4x25G 4x10G
port = 1 name=1/0 device=128 speed=100G
port = 2 name=2/0 device=136 speed=100G
port = 3 name=3/0 device=144 speed=100G
port = 4 name=4/0 device=152 speed=100G
port = 5 name=5/0 device=160 speed=100G
port = 6 name=6/0 device=168 speed=100G
port = 7 name=7/0 device=176 speed=100G
port = 8 name=8/0 device=184 speed=100G
port = 9 name=9/0 device=60 speed=100G
port = 10 name=10/0 device=52 speed=100G
port = 11 name=11/0 device=44 speed=100G
port = 12 name=12/0 device=36 speed=100G
port = 13 name=13/0 device=28 speed=100G
port = 14 name=14/0 device=20 speed=100G
port = 15 name=15/0 device=12 speed=100G
port = 16 name=16/0 device=4 speed=100G
port = 17 name=17/0 device=0 speed=100G
port = 18 name=18/0 device=8 speed=100G
port = 19 name=19/0 device=16 speed=100G
port = 20 name=20/0 device=24 speed=100G
port = 21 name=21/0 device=32 speed=100G
port = 22 name=22/0 device=40 speed=100G
port = 23 name=23/0 device=48 speed=100G
port = 24 name=24/0 device=56 speed=100G
port = 25 name=25/0 device=188 speed=100G
port = 26 name=26/0 device=180 speed=100G
port = 27 name=27/0 device=172 speed=100G
port = 28 name=28/0 device=164 speed=100G
port = 29 name=29/0 device=148 speed=100G
port = 30 name=30/0 device=156 speed=100G
port = 31 name=31/0 device=132 speed=100G
port = 32 name=32/0 device=140 speed=100G
