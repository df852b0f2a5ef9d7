package net.sluice.emulator.server.p4runtime.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MeterCells;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.MeterConfig;

/** A meter whose rates a MeterConfig cannot say is refused one, and read without one. */
class MeterRatesWriteTest {

  @Test
  void onlyTwoRatesCanBeWritten() throws RpcException {
    MeterConfig config = MeterConfig.newBuilder().setCir(1).setPir(2).build();
    MeterConfigs.check(config, new MeterCells("m", 1, true, 2), "meter 'm'");
    assertThatThrownBy(
            () -> MeterConfigs.check(config, new MeterCells("m", 1, true, 1), "an entry"))
        .hasMessageContaining(
            "an entry: meter 'm' has 1 rate in the device config; a config has two, so it cannot"
                + " be configured");
    MeterCells three = new MeterCells("m", 1, true, 3);
    assertThatThrownBy(() -> MeterConfigs.check(config, three, "an entry"))
        .hasMessageContaining("has 3 rates");
    three.configure(0, new long[] {1, 2, 3}, new long[] {1, 2, 3});
    assertThat(three.isConfigured(0)).isTrue();
    assertThat(MeterConfigs.read(three, 0)).isNull();
  }
}
