package net.sluice.onos;

import org.onosproject.event.EventListener;

/** Follows {@link SluiceEvent}s. */
public interface SluiceListener extends EventListener<SluiceEvent> {}
