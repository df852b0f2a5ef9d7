package net.sluice.onos.southbound.driver;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.core.traffic.PortStatus;
import net.sluice.onos.SluiceService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Annotations;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.SparseAnnotations;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.PortDescriptionsConfig;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.driver.DefaultDriverData;
import org.onosproject.net.driver.DefaultDriverHandler;
import org.onosproject.net.driver.DriverData;

/** What ONOS is told of a switch's ports. */
class SwitchDescriptionTest {
  private final NetworkConfigService config = mock(NetworkConfigService.class);
  private final DeviceService devices = mock(DeviceService.class);
  private final SluiceService sluice = mock(SluiceService.class);
  private final SwitchDescription description = new SwitchDescription();
  private boolean active = true;

  @BeforeEach
  void handle() {
    DriverData data =
        new DefaultDriverData(SwitchDrivers.driver("sluice-v1model", "v1model"), DEVICE);
    description.setData(data);
    description.setHandler(
        new DefaultDriverHandler(data) {
          @Override
          public <T> T get(Class<T> service) {
            if (service == SluiceService.class && !active) {
              throw new ServiceNotFoundException("Sluice is not active");
            }
            return service.cast(
                service == SluiceService.class
                    ? sluice
                    : service == DeviceService.class ? devices : config);
          }
        });
  }

  private static PortStatus port(int number, String name, Boolean up, long rateBps) {
    return new PortStatus(
        number,
        Optional.ofNullable(name),
        Optional.ofNullable(up),
        Optional.empty(),
        Optional.ofNullable(up).map(known -> Instant.EPOCH),
        rateBps,
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty());
  }

  @Test
  void portsAreInTheStateThatTheSwitchTellsOf() {
    when(sluice.ports(DEVICE))
        .thenReturn(
            List.of(
                port(1, "eth1", true, 1_000_000_000),
                port(2, "eth2", false, 100_000_000_000L),
                port(509, null, null, 10_000_000_000L)));
    List<PortDescription> ports = description.discoverPortDetails();
    assertThat(ports)
        .extracting(PortDescription::portNumber, PortDescription::isEnabled)
        .containsExactly(
            tuple(PortNumber.portNumber(1), true),
            tuple(PortNumber.portNumber(2), false),
            tuple(PortNumber.portNumber(509), true));
    assertThat(ports)
        .extracting(PortDescription::portSpeed)
        .containsExactly(1_000L, 100_000L, 10_000L);
    assertThat(ports.get(0).annotations().value(AnnotationKeys.PORT_NAME)).isEqualTo("eth1");
    assertThat(ports.get(0).annotations().value(SwitchDescription.STATE)).isNull();
    assertThat(ports.get(2).annotations().value(SwitchDescription.STATE)).isEqualTo("unknown");
  }

  /** ONOS keeps what a port was annotated with and adds what it is told later. */
  @Test
  void aPortThatBecomesKnownIsNoLongerAnnotatedAsUnknown() {
    when(sluice.ports(DEVICE)).thenReturn(List.of(port(1, "eth1", null, 1_000_000_000)));
    SparseAnnotations stored = description.discoverPortDetails().get(0).annotations();
    assertThat(stored.value(SwitchDescription.STATE)).isEqualTo("unknown");

    when(sluice.ports(DEVICE)).thenReturn(List.of(port(1, "eth1", true, 1_000_000_000)));
    for (int i = 0; i < 2; i++) {
      Annotations ofPort = DefaultAnnotations.builder().putAll(stored).build();
      when(devices.getPort(DEVICE, PortNumber.portNumber(1)))
          .thenReturn(new DefaultPort(mock(Device.class), PortNumber.portNumber(1), true, ofPort));
      stored =
          DefaultAnnotations.union(stored, description.discoverPortDetails().get(0).annotations());
      assertThat(stored.keys()).containsExactly(AnnotationKeys.PORT_NAME);
    }
  }

  @Test
  void portsOfTheNetworkConfigurationAreLeftToOnos() {
    when(sluice.ports(DEVICE)).thenReturn(List.of(port(1, "eth1", true, 1_000_000_000)));
    when(config.getConfig(DEVICE, PortDescriptionsConfig.class))
        .thenReturn(new PortDescriptionsConfig());
    assertThat(description.discoverPortDetails()).isEmpty();
  }

  @Test
  void whileNobodyCanTellTheyStayAsTheyAre() {
    Device device = mock(Device.class);
    Port down =
        new DefaultPort(
            device,
            PortNumber.portNumber(2),
            false,
            Port.Type.FIBER,
            100,
            DefaultAnnotations.builder().set(AnnotationKeys.PORT_NAME, "eth2").build());
    when(devices.getPorts(DEVICE)).thenReturn(List.of(down));
    when(sluice.ports(DEVICE)).thenReturn(List.of());
    for (boolean isActive : new boolean[] {true, false}) {
      active = isActive;
      PortDescription kept = description.discoverPortDetails().get(0);
      assertThat(kept.portNumber()).isEqualTo(PortNumber.portNumber(2));
      assertThat(kept.isEnabled()).isFalse();
      assertThat(kept.portSpeed()).isEqualTo(100);
      assertThat(kept.annotations().value(AnnotationKeys.PORT_NAME)).isEqualTo("eth2");
    }
  }
}
