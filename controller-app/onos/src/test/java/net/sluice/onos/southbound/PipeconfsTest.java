package net.sluice.onos.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.pi.model.DefaultPiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.service.PiPipeconfService;

/** The pipeconf, the driver, and their registration. */
class PipeconfsTest {
  private final PiPipeconf pipeconf = Pipeconfs.all().get(0);

  @Test
  void thePipeconfHasTheCompiledProgram() throws IOException {
    assertThat(pipeconf.id()).isEqualTo(Pipeconfs.V1MODEL);
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    assertThat(pipeconf.pipelineModel().tables())
        .extracting(table -> table.id().id())
        .containsExactlyInAnyOrderElementsOf(
            pipeline.p4Info().getTablesList().stream()
                .map(table -> table.getPreamble().getName())
                .toList());
    String first = pipeline.p4Info().getTables(0).getPreamble().getName();
    assertThat(pipeconf.pipelineModel().table(PiTableId.of(first)).orElseThrow().maxSize())
        .isEqualTo(pipeline.p4Info().getTables(0).getSize());
    try (InputStream json = pipeconf.extension(ExtensionType.BMV2_JSON).orElseThrow()) {
      assertThat(json.readAllBytes()).isEqualTo(pipeline.deviceConfig().toByteArray());
    }
    assertThat(pipeconf.extension(ExtensionType.P4_INFO_TEXT)).isPresent();
    assertThat(pipeconf.behaviours()).isEmpty();
    // Who takes over a switch, from another instance or from the standalone controller, finds it
    // loaded.
    assertThat(pipeconf.fingerprint()).isEqualTo(pipeline.cookie()).isNotZero();
    assertThat(pipeconf).isEqualTo(Pipeconfs.all().get(0));
  }

  @Test
  void theDriverDoesNothingThatWouldEraseEntries() {
    Driver driver = DriverRegistration.driver(DriverRegistration.V1MODEL, "v1model");
    assertThat(driver.behaviours())
        .containsExactlyInAnyOrder(
            DeviceDescriptionDiscovery.class, DeviceHandshaker.class, PiPipelineProgrammable.class);
    assertThat(driver.implementation(DeviceHandshaker.class)).isEqualTo(SwitchHandshaker.class);
    assertThat(driver.implementation(PiPipelineProgrammable.class)).isEqualTo(SwitchProgram.class);
    assertThat(driver.getProperty("supportDefaultTableEntry")).isEqualTo("false");
  }

  @Test
  void profilesNameThisDriverAndPipeconf() {
    for (String name : Set.of("emulator", "bmv2", "stratum-bmv2")) {
      SwitchTargetProfile profile = TargetProfiles.loadSwitch(name);
      assertThat(profile.management().onosDriver()).isEqualTo(DriverRegistration.V1MODEL);
      assertThat(profile.management().onosPipeconf()).isEqualTo(Pipeconfs.V1MODEL.id());
    }
  }

  @Test
  void theProgramIsLoadedAsItIs() {
    ByteBuffer loaded = new SwitchProgram().createDeviceDataBuffer(pipeconf);
    assertThat(loaded)
        .isEqualTo(ByteBuffer.wrap(V1ModelPipeline.load().deviceConfig().toByteArray()));
    PiPipeconf without =
        DefaultPiPipeconf.builder()
            .withId(pipeconf.id())
            .withPipelineModel(pipeconf.pipelineModel())
            .build();
    assertThat(new SwitchProgram().createDeviceDataBuffer(without)).isNull();
    assertThat(new SwitchProgram().getDefaultPipeconf()).isEmpty();
  }

  @Test
  void pipeconfsAreRegisteredWhileTheApplicationIsActive() {
    PipeconfRegistration registration = new PipeconfRegistration();
    PiPipeconfService service = mock(PiPipeconfService.class);
    registration.pipeconfService = service;
    when(service.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.empty());
    registration.activate();
    verify(service, never()).unregister(any());
    ArgumentCaptor<PiPipeconf> registered = ArgumentCaptor.forClass(PiPipeconf.class);
    verify(service).register(registered.capture());
    assertThat(registered.getValue().id()).isEqualTo(Pipeconfs.V1MODEL);
    registration.deactivate();
    verify(service).unregister(Pipeconfs.V1MODEL);
  }

  @Test
  void oneThatWasLeftBehindIsReplaced() {
    PipeconfRegistration registration = new PipeconfRegistration();
    PiPipeconfService service = mock(PiPipeconfService.class);
    registration.pipeconfService = service;
    when(service.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.of(pipeconf));
    registration.activate();
    InOrder order = inOrder(service);
    order.verify(service).unregister(Pipeconfs.V1MODEL);
    order.verify(service).register(any());
  }

  @Test
  void driversAreRegisteredWhileTheApplicationIsActive() {
    DriverRegistration registration = new DriverRegistration();
    registration.driverAdminService = mock(DriverAdminService.class);
    registration.activate();
    ArgumentCaptor<DriverProvider> provider = ArgumentCaptor.forClass(DriverProvider.class);
    verify(registration.driverAdminService).registerProvider(provider.capture());
    assertThat(provider.getValue().getDrivers())
        .extracting(Driver::name)
        .containsExactly(DriverRegistration.V1MODEL);
    registration.deactivate();
    verify(registration.driverAdminService).unregisterProvider(provider.getValue());
  }
}
