package net.sluice.onos.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Set;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import org.junit.jupiter.api.Test;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.pi.model.DefaultPiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiTableId;

/** The pipeconf and the driver. */
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
    Driver driver = PipelineRegistration.driver(PipelineRegistration.V1MODEL, "v1model");
    assertThat(driver.behaviours())
        .containsExactlyInAnyOrder(
            DeviceDescriptionDiscovery.class, DeviceHandshaker.class, PiPipelineProgrammable.class);
    assertThat(driver.implementation(DeviceHandshaker.class)).isEqualTo(SwitchHandshaker.class);
    assertThat(driver.implementation(PiPipelineProgrammable.class)).isEqualTo(SwitchProgram.class);
  }

  @Test
  void profilesNameThisDriverAndPipeconf() {
    for (String name : Set.of("emulator", "bmv2", "stratum-bmv2")) {
      SwitchTargetProfile profile = TargetProfiles.loadSwitch(name);
      assertThat(profile.management().onosDriver()).isEqualTo(PipelineRegistration.V1MODEL);
      assertThat(profile.management().onosPipeconf()).isEqualTo(Pipeconfs.V1MODEL.id());
    }
  }

  @Test
  void theProgramIsLoadedAsItIs() {
    ByteBuffer loaded = SwitchProgram.deviceConfig(pipeconf);
    assertThat(loaded)
        .isEqualTo(ByteBuffer.wrap(V1ModelPipeline.load().deviceConfig().toByteArray()));
    PiPipeconf without =
        DefaultPiPipeconf.builder()
            .withId(pipeconf.id())
            .withPipelineModel(pipeconf.pipelineModel())
            .build();
    assertThat(SwitchProgram.deviceConfig(without)).isNull();
    assertThat(new SwitchProgram().getDefaultPipeconf()).isEmpty();
  }
}
