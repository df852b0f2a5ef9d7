# The queueing FPGA of paper 001 on a Xilinx Alveo U200.
kind = fpga
title = Queueing FPGA on Xilinx Alveo U200
note = One 100G Ethernet core; the register map is that of the published design.
note = Its queues are looked at once a round, 32 a clock: 8,192 clocks, 37 microseconds.

# Rates are multiples of one byte per clock.ticks clocks: 1.41 Mbit/s at 220 MHz.
clock.hz = 220000000
clock.ticks = 1248
rate.word-bits = 18
queue.ports = 8
queue.trees-per-port = 64
queue.customers-per-tree = 64
queue.classes = 8
queue.depth-bytes = 262144
burst.min-bytes = 1600
burst.max-bytes = 32767
burst.reset-bytes = 2000
