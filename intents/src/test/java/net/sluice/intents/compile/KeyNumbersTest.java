package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

class KeyNumbersTest {
  private static final SubscriberData DATA = new SubscriberData(1, 1, 1, 0, false, false);

  @Test
  void nothingWaitsForWhatIsOfAnotherKey() {
    List<SwitchEntry> entries = new ArrayList<>(Network.compiler().baseEntries().toList());
    for (int i = 0; i < 2_000; i++) {
      VlanTags vlans = VlanTags.pair(1 + i / 64, 1 + i % 64);
      entries.add(new EncapsulationEntry(1 + i, vlans));
      entries.add(new PolicyValueEntry(1 + i / 1_000, i % 1_000, 5));
      entries.add(new SubscriberVlanEntry(i % 4, vlans, DATA));
      entries.add(new SubscriberVlanEntry(i % 4, VlanTags.single(1 + i), DATA));
      entries.add(new SubscriberPrefixEntry(IpPrefix.v4(0x0a000000 + i, 32), DATA));
      entries.add(new RouteEntry(IpPrefix.v4(0x0b000000 + i, 32), 1));
    }
    HashSet<Long> numbers = new HashSet<>();
    entries.forEach(entry -> numbers.add(entry.keyNumber()));
    assertThat(numbers).hasSameSizeAs(entries);
  }

  /** The numbers may change with what there is to tell apart, but not from one run to the next. */
  @Test
  void aKeyHasTheSameNumberInEveryProcess() {
    assertThat(new EncapsulationEntry(7, VlanTags.single(1)).keyNumber())
        .isEqualTo(-772101381263225858L);
    assertThat(new RouteEntry(IpPrefix.parse("10.0.0.0/8"), 1).keyNumber())
        .isEqualTo(-8775798734043601070L);
    assertThat(new SidecarEntry(Direction.UP, 4).keyNumber()).isEqualTo(5281043949419853657L);
  }
}
