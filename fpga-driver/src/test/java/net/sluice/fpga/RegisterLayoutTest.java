package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;

/** Addresses and fields against the published register map. */
class RegisterLayoutTest {
  @Provide
  Arbitrary<FpgaSetting> settings() {
    return Settings.any();
  }

  @Test
  void addressesAreThoseOfTheMap() {
    assertAddress(new QueueDepth(Direction.UP, 0, 128), 0x0000_0000);
    assertAddress(new QueueDepth(Direction.UP, 7, 128), 0x0000_001c);
    assertAddress(new RateWord(Direction.UP, FpgaLevel.CUSTOMER, 0, 1), 0x0120_0000);
    assertAddress(new RateWord(Direction.UP, FpgaLevel.CUSTOMER, 32_767, 1), 0x0121_fffc);
    assertAddress(new RateWord(Direction.UP, FpgaLevel.TREE, 511, 1), 0x0140_07fc);
    assertAddress(new RateWord(Direction.UP, FpgaLevel.PORT, 7, 1), 0x0160_001c);
    assertAddress(new BucketSize(Direction.UP, FpgaLevel.CUSTOMER, 2000), 0x0127_fffc);
    assertAddress(new BucketSize(Direction.UP, FpgaLevel.TREE, 2000), 0x0147_fffc);
    assertAddress(new BucketSize(Direction.UP, FpgaLevel.PORT, 2000), 0x0167_fffc);
  }

  private static void assertAddress(FpgaSetting setting, int address) {
    assertThat(RegisterLayout.address(setting)).as("%s", setting).isEqualTo(address);
  }

  @Test
  void everyRegisterHasAnAddressOfItsOwn() {
    Set<Integer> addresses = new HashSet<>();
    for (FpgaLevel level : FpgaLevel.values()) {
      for (int i = 0; i < RegisterLayout.buckets(level); i++) {
        addresses.add(RegisterLayout.address(new RateWord(Direction.DOWN, level, i, 0)));
      }
      addresses.add(RegisterLayout.address(new BucketSize(Direction.DOWN, level, 0)));
    }
    for (int i = 0; i < 8; i++) {
      addresses.add(RegisterLayout.address(new QueueDepth(Direction.DOWN, i, 0)));
    }
    assertThat(addresses)
        .hasSize(32_768 + 512 + 8 + 3 + 8)
        .allMatch(address -> RegisterBatch.addressFault(address) == null);
  }

  @Test
  void holdsWhatTheProfilePromises() {
    FpgaProfile profile = FpgaProfile.withClock(156.25e6);

    for (FpgaLevel level : FpgaLevel.values()) {
      assertThat(RegisterLayout.buckets(level)).isEqualTo(profile.buckets(level));
    }
    assertThat(RegisterLayout.MAX_RATE_WORD).isEqualTo(profile.maxRateWord());
    assertThat(RegisterLayout.MAX_BUCKET_BYTES).isEqualTo(profile.maxBurstBytes());
  }

  @Property(tries = 5000, seed = "1")
  void wordsReadBackAsTheValuesWritten(@ForAll("settings") FpgaSetting setting) {
    assertThat(RegisterLayout.value(setting, RegisterLayout.word(setting)))
        .isEqualTo(setting.value());
  }

  @Test
  void whatNoRegisterHoldsIsRefused() {
    assertRefused(
        new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, 32_768, 1),
        "customer index is 32768; allowed: 0 to 32767");
    assertRefused(
        new RateWord(Direction.DOWN, FpgaLevel.TREE, 512, 1),
        "tree index is 512; allowed: 0 to 511");
    assertRefused(
        new RateWord(Direction.DOWN, FpgaLevel.PORT, -1, 1), "port index is -1; allowed: 0 to 7");
    assertRefused(
        new RateWord(Direction.DOWN, FpgaLevel.PORT, 0, 1 << 18),
        "rate word is 262144; allowed: 0 to 262143");
    assertRefused(
        new BucketSize(Direction.DOWN, FpgaLevel.TREE, 32_768),
        "bucket size is 32768; allowed: 0 to 32767");
    assertRefused(
        new CustomerBurst(Direction.DOWN, 0, 32_768), "bucket size is 32768; allowed: 0 to 32767");
    assertRefused(
        new CustomerBurst(Direction.DOWN, 32_768, 2_000),
        "customer index is 32768; allowed: 0 to 32767");
    assertRefused(new QueueDepth(Direction.DOWN, 8, 128), "queue class is 8; allowed: 0 to 7");
    assertRefused(
        new QueueDepth(Direction.DOWN, 0, 132), "queue depth is 132; allowed: a multiple of 8");
    assertRefused(
        new QueueDepth(Direction.DOWN, 0, 1 << 24),
        "queue depth is 16777216; allowed: 0 to 16777208");
  }

  private static void assertRefused(FpgaSetting setting, String message) {
    assertThatThrownBy(
            () ->
                RegisterBatch.builder()
                    .write(RegisterLayout.address(setting), RegisterLayout.word(setting)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(message);
  }

  @Property(seed = "1")
  void queueIdsAreReadBack(@ForAll @IntRange(min = 0, max = (1 << 18) - 1) int id) {
    FpgaQueue queue = FpgaQueue.of(id);

    assertThat(queue.id()).isEqualTo(id);
    assertThat(QueueId.of(queue.port(), queue.tree(), queue.customer()) | queue.queueClass())
        .isEqualTo(id);
  }

  @Test
  void queuesThatDoNotExistAreRefused() {
    assertThatThrownBy(() -> FpgaQueue.of(1 << 18))
        .hasMessage("queue id is 262144; allowed: 0 to 262143");
    assertThatThrownBy(() -> FpgaQueue.of(-1)).isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> new FpgaQueue(8, 0, 0, 0)).hasMessage("port is 8; allowed: 0 to 7");
    assertThatThrownBy(() -> new FpgaQueue(0, 64, 0, 0)).hasMessage("tree is 64; allowed: 0 to 63");
    assertThatThrownBy(() -> new FpgaQueue(0, 0, 64, 0))
        .hasMessage("customer is 64; allowed: 0 to 63");
    assertThatThrownBy(() -> new FpgaQueue(0, 0, 0, 8)).hasMessage("class is 8; allowed: 0 to 7");
  }

  @Property(seed = "1")
  void countersAre27BitsOfPacketsAbove37OfBytes(
      @ForAll @IntRange(min = 0, max = (1 << 27) - 1) int packets,
      @ForAll @LongRange(min = 0, max = (1L << 37) - 1) long bytes) {
    long word = packets * (1L << 37) + bytes;

    assertThat(CounterWord.of((int) word, (int) (word >> 32)))
        .isEqualTo(new CounterWord(packets, bytes));
  }

  @Property(seed = "1")
  void countersAreComparedAcrossTheirWrap(
      @ForAll @IntRange(min = 0, max = (1 << 27) - 1) int packets,
      @ForAll @LongRange(min = 0, max = (1L << 37) - 1) long bytes,
      @ForAll @IntRange(min = 0, max = (1 << 27) - 1) int morePackets,
      @ForAll @LongRange(min = 0, max = (1L << 37) - 1) long moreBytes) {
    CounterWord earlier = new CounterWord(packets, bytes);
    CounterWord later =
        new CounterWord((packets + morePackets) % (1 << 27), (bytes + moreBytes) % (1L << 37));

    assertThat(later.packetsSince(earlier)).isEqualTo(morePackets);
    assertThat(later.bytesSince(earlier)).isEqualTo(moreBytes);
  }
}
