package net.sluice.pipeconf.profile;

import java.util.OptionalInt;

/**
 * How a switch is reached.
 *
 * @param p4RuntimePort usual TCP port of its P4Runtime server
 * @param deviceId usual P4Runtime device id, which is also the node's id in a chassis configuration
 * @param gnmiPort usual TCP port of its gNMI server; empty if it has none
 * @param gnmiPortSpeed whether a port's speed can be set over gNMI
 * @param gnmiQueueSettings whether queues can be set over gNMI
 * @param onosDriver ONOS driver that manages it
 * @param onosPipeconf ONOS pipeconf it runs
 */
public record Management(
    int p4RuntimePort,
    long deviceId,
    OptionalInt gnmiPort,
    boolean gnmiPortSpeed,
    boolean gnmiQueueSettings,
    String onosDriver,
    String onosPipeconf) {}
