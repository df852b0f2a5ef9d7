package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** What the packaged program is and holds. */
class V1ModelPipelineTest {
  private final V1ModelPipeline pipeline = V1ModelPipeline.load();

  @Test
  void holdsAMillionSubscribers() {
    SwitchProfile profile = pipeline.profile();

    assertThat(profile.subscriberCapacity()).isEqualTo(1_048_575);
    assertThat(profile.v4PrefixCapacity()).isEqualTo(1_048_576);
    assertThat(profile.v6PrefixCapacity()).isEqualTo(1_048_576);
    assertThat(profile.vlanCapacity()).isEqualTo(262_144);
    assertThat(profile.encapCapacity()).isEqualTo(262_144);
    assertThat(profile.policySlots()).isEqualTo(64);
    assertThat(profile.rateKeyBits()).isEqualTo(32);
    assertThat(profile.maxSubscriberRateBps()).isEqualTo(100e9);
    assertThat(V1ModelProgram.DESCRIPTOR.rateIndex().size()).isEqualTo(1024);
    assertThat(V1ModelProgram.DESCRIPTOR.randomRateEstim().size()).isEqualTo(1024);
  }

  /** A steady flow of one unit holds half a byte in a count of that half-life. */
  @Test
  void rateUnitIsHalfAByteInTheFilter() {
    assertThat(pipeline.profile().rateUnitBps()).isEqualTo(V1ModelPipeline.RATE_UNIT_BPS);
    assertThat(V1ModelPipeline.RATE_UNIT_BPS).isCloseTo(42.306, within(0.0005));

    double perMicrosecond = V1ModelPipeline.RATE_UNIT_BPS / 8 * 1e-6;
    double decay = Math.pow(0.5, 1.0 / V1ModelPipeline.RATE_HALF_LIFE_MICROS);
    double bytes = 0;
    for (int i = 0; i < 20 * V1ModelPipeline.RATE_HALF_LIFE_MICROS; i++) {
      bytes = bytes * decay + perMicrosecond;
    }
    assertThat(bytes).isCloseTo(0.5, within(1e-5));
  }

  @Test
  void packagesTheCompiledProgram() throws IOException {
    byte[] compiled = Files.readAllBytes(Path.of("../p4/p4c-out/v1model/sluice.json"));

    ForwardingPipelineConfig config = pipeline.forwardingPipelineConfig();

    assertThat(pipeline.name()).isEqualTo("sluice-v1model");
    assertThat(config.getP4DeviceConfig().toByteArray()).isEqualTo(compiled);
    assertThat(config.getP4Info().getTablesCount()).isGreaterThanOrEqualTo(Table.values().length);
    assertThat(config.getCookie().getCookie()).isEqualTo(pipeline.cookie()).isNotZero();
    assertThat(V1ModelPipeline.load().cookie()).isEqualTo(pipeline.cookie());
  }

  @Test
  void cookieDependsOnBothParts() {
    byte[] a = {1};
    byte[] b = {2};

    assertThat(LoadedPipeline.cookie(a, b)).isEqualTo(LoadedPipeline.cookie(a, b));
    assertThat(LoadedPipeline.cookie(a, b)).isNotEqualTo(LoadedPipeline.cookie(b, b));
    assertThat(LoadedPipeline.cookie(a, b)).isNotEqualTo(LoadedPipeline.cookie(a, a));
    assertThat(LoadedPipeline.cookie(new byte[] {1, 2}, new byte[0]))
        .isNotEqualTo(LoadedPipeline.cookie(a, b));
  }
}
