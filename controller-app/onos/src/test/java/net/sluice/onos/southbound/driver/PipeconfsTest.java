package net.sluice.onos.southbound.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import org.junit.jupiter.api.Test;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiTableId;

/** The pipeconfs and the drivers. */
class PipeconfsTest {
  private static final List<SwitchPipeline> PROGRAMS =
      List.of(V1ModelPipeline.load(), V1ModelPipeline.withAggregates(), TnaDeviceConfig.pipeline());
  private static final List<PiPipeconf> PIPECONFS = Pipeconfs.all(TnaDeviceConfig.pipeline());

  @Test
  void eachCompiledProgramIsAPipeconf() throws IOException {
    for (int i = 0; i < PROGRAMS.size(); i++) {
      SwitchPipeline program = PROGRAMS.get(i);
      PiPipeconf pipeconf = PIPECONFS.get(i);
      assertThat(Pipeconfs.program(pipeconf.id()).programName()).isEqualTo(program.name());
      assertThat(pipeconf.pipelineModel().tables())
          .extracting(table -> table.id().id())
          .containsExactlyInAnyOrderElementsOf(
              program.p4Info().getTablesList().stream()
                  .map(table -> table.getPreamble().getName())
                  .toList());
      String first = program.p4Info().getTables(0).getPreamble().getName();
      assertThat(pipeconf.pipelineModel().table(PiTableId.of(first)).orElseThrow().maxSize())
          .isEqualTo(program.p4Info().getTables(0).getSize());
      try (InputStream loaded = pipeconf.extension(Pipeconfs.LOADED).orElseThrow()) {
        assertThat(loaded.readAllBytes()).isEqualTo(program.deviceConfig().toByteArray());
      }
      try (InputStream info = pipeconf.extension(ExtensionType.P4_INFO_TEXT).orElseThrow()) {
        assertThat(info.readAllBytes()).isNotEmpty();
      }
      assertThat(pipeconf.behaviours()).isEmpty();
      // Who takes over a switch, from another instance or from the standalone controller, finds it
      // loaded.
      assertThat(pipeconf.fingerprint()).isEqualTo(program.cookie()).isNotZero();
    }
    assertThat(PIPECONFS).isEqualTo(Pipeconfs.all(TnaDeviceConfig.pipeline()));
  }

  @Test
  void aProgramWithoutWhatASwitchLoadsCannotBeLoaded() {
    List<PiPipeconf> without = Pipeconfs.all(TnaPipeline.withoutDeviceConfig());
    assertThat(without)
        .filteredOn(Pipeconfs::canBeLoaded)
        .extracting(PiPipeconf::id)
        .containsExactly(Pipeconfs.V1MODEL, Pipeconfs.AGGREGATE);
    assertThat(without.get(2)).isNotEqualTo(PIPECONFS.get(2));
  }

  @Test
  void theDriverDoesNothingThatWouldEraseEntries() {
    Driver driver = SwitchDrivers.driver("sluice-v1model", "v1model");
    assertThat(driver.behaviours())
        .containsExactlyInAnyOrder(
            DeviceDescriptionDiscovery.class, DeviceHandshaker.class, PiPipelineProgrammable.class);
    assertThat(driver.implementation(DeviceHandshaker.class)).isEqualTo(SwitchHandshaker.class);
    assertThat(driver.implementation(PiPipelineProgrammable.class)).isEqualTo(SwitchProgram.class);
    assertThat(new SwitchProgram().getDefaultPipeconf()).isEmpty();
  }

  @Test
  void profilesNameThePipeconfOfTheirProgram() {
    for (SwitchTargetProfile profile : TargetProfiles.switches()) {
      if (profile.program().isPresent()) {
        assertThat(Pipeconfs.program(Pipeconfs.of(profile)).programName())
            .as(profile.name())
            .isEqualTo(profile.program().get());
      } else {
        assertThat(Pipeconfs.isOurs(Pipeconfs.of(profile))).as(profile.name()).isFalse();
      }
    }
  }
}
