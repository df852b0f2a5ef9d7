package net.sluice.intents.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import net.sluice.intents.model.policy.Aqm.CoDel;
import org.junit.jupiter.api.Test;

class AqmTest {
  private static CoDel act(long targetMicros, long intervalMicros) {
    return new CoDel(AqmKind.CODEL_ACT, targetMicros, intervalMicros, false);
  }

  @Test
  void wordsOfTheApi() {
    assertThat(Aqm.NONE.text()).isEqualTo("none");
    assertThat(act(5_000, 100_000).text()).isEqualTo("codel-act 5000/100000 us");
    assertThat(new CoDel(AqmKind.RFC8289, 1, 5_000, true).text())
        .isEqualTo("rfc8289 1/5000 us with ecn");
    assertThat(AqmKind.texts(EnumSet.allOf(AqmKind.class)))
        .isEqualTo("codel-act, p4-codel, rfc8289");
  }

  @Test
  void mistakesOfRioAreNamed() {
    assertThat(new Aqm.Rio().text()).isEqualTo("rio in 15-30/0.02, out 5-15/0.2, at most 50");
    assertThatThrownBy(() -> new Aqm.RioCurve(5, 5, 0.1))
        .hasMessage("minPackets is 5; allowed: 0 to less than maxPackets, 5");
    assertThatThrownBy(() -> new Aqm.RioCurve(5, 10_001, 0.1))
        .hasMessage("maxPackets is 10001; allowed: 1 to 10000");
    assertThatThrownBy(() -> new Aqm.RioCurve(5, 15, Double.NaN))
        .hasMessage("maxProbability is NaN; allowed: 0.01 to 1");
    assertThatThrownBy(() -> new Aqm.Rio(10, 0, 9, Aqm.RioCurve.IN, Aqm.RioCurve.OUT))
        .hasMessage("limitPackets is 0; allowed: 1 to 10000");
  }

  @Test
  void theLimitsAreWithin() {
    assertThat(act(1, 5_000).targetMicros()).isEqualTo(1);
    assertThat(act(1_000_000, 1_000_000).intervalMicros()).isEqualTo(1_000_000);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> act(0, 100_000))
        .hasMessage("targetMicros is 0; allowed: 1 to 100000, the interval");
    assertThatThrownBy(() -> act(100_001, 100_000))
        .hasMessage("targetMicros is 100001; allowed: 1 to 100000, the interval");
    assertThatThrownBy(() -> act(5_000, 0))
        .hasMessage("intervalMicros is 0; allowed: 5000 to 1000000");
    assertThatThrownBy(() -> act(5_000, 1L << 32))
        .hasMessage("intervalMicros is 4294967296; allowed: 5000 to 1000000");
    assertThatThrownBy(() -> new CoDel(AqmKind.P4_CODEL, 5_000, 50_000, false))
        .hasMessage("intervalMicros is 50000; allowed: 100000, the only interval of p4-codel");
  }
}
