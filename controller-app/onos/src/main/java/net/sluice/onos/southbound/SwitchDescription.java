package net.sluice.onos.southbound;

import org.onosproject.drivers.p4runtime.P4RuntimeDeviceDescriptionDiscovery;

/** What ONOS says a switch is. Its ports are those of the network configuration. */
public final class SwitchDescription extends P4RuntimeDeviceDescriptionDiscovery {}
