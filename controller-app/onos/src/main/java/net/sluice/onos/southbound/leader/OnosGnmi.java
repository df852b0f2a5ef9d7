package net.sluice.onos.southbound.leader;

import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.SwitchConfig;
import net.sluice.onos.southbound.driver.ManagementAddress;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.switches.HostPort;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.store.service.StorageException;

/**
 * The way to the gNMI server of a device of ONOS, as its network configuration says at the moment,
 * while this instance may have a session with it.
 */
public final class OnosGnmi implements GnmiConnection.Access {
  private static final int ANY_PORT = 1;
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

  private final DeviceId device;
  private final SwitchTargetProfile profile;
  private final NetworkConfigService networkConfig;
  private final Supplier<Optional<String>> obstacle;

  /**
   * The way to one server.
   *
   * @param obstacle why this instance may not have a session with the device now; empty if it may
   */
  public OnosGnmi(
      DeviceId device,
      SwitchTargetProfile profile,
      NetworkConfigService networkConfig,
      Supplier<Optional<String>> obstacle) {
    this.device = device;
    this.profile = profile;
    this.networkConfig = networkConfig;
    this.obstacle = obstacle;
  }

  /** Without a server at the profile's port there is one only if the configuration names it. */
  @Override
  public boolean hasServer() {
    try {
      SwitchConfig config = networkConfig.getConfig(device, SwitchConfig.class);
      boolean named = config != null && config.gnmi().isPresent();
      boolean denied = config != null && config.saysNoGnmi();
      return named || (!denied && profile.gnmiPort(ANY_PORT).isPresent());
    } catch (StorageException e) {
      // Then nobody knows, as the attempt will say.
      return true;
    }
  }

  @Override
  public GnmiConnection open() throws NotReadyException {
    HostPort at = requireAddress();
    return new GnmiConnection(
        at.host(),
        at.port(),
        // A path of a URI has brackets only if they are encoded.
        NettyChannelBuilder.forTarget(
                "dns:///" + at.toString().replace("[", "%5B").replace("]", "%5D"))
            .usePlaintext()
            // A switch that vanished without a word is noticed within 15 seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .build());
  }

  @Override
  public Optional<Duration> checkInterval() {
    return Optional.of(CHECK_INTERVAL);
  }

  @Override
  public void check(GnmiConnection connection) throws NotReadyException {
    HostPort now = requireAddress();
    if (!now.equals(new HostPort(connection.host(), connection.port()))) {
      throw new NotReadyException("the network configuration says " + now + " now");
    }
  }

  private HostPort requireAddress() throws NotReadyException {
    Optional<String> reason = obstacle.get();
    if (reason.isPresent()) {
      throw new NotReadyException(reason.get());
    }
    try {
      return address();
    } catch (StorageException e) {
      throw new NotReadyException(
          "the cluster's storage does not answer, so that the gNMI server of "
              + device
              + " is unknown");
    }
  }

  /** Where the server is. */
  HostPort address() throws NotReadyException {
    SwitchConfig config = networkConfig.getConfig(device, SwitchConfig.class);
    if (config != null && config.saysNoGnmi()) {
      throw new NotReadyException(
          "the network configuration says that " + device + " has no gNMI server");
    }
    if (config != null && config.gnmi().isPresent()) {
      return config.gnmi().get();
    }
    HostPort p4Runtime = ManagementAddress.of(device, networkConfig).server();
    OptionalInt port = profile.gnmiPort(p4Runtime.port());
    if (port.isEmpty()) {
      throw new NotReadyException(
          "switches of profile "
              + profile.name()
              + " have no gNMI server, and the network configuration of "
              + device
              + " names none as sluice.gnmi");
    }
    return new HostPort(p4Runtime.host(), port.getAsInt());
  }
}
