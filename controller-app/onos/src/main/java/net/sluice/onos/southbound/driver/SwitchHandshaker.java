package net.sluice.onos.southbound.driver;

import org.onosproject.drivers.p4runtime.P4RuntimeHandshaker;

/** Connects ONOS to a switch and elects its master there. */
public final class SwitchHandshaker extends P4RuntimeHandshaker {}
