package net.sluice.pipeconf.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.testing.SampleEntries;
import net.sluice.pipeconf.testing.UpdateText;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries of the program for TNA where it differs, and what is refused in both directions. */
class TnaEntriesTest {
  private static final EntryCodec CODEC = CompiledProgram.TNA.entries();
  private static final VlanTags TAGS = VlanTags.pair(100, 7);
  private static final IpPrefix HOST = IpPrefix.parse("10.0.0.1/32");

  @Test
  void samplesLookLikeTheGoldenFile() throws IOException {
    UpdateText text = new UpdateText(CompiledProgram.TNA.descriptor());
    String actual =
        SampleEntries.of(CompiledProgram.TNA).stream()
            .map(entry -> entry + "\n  " + text.of(CODEC.encode(entry)) + "\n")
            .collect(Collectors.joining());
    Path golden = Path.of("src/test/resources/net/sluice/pipeconf/table/tna-entries.golden.txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(golden));
  }

  @Test
  void samplesCoverEveryTableThatItHas() {
    Set<Table> all = EnumSet.allOf(Table.class);
    all.remove(Table.QUEUE_AQM);
    all.remove(Table.MIRROR);
    all.removeAll(Set.of(Table.SUBSCRIBER_METER, Table.TREE_METER, Table.PORT_METER));
    all.removeAll(Set.of(Table.WIRE, Table.UNKNOWN_POLICY, Table.UNKNOWN_METER));
    all.removeAll(Set.of(Table.NEIGHBOUR4, Table.NEIGHBOUR6, Table.NEXT_HOP, Table.ERROR_REPORT));
    all.removeAll(
        Set.of(Table.SUBSCRIBER_LIMIT, Table.TREE_LIMIT, Table.PORT_LIMIT, Table.LOOP_PORT));
    all.removeAll(
        Set.of(
            Table.AGGREGATE,
            Table.FLOW_WEIGHT,
            Table.QUEUE_RIO,
            Table.DIRECTION_POLICY,
            Table.TRAFFIC_CLASS,
            Table.POLICY_DELAY,
            Table.POLICY_FLOWS));
    assertThat(SampleEntries.of(CompiledProgram.TNA).stream().map(SwitchEntry::table).distinct())
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(CODEC.readAll(Table.QUEUE_AQM)).isEmpty();
    assertThat(CODEC.size(Table.QUEUE_AQM)).isZero();
    assertThat(CODEC.readAll(Table.IPV4_PREFIX)).hasSize(7);
    assertThat(CODEC.size(Table.IPV4_PREFIX)).isEqualTo(125_440);
    assertThat(CODEC.size(Table.IPV6_PREFIX)).isEqualTo(57_344);
  }

  @Test
  void whatTheProgramCannotSayIsRefused() {
    SubscriberData data = new SubscriberData(1, 2, 3, 0x2468, true, false);
    assertRefused(
        SampleEntries.all().stream().filter(e -> e.table() == Table.QUEUE_AQM).findAny().get(),
        "table is QUEUE_AQM; allowed: a table of the program");
    assertRefused(
        new SubscriberPrefixEntry(HOST, data),
        "table number of IPV4_PREFIX is -1; allowed: 0 to 6");
    assertRefused(
        new SubscriberPrefixEntry(HOST, OptionalInt.of(7), data),
        "table number of IPV4_PREFIX is 7; allowed: 0 to 6");
    assertRefused(
        new SubscriberPrefixEntry(HOST, OptionalInt.of(1), data),
        "subscriberIndex is 1; allowed: 17921 to 35840 in the table of instance 1");
    assertRefused(
        new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.0/31"), OptionalInt.of(0), data),
        "prefix is 10.0.0.0/31; allowed: IPv4 with length 32");
    assertRefused(
        new SubscriberPrefixEntry(IpPrefix.parse("2001:db8::/48"), OptionalInt.of(0), data),
        "prefix is 2001:db8::/48; allowed: IPv6 with length 56");
    assertRefused(new EncapsulationEntry(0, TAGS), "subscriberIndex is 0; allowed: 1 to 125440");
    assertRefused(
        new EncapsulationEntry(125_441, TAGS), "subscriberIndex is 125441; allowed: 1 to 125440");
    String block = "; allowed: 2^k numbers from a multiple of 2^k on, within 0 to 4294967295";
    assertRefused(new RateBinEntry(1, 0, 2), "rate is 0..2" + block);
    assertRefused(new RateBinEntry(1, 2, 5), "rate is 2..5" + block);
    assertRefused(new RateBinEntry(1, 0, (1L << 33) - 1), "rate is 0..8589934591" + block);
  }

  private static void assertRefused(SwitchEntry entry, String message) {
    assertThatThrownBy(() -> CODEC.encode(entry))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(message);
  }

  @Test
  void malformedEntriesSayWhatIsWrong() {
    TableEntry rate = CODEC.encode(new RateBinEntry(1, 8, 15));
    TableEntry host = CODEC.encode(SampleEntries.v4(CompiledProgram.TNA, 1, SampleEntries.ALICE));
    TableEntry tags = CODEC.encode(new EncapsulationEntry(1, TAGS));
    TableEntry role = CODEC.encode(new PortRoleEntry(3, PortRole.CORE, Direction.UP));
    assertThat(
            List.of(
                reason(rate.toBuilder().setPriority(2)),
                reason(ternary(rate, 8, 0xffff_fff0L)),
                reason(ternary(rate, 8, 0x7fff_fff8L)),
                reason(rate.toBuilder().setMatch(0, host.getMatch(0))),
                reason(host.toBuilder().setMatch(0, rate.getMatch(0))),
                reason(exact(tags, 0, 0)),
                reason(exact(tags, 0, 8)),
                reason(exact(tags, 1, 17_920)),
                reason(param(host, 0, 17_920)),
                reason(param(role, 0, 4))))
        .containsExactly(
            "its priority is 2 instead of 1",
            "rate 8 has bits beyond its mask",
            "rate has a mask of other than leading bits, 0x7ffffff8",
            "no ternary match on rate",
            "no exact match on prefix",
            "there is no instance 0",
            "there is no instance 8",
            "an instance has no subscriber 17920, only 0 to 17919",
            "an instance has no subscriber 17920, only 0 to 17919",
            "role 4 is unknown");
  }

  private static TableEntry.Builder ternary(TableEntry entry, long value, long mask) {
    TableEntry.Builder builder = entry.toBuilder();
    builder
        .getMatchBuilder(0)
        .getTernaryBuilder()
        .setValue(CanonicalBytes.of(value))
        .setMask(CanonicalBytes.of(mask));
    return builder;
  }

  private static TableEntry.Builder exact(TableEntry entry, int place, long value) {
    TableEntry.Builder builder = entry.toBuilder();
    ByteString bytes = CanonicalBytes.of(value);
    builder.getMatchBuilder(place).getExactBuilder().setValue(bytes);
    return builder;
  }

  private static TableEntry.Builder param(TableEntry entry, int place, long value) {
    TableEntry.Builder builder = entry.toBuilder();
    builder
        .getActionBuilder()
        .getActionBuilder()
        .getParamsBuilder(place)
        .setValue(CanonicalBytes.of(value));
    return builder;
  }

  private static String reason(TableEntry.Builder entry) {
    return ((DecodedEntry.Malformed) CODEC.decode(entry.build())).reason();
  }
}
