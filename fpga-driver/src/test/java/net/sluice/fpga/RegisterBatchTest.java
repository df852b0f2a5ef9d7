package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;

/** Valid batches, and the refusal of others. */
class RegisterBatchTest {
  @Test
  void keepsTheOrder() {
    RegisterBatch batch =
        RegisterBatch.builder().write(0x10, 7).read(0x14).write(0x3fffffc, -1).build();

    assertThat(batch.size()).isEqualTo(3);
    assertThat(batch.readCount()).isEqualTo(1);
    assertThat(batch.isWrite(0)).isTrue();
    assertThat(batch.address(0)).isEqualTo(0x10);
    assertThat(batch.value(0)).isEqualTo(7);
    assertThat(batch.isWrite(1)).isFalse();
    assertThat(batch.address(1)).isEqualTo(0x14);
    assertThat(batch.address(2)).isEqualTo(0x3fffffc);
    assertThat(batch.value(2)).isEqualTo(-1);
  }

  @Test
  void wrongAddressesAreRefusedAndLeaveTheBuilderAsItWas() {
    RegisterBatch.Builder builder = RegisterBatch.builder().read(0);

    assertThatThrownBy(() -> builder.write(0x12, 1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("register address is 0x00000012; allowed: multiples of 4 below 0x04000000");
    assertThatThrownBy(() -> builder.write(0x0400_0000, 1))
        .hasMessage("register address is 0x04000000; allowed: multiples of 4 below 0x04000000");
    assertThatThrownBy(() -> builder.read(-4))
        .hasMessage("register address is 0xfffffffc; allowed: multiples of 4 below 0x04000000");

    RegisterBatch batch = builder.read(8).build();
    assertThat(batch.size()).isEqualTo(2);
    assertThat(batch.readCount()).isEqualTo(2);
    assertThat(batch.isWrite(1)).isFalse();
  }

  @Test
  void aFullBatchTakesNoMore() {
    RegisterBatch.Builder builder = RegisterBatch.builder();
    for (int i = 0; i < RegisterBatch.MAX_OPERATIONS - 2; i++) {
      builder.write(4 * i, i);
    }
    assertThatThrownBy(() -> builder.readCounter(0))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("batch size is 65535; allowed: at most 65536");
    assertThat(builder.size()).isEqualTo(RegisterBatch.MAX_OPERATIONS - 2);

    builder.read(0).read(0);
    assertThatThrownBy(() -> builder.write(0, 0))
        .hasMessage("batch size is 65537; allowed: at most 65536");
    assertThat(builder.build().size()).isEqualTo(RegisterBatch.MAX_OPERATIONS);
    assertThat(builder.build().isWrite(RegisterBatch.MAX_OPERATIONS)).isFalse();
  }

  @Test
  void aBuiltBatchDoesNotChange() {
    RegisterBatch.Builder builder = RegisterBatch.builder().write(0, 1);
    RegisterBatch batch = builder.build();
    builder.write(4, 2);

    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.isWrite(1)).isFalse();
  }

  @Test
  void unknownQueuesHaveNoCounters() {
    assertThatThrownBy(() -> RegisterBatch.builder().readCounter(1 << 18))
        .hasMessage("queue id is 262144; allowed: 0 to 262143");
  }
}
