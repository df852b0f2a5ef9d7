package net.sluice.standalone.network;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A switch of the network file that the controller's own process emulates, where the file says that
 * it is reached.
 *
 * @param remote the switch as the controller drives it
 * @param interfaces what ports are cabled to outside, by their numbers: the name of an interface of
 *     this machine, or {@code tap:} and that of a TAP device
 */
public record EmulatedSwitch(RemoteSwitch remote, SortedMap<Integer, String> interfaces) {
  public EmulatedSwitch {
    interfaces = Collections.unmodifiableSortedMap(new TreeMap<>(interfaces));
  }
}
