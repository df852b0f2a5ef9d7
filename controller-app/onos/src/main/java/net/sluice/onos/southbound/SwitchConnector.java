package net.sluice.onos.southbound;

import net.sluice.core.target.NotReadyException;
import org.onosproject.net.DeviceId;

/** The way to one switch, which leads to whichever instance is its master at the moment. */
public interface SwitchConnector {
  /** The switch's id in ONOS. */
  DeviceId deviceId();

  /**
   * A new session. It is not known to stand before {@link SwitchClient#check} says so.
   *
   * @throws NotReadyException if there is to be none now, with the reason
   */
  SwitchClient open() throws NotReadyException;
}
