package net.sluice.onos;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.LinePackets;
import net.sluice.core.target.Target;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import org.onosproject.net.DeviceId;

/**
 * Reaches switches through ONOS. The instance that leads opens the switches when it takes over and
 * closes them when it no longer leads. It is the only writer; what it writes goes through the
 * instance that is the switch's master, which need not be itself.
 */
public interface SwitchTargets {
  /**
   * A switch as a target of that name, not connected yet. Its session can stand only while an
   * instance is the device's master and the device runs its profile's program; otherwise {@code
   * down} says which of them is amiss.
   *
   * @param profile what kind of switch it is
   * @param epoch number of this takeover of the switch: masters refuse what an earlier one sends
   */
  SwitchConnection open(String name, DeviceId device, SwitchTargetProfile profile, long epoch);

  /**
   * The way to a switch's gNMI server, where the network configuration says it is.
   *
   * @param profile what kind of switch it is
   * @param obstacle why this instance may not have a session with it now; empty if it may
   */
  GnmiConnection.Access gnmi(
      DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle);

  /**
   * Why ONOS does not have a device: it does not know it, has not connected to it, or has lost it;
   * empty if it has it.
   */
  Optional<String> absence(DeviceId device);

  /**
   * Devices that are to be driven by what the network configuration says of them, in order of their
   * ids, with what it says: the document of a switch, and its {@code id}.
   */
  Map<DeviceId, JsonValue> declared();

  /**
   * Has the network configuration say what {@link #declared} then tells, and tells ONOS which
   * driver and pipeconf the profile needs, if it is to know the device.
   *
   * @param declared the document of a switch, and its {@code id}
   * @param read the same, read
   */
  void declare(DeviceId device, JsonValue declared, SwitchDocument read);

  /**
   * Has the network configuration not say any more how the device is driven, nor where it is if
   * {@link #declare} said so.
   */
  void withdraw(DeviceId device);

  /**
   * Has ONOS forget the devices that {@link #withdraw} took the addresses of, as far as ONOS has
   * ended its connections to them.
   */
  void forgetWithdrawn();

  /** Devices of ONOS that have our pipeline, in order of their ids. */
  List<DeviceId> withOurPipeline();

  /**
   * A switch.
   *
   * @param target takes writes and is read back; closed by who opened it
   * @param counters its counters; usually the same object
   * @param packets frames to and from its lines, if there is a way for them
   */
  record SwitchConnection(
      Target<SwitchEntry> target, CounterSource counters, Optional<LinePackets> packets) {}
}
