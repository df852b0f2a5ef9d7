"""Sluice in Mininet: switches, the emulated FPGAs, the controller, and a network of subscribers.

Runs with Debian's Mininet 2.3.0 and the system's own python3, as root; needs nothing else but
iperf3 for traffic.
"""
