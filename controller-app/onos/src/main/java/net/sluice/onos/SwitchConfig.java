package net.sluice.onos;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.HostPort;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;

/**
 * The part of ONOS's network configuration of a switch that is for Sluice alone: {@code
 * "devices":{"device:leaf1":{"sluice":{"topology":{...},"gnmi":"192.0.2.1:9339"}}}}. It is the
 * document of a switch, with its id if that is not the name of its device; without a topology
 * Sluice does not drive the device, and there is nothing but {@code gnmi}.
 */
public final class SwitchConfig extends Config<DeviceId> {
  /** The key below a device. */
  public static final String KEY = "sluice";

  private static final String GNMI = "gnmi";
  private static final String NONE = "none";

  @Override
  public boolean isValid() {
    boolean namesGnmi = node().has(GNMI);
    if (node().size() == (namesGnmi ? 1 : 0)) {
      if (namesGnmi && !saysNoGnmi() && gnmi().isEmpty()) {
        throw new InvalidFieldException(
            GNMI, "it is " + node().get(GNMI) + "; allowed: " + HostPort.ALLOWED + ", or " + NONE);
      }
      return true;
    }
    try {
      SwitchSettings.check(subject(), document());
      return true;
    } catch (Refusal e) {
      throw new InvalidFieldException(e.problems().get(0).field(), Problem.sentences(e.problems()));
    }
  }

  /** True if Sluice is to drive the device. */
  public boolean isDriven() {
    return node().has(OsgiProperties.TOPOLOGY);
  }

  /**
   * The document of the switch.
   *
   * @throws Refusal if it is nested deeper than any document
   */
  public JsonValue document() throws Refusal {
    byte[] json = node().toString().getBytes(StandardCharsets.UTF_8);
    return JsonTree.read(json, 0, json.length);
  }

  /** True if it says that there is no gNMI server. */
  public boolean saysNoGnmi() {
    return NONE.equals(get(GNMI, (String) null));
  }

  /** Where the gNMI server is, if it says so. */
  public Optional<HostPort> gnmi() {
    return Optional.ofNullable(get(GNMI, (String) null)).flatMap(HostPort::of);
  }
}
