package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import net.sluice.intents.profile.FpgaProfile;
import org.junit.jupiter.api.Test;

class CoreIdentityTest {
  private static final int ID = 0x534c_5501;
  private static final int GEOMETRY = 1 << 16 | 3 << 8 | 18;
  private static final int TICK = 1_600 << 16 | 1_248;

  private static final FpgaProfile PROFILE = FpgaProfile.withClock(220e6);

  private static Optional<String> misfit(int id, int geometry, int tick, int clockKhz) {
    return CoreIdentity.of(id, geometry, tick, clockKhz).orElseThrow().misfit(PROFILE);
  }

  @Test
  void aCoreThatIsBuiltAsTheProfileSaysFits() {
    assertThat(misfit(ID, GEOMETRY, TICK, 220_000)).isEmpty();
    assertThat(CoreIdentity.of(ID, GEOMETRY, TICK, 156_250).orElseThrow().text())
        .isEqualTo("262144 queues, 3 scheduler levels, CoDel for each class, 156.25 MHz");
    assertThat(CoreIdentity.of(ID, GEOMETRY, TICK, 220_000).orElseThrow().text())
        .endsWith(" 220 MHz");
  }

  @Test
  void eachDifferenceThatWouldMakeRatesOrQueuesWrongIsNamed() {
    assertThat(misfit(ID + 1, 1 << 8 | 11, 1_500 << 16 | 1_000, 156_250))
        .contains(
            "the card is built otherwise than configured: its version of the register map: 2;"
                + " needed: 1; its scheduler levels: 1; needed: 3; it has 2048 queues; needed:"
                + " 262144; its clocks of a tick: 1000; needed: 1248; its tokens of an MTU: 1500;"
                + " needed: 1600; its clock in kHz: 156250; needed: 220000");
  }

  @Test
  void aSmallCoreIsEnoughForASmallProfile() {
    FpgaProfile small =
        new FpgaProfile(220e6, 1248, 18, 1, 4, 64, 8, 1600, 32_767, 2000, 256 * 1024);
    CoreIdentity core = CoreIdentity.of(ID, 3 << 8 | 11, TICK, 220_000).orElseThrow();
    assertThat(core.misfit(small)).isEmpty();
    FpgaProfile fiveTrees =
        new FpgaProfile(220e6, 1248, 18, 1, 5, 64, 8, 1600, 32_767, 2000, 256 * 1024);
    assertThat(core.misfit(fiveTrees)).isPresent();
  }

  @Test
  void aCoreTellsWhetherItManagesTheDelayOfEachCustomerOrClass() {
    assertThat(CoreIdentity.of(ID, 1 << 18 | GEOMETRY, TICK, 220_000).orElseThrow())
        .matches(CoreIdentity::customerDelays)
        .extracting(CoreIdentity::text)
        .isEqualTo("262144 queues, 3 scheduler levels, CoDel for each customer, 220 MHz");
    CoreIdentity without = CoreIdentity.of(ID, 3 << 8 | 18, TICK, 220_000).orElseThrow();
    assertThat(without.customerDelays()).isFalse();
    assertThat(without.text()).isEqualTo("262144 queues, 3 scheduler levels, 220 MHz");
    // Either is driven: without it customers have what their classes have.
    assertThat(without.misfit(PROFILE)).isEmpty();
  }

  @Test
  void aCoreWithoutSharesOfClassesIsRefusedWhereTheProfileHasThem() {
    FpgaProfile shares = PROFILE.withClassShares(true);
    CoreIdentity core = CoreIdentity.of(ID, GEOMETRY, TICK, 220_000).orElseThrow();
    assertThat(core.misfit(shares))
        .hasValue(
            "the card is built otherwise than configured: its classes have no priorities and"
                + " shares, which the profile has");
    assertThat(CoreIdentity.of(ID, 1 << 17 | GEOMETRY, TICK, 220_000).orElseThrow().misfit(shares))
        .isEmpty();
  }

  @Test
  void aCoreWithoutIdentificationIsTheOneOfThePaper() {
    assertThat(CoreIdentity.of(0xcafe_babe, 0xcafe_babe, 0xcafe_babe, 0xcafe_babe)).isEmpty();
  }

  @Test
  void aCoreWithoutIdentificationIsRefusedWhatThePapersHasNot() {
    assertThat(CoreIdentity.misfitOfUnidentified(PROFILE)).isEmpty();
    assertThat(
            CoreIdentity.misfitOfUnidentified(
                PROFILE.withCustomerBursts(true).withClassShares(true)))
        .hasValue(
            "the card has no identification registers, and a core without them has no priorities"
                + " and shares of classes, no bursts of customers, which is asked for");
  }

  @Test
  void whateverElseAnswersIsNoQueueingCore() {
    assertThatThrownBy(() -> CoreIdentity.of(0, 0, 0, 0))
        .isInstanceOf(RegisterBusException.class)
        .hasMessage(
            "no queueing core answers: its identification register reads 0x00000000; allowed:"
                + " 0x534c55.., or 0xcafebabe of a core without one");
  }
}
