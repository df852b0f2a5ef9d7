package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Paper 000, section VI: a million subscribers on a switch of four pipes of seven instances. */
class PlacementScaleTest {
  private static final int SUBSCRIBERS = 1_000_000;
  private static final MarkerLayout MARKERS =
      new MarkerLayout(4, 128, 7, 35_840, OptionalInt.of(35_840), OptionalInt.empty());

  /** BNG ports 0 to 7 on two switch ports of each pipe. */
  private static Topology topology() {
    List<SwitchPort> ports =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    new SwitchPort(
                        64 * i, PortRole.ACCESS, Direction.UP, 100_000_000_000L, 1, 2, false, true))
            .toList();
    return new Topology(
        ports,
        Map.of(0, 0, 1, 64, 2, 128, 3, 192, 4, 256, 5, 320, 6, 384, 7, 448),
        OptionalInt.empty(),
        OptionalInt.empty(),
        List.of());
  }

  @Tag("long")
  @Test
  void aMillionAreSpreadEvenly() throws Refusal {
    SwitchProfile profile =
        new SwitchProfile(
            MARKERS,
            PrefixLengths.ANY,
            MARKERS.capacity(),
            0,
            0,
            0,
            64,
            42.306,
            32,
            OptionalInt.empty(),
            100e9,
            RandomRates.BITS_16);
    Compiler compiler = new Compiler(topology(), profile, TestNetwork.fpgaProfile());
    CompactSlaState state = CompactSlaState.load(new InMemoryIntentStore(), compiler);
    state.apply(compiler.compile(state, TestNetwork.policy("gold", BuiltInFunction.GOLD)));
    for (int i = 0; i < SUBSCRIBERS; i++) {
      state.apply(compiler.compile(state, put(i)));
      state.committed();
    }
    for (int instance = 0; instance < MARKERS.allInstances(); instance++) {
      assertThat(state.subscribersIn(instance)).isBetween(35_714, 35_715);
      assertThat(state.prefixesIn(Family.V4, instance)).isEqualTo(state.subscribersIn(instance));
    }
    assertThat(state.bytes() / SUBSCRIBERS).isLessThan(150);
  }

  private static Change put(int i) {
    return new Change.Put(
        new Subscriber(
            "sub-" + i,
            "gold",
            List.of(IpPrefix.v4(0x0a000000 + i, 32)),
            Optional.empty(),
            new Attachment(i % 8, i / 8 % 64)));
  }
}
