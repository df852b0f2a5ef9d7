package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stratum.barefoot.BfPipelineConfig;

/** What the program for Tofino holds, and what it is loaded from. */
class TnaPipelineTest {
  @TempDir Path directory;

  @Test
  void holdsAsManySubscribersAsItHasRateFilters() {
    SwitchProfile profile = CompiledProgram.TNA.profile();
    assertThat(profile.markers())
        .isEqualTo(
            new MarkerLayout(1, 511, 7, 17_920, OptionalInt.of(17_920), OptionalInt.of(8_192)));
    assertThat(profile.subscriberCapacity()).isEqualTo(125_440);
    assertThat(profile.prefixLengths())
        .isEqualTo(new PrefixLengths(OptionalInt.of(32), OptionalInt.of(56)));
    assertThat(profile.v4PrefixCapacity()).isEqualTo(125_440);
    assertThat(profile.v6PrefixCapacity()).isEqualTo(57_344);
    assertThat(profile.vlanCapacity()).isEqualTo(16_384);
    assertThat(profile.encapCapacity()).isEqualTo(16_384);
    assertThat(profile.policySlots()).isEqualTo(64);
    assertThat(profile.rateUnitBps()).isCloseTo(8 * Math.log(2) / 0.065536, within(1e-9));
    assertThat(profile.rateKeyBits()).isEqualTo(32);
    assertThat(profile.rateBins().entries().count())
        .isLessThanOrEqualTo(
            CompiledProgram.TNA.entries().size(net.sluice.intents.plan.Table.RATE_BIN));
  }

  @Test
  void loadsWhatItIsGiven() throws IOException {
    Path file = TnaDeviceConfig.write(directory.resolve("sluice.pb.bin"));
    TnaPipeline pipeline = TnaPipeline.load(file);
    assertThat(pipeline.name()).isEqualTo("sluice-tna");
    assertThat(pipeline.forwardingPipelineConfig().getP4DeviceConfig().toByteArray())
        .isEqualTo(Files.readAllBytes(file));
    assertThat(pipeline.deviceConfigFile()).isEqualTo(file.toUri().toURL());
    assertThat(pipeline.p4Info().getExternsCount()).isZero();
    assertThat(pipeline.cookie())
        .isEqualTo(TnaDeviceConfig.pipeline().cookie())
        .isNotEqualTo(V1ModelPipeline.load().cookie());
  }

  @Test
  void whatIsNoDeviceConfigIsRefused() throws IOException {
    Path absent = directory.resolve("absent.pb.bin");
    assertThatThrownBy(() -> TnaPipeline.load(absent))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(
            "device-config is " + absent + "; allowed: a file that can be read");
    String allowed =
        "; allowed: a stratum.barefoot.BfPipelineConfig with bfruntime_info and, of each profile,"
            + " context and binary, as ./sluice p4 --tna writes it";
    BfPipelineConfig whole = BfPipelineConfig.parseFrom(TnaDeviceConfig.pipeline().deviceConfig());
    ByteString[] contents = {
      ByteString.copyFromUtf8("not a message"),
      ByteString.EMPTY,
      whole.toBuilder().clearBfruntimeInfo().build().toByteString(),
      whole.toBuilder()
          .setProfiles(0, whole.getProfiles(0).toBuilder().clearBinary())
          .build()
          .toByteString(),
      whole.toBuilder()
          .setProfiles(0, whole.getProfiles(0).toBuilder().clearContext())
          .build()
          .toByteString()
    };
    for (ByteString content : contents) {
      Path file = Files.write(directory.resolve("other.pb.bin"), content.toByteArray());
      assertThatThrownBy(() -> TnaPipeline.load(file))
          .hasMessage("device-config is " + file + allowed);
    }
  }
}
