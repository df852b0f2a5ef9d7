package net.sluice.intents.model;

/** Class queue {@code queue}, 0..7, of switch port {@code port}. */
public record PortQueue(int port, int queue) {}
