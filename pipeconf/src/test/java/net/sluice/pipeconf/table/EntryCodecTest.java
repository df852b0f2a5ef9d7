package net.sluice.pipeconf.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.p4info.SerializableEnums;
import net.sluice.pipeconf.testing.SampleEntries;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Entries on the wire, octet for octet, and what is refused in both directions. */
class EntryCodecTest {
  private static final Set<Table> METERED =
      Set.of(Table.SUBSCRIBER_METER, Table.TREE_METER, Table.PORT_METER, Table.UNKNOWN_METER);

  private final EntryCodec codec = V1ModelPipeline.load().entries();

  @Test
  void samplesLookLikeTheGoldenFile() throws IOException {
    StringBuilder text = new StringBuilder();
    for (SwitchEntry entry : SampleEntries.all()) {
      text.append("# ").append(entry).append('\n');
      text.append(TextFormat.printer().printToString(codec.encode(entry))).append('\n');
    }
    String golden;
    try (var in = EntryCodecTest.class.getResourceAsStream("entries.golden.txt")) {
      golden = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String actual = withNames(text.toString());
    // To be compared, and taken over when a change is meant.
    Files.writeString(Path.of("target/entries.golden.txt"), actual);
    assertThat(actual).isEqualTo(golden);
  }

  /** Ids are p4c's hashes of names, which say more. */
  private static String withNames(String text) {
    Map<String, String> names = new HashMap<>();
    P4Info info = V1ModelPipeline.load().p4Info();
    Stream.concat(
            info.getTablesList().stream().map(p4.config.v1.P4InfoOuterClass.Table::getPreamble),
            info.getActionsList().stream().map(Action::getPreamble))
        .forEach(p -> names.put(Integer.toString(p.getId()), p.getAlias()));
    return Pattern.compile("(?<=(table|action)_id: )\\d+")
        .matcher(text)
        .replaceAll(id -> names.get(id.group()));
  }

  @Test
  void samplesCoverEveryTable() {
    assertThat(SampleEntries.all().stream().map(SwitchEntry::table).distinct())
        .containsExactlyInAnyOrderElementsOf(codec.tables());
  }

  @Test
  void matchingEverythingIsAnOmittedMatch() {
    SwitchEntry all = new RouteEntry(IpPrefix.parse("::/0"), 1);
    SwitchEntry anyRate = new RateBinEntry(5, 0, 0xffff_ffffL);

    assertThat(codec.encode(all).getMatchList()).isEmpty();
    assertThat(codec.encode(anyRate).getMatchList()).isEmpty();
    assertThat(codec.decode(codec.encode(all))).isEqualTo(new DecodedEntry.Known(all));
    assertThat(codec.decode(codec.encode(anyRate))).isEqualTo(new DecodedEntry.Known(anyRate));
  }

  @Test
  void deletesCarryTheMatchOnly() {
    SwitchEntry entry = SampleEntries.all().get(0);

    Update insert = codec.update(Op.INSERT, entry);
    Update modify = codec.update(new Write<>(Op.MODIFY, entry, OwnerIds.NONE));
    Update delete = codec.update(Op.DELETE, entry);

    assertThat(insert.getType()).isEqualTo(Update.Type.INSERT);
    assertThat(insert.getEntity().getTableEntry()).isEqualTo(codec.encode(entry));
    assertThat(modify.getType()).isEqualTo(Update.Type.MODIFY);
    assertThat(modify.getEntity()).isEqualTo(insert.getEntity());
    assertThat(delete.getType()).isEqualTo(Update.Type.DELETE);
    assertThat(delete.getEntity().getTableEntry().hasAction()).isFalse();
    assertThat(delete.getEntity().getTableEntry())
        .isEqualTo(codec.encode(entry).toBuilder().clearAction().build());
    assertThat(codec.readOne(entry)).isEqualTo(delete.getEntity());
  }

  @Test
  void readAllNamesTheTableAndAsksForMeters() {
    for (Table table : codec.tables()) {
      TableEntry.Builder request = TableEntry.newBuilder().setTableId(codec.tableIds(table).get(0));
      if (METERED.contains(table)) {
        request.setMeterConfig(MeterConfig.getDefaultInstance());
      }
      assertThat(codec.readAll(table))
          .extracting(Entity::getTableEntry)
          .containsExactly(request.build());
    }
    Set<Table> others = Set.of(Table.MIRROR, Table.AGGREGATE, Table.FLOW_WEIGHT, Table.QUEUE_RIO);
    assertThat(codec.tables().stream().map(codec::tableIds).distinct())
        .hasSize(Table.values().length - others.size());
  }

  @Test
  void entriesOfTheProgramWithAggregatesAreReadAsWritten() {
    EntryCodec aggregates = CompiledProgram.AGGREGATE.entries();
    for (SwitchEntry entry : SampleEntries.of(CompiledProgram.AGGREGATE)) {
      assertThat(aggregates.decode(aggregates.encode(entry)))
          .isEqualTo(new DecodedEntry.Known(entry));
    }
    assertThat(aggregates.tables()).isEqualTo(EnumSet.complementOf(EnumSet.of(Table.MIRROR)));
  }

  @Test
  void meteredEntriesCarryOneRateInBytesAndOneBurst() {
    SwitchEntry entry =
        new TreeMeterEntry(
            new Attachment(5, 42),
            Direction.UP,
            Optional.of(new MeterSetting(25_000_000, 312_500)));
    TableEntry encoded = codec.encode(entry);

    assertThat(encoded.getMeterConfig())
        .isEqualTo(
            MeterConfig.newBuilder()
                .setCir(3_125_000)
                .setCburst(312_500)
                .setPir(3_125_000)
                .setPburst(312_500)
                .build());
    assertThat(codec.encodeKey(entry).hasMeterConfig()).isFalse();
    assertThat(codec.readOne(entry).getTableEntry())
        .isEqualTo(
            codec.encodeKey(entry).toBuilder()
                .setMeterConfig(MeterConfig.getDefaultInstance())
                .build());
    TableEntry.Builder yellow = encoded.toBuilder();
    yellow.getMeterConfigBuilder().setCir(1);
    assertThat(codec.decode(yellow.build()))
        .isEqualTo(
            new DecodedEntry.Malformed(
                Entity.newBuilder().setTableEntry(yellow).build(),
                "its meter has cir 1, cburst 312500, pir 3125000 and pburst 312500 instead of one"
                    + " rate and one burst"));
    assertThat(codec.decode(encoded.toBuilder().clearMeterConfig().build()))
        .isEqualTo(
            new DecodedEntry.Known(
                new TreeMeterEntry(new Attachment(5, 42), Direction.UP, Optional.empty())));
    assertRefused(
        new PortMeterEntry(0, Direction.UP, Optional.of(new MeterSetting(9, 1))),
        "rateBps is 9; allowed: a multiple of 8, 0 or more");
    assertRefused(
        new PortMeterEntry(0, Direction.UP, Optional.of(new MeterSetting(8, -1))),
        "burstBytes is -1; allowed: 0 or more");
  }

  @Test
  void valuesThatDoNotFitAreRefusedAndNotTruncated() {
    IpPrefix host = IpPrefix.parse("10.0.0.1/32");
    assertRefused(
        new SubscriberPrefixEntry(host, new SubscriberData(1 << 20, 1, 1, 0, false, false)),
        "subscriberIndex is 1048576; allowed: 0 to 1048575");
    assertRefused(
        new SubscriberPrefixEntry(host, new SubscriberData(1, 256, 1, 0, false, false)),
        "policySlot is 256; allowed: 0 to 255");
    assertRefused(
        new SubscriberPrefixEntry(host, new SubscriberData(1, 1, 1, 1 << 18, false, false)),
        "queueId is 262144; allowed: 0 to 262143");
    assertRefused(
        new SubscriberPrefixEntry(host, new SubscriberData(1, 1, 1, -1, false, false)),
        "queueId is -1; allowed: 0 to 262143");
    assertRefused(
        new PortRoleEntry(512, PortRole.CORE, Direction.DOWN), "port is 512; allowed: 0 to 511");
    assertRefused(
        new RateBinEntry(1, 7, 6), "rate is 7..6; allowed: a range within 0 to 4294967295");
    assertRefused(
        new RateBinEntry(1, 7, 1L << 32),
        "rate is 7..4294967296; allowed: a range within 0 to 4294967295");
  }

  private void assertRefused(SwitchEntry entry, String message) {
    assertThatThrownBy(() -> codec.encode(entry))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(message);
  }

  @Test
  void otherTablesAreForeign() {
    int constantId =
        V1ModelPipeline.load().p4Info().getTablesList().stream()
            .filter(p4.config.v1.P4InfoOuterClass.Table::getIsConstTable)
            .findAny()
            .orElseThrow()
            .getPreamble()
            .getId();
    TableEntry constant = TableEntry.newBuilder().setTableId(constantId).build();
    TableEntry unknown = TableEntry.newBuilder().setTableId(1).build();

    assertThat(codec.decode(constant)).isEqualTo(new DecodedEntry.Foreign(entity(constant)));
    assertThat(codec.decode(unknown)).isEqualTo(new DecodedEntry.Foreign(entity(unknown)));
  }

  @Test
  void leadingZerosOfOlderServersAreRead() {
    SwitchEntry entry = new PortRoleEntry(3, PortRole.CORE, Direction.DOWN);
    TableEntry.Builder padded = codec.encode(entry).toBuilder();
    padded.getMatchBuilder(0).getExactBuilder().setValue(ByteString.copyFrom(new byte[] {0, 3}));

    assertThat(codec.decode(padded.build())).isEqualTo(new DecodedEntry.Known(entry));
  }

  @Test
  void malformedEntriesSayWhatIsWrong() {
    List<String> reasons = new ArrayList<>();
    TableEntry role = codec.encode(new PortRoleEntry(3, PortRole.CORE, Direction.DOWN));
    TableEntry route = codec.encode(new RouteEntry(IpPrefix.parse("10.0.0.0/8"), 4));
    TableEntry rate = codec.encode(new RateBinEntry(2, 10, 20));
    TableEntry tags = codec.encode(SampleEntries.all().get(7));
    TableEntry threshold = codec.encode(SampleEntries.all().get(24));
    TableEntry vlan = codec.encode(SampleEntries.all().get(5));

    reasons.add(reason(role.toBuilder().setPriority(7)));
    reasons.add(reason(rate.toBuilder().setPriority(7)));
    reasons.add(reason(role.toBuilder().setIsDefaultAction(true)));
    reasons.add(reason(role.toBuilder().clearAction()));
    reasons.add(reason(role.toBuilder().clearMatch()));
    reasons.add(reason(role.toBuilder().addMatch(role.getMatch(0))));
    reasons.add(reason(role.toBuilder().setAction(route.getAction())));
    reasons.add(reason(edit(role, b -> b.getActionBuilder().getActionBuilder().removeParams(1))));
    reasons.add(reason(edit(role, b -> param(b, 0, 4))));
    reasons.add(reason(edit(role, b -> param(b, 1, 2))));
    reasons.add(
        reason(
            edit(
                role,
                b -> b.getActionBuilder().getActionBuilder().getParamsBuilder(1).setParamId(1))));
    reasons.add(reason(edit(role, b -> exact(b, 0, ByteString.EMPTY))));
    reasons.add(reason(edit(role, b -> exact(b, 0, CanonicalBytes.of(512)))));
    reasons.add(reason(role.toBuilder().setMatch(0, route.getMatch(0).toBuilder().setFieldId(1))));
    reasons.add(reason(route.toBuilder().setMatch(0, role.getMatch(0))));
    reasons.add(reason(edit(route, b -> b.getMatchBuilder(0).getLpmBuilder().setPrefixLen(33))));
    reasons.add(
        reason(
            edit(
                route, b -> b.getMatchBuilder(0).getLpmBuilder().setValue(CanonicalBytes.of(10)))));
    reasons.add(
        reason(
            edit(
                route,
                b -> b.getMatchBuilder(0).getLpmBuilder().setValue(CanonicalBytes.of(1L << 32)))));
    reasons.add(
        reason(
            edit(rate, b -> b.getMatchBuilder(0).getRangeBuilder().setLow(CanonicalBytes.of(21)))));
    reasons.add(
        reason(
            edit(
                rate,
                b -> b.getMatchBuilder(0).getRangeBuilder().setHigh(CanonicalBytes.of(1L << 32)))));
    reasons.add(reason(rate.toBuilder().setMatch(0, role.getMatch(0))));
    reasons.add(reason(edit(tags, b -> param(b, 1, 0))));
    reasons.add(reason(edit(tags, b -> param(b, 0, 4095))));
    reasons.add(reason(edit(threshold, b -> param(b, 0, SerializableEnums.GAIN_NONE))));
    reasons.add(reason(edit(vlan, b -> exact(b, 1, CanonicalBytes.of(0)))));

    assertThat(reasons.stream().map(r -> r.replaceAll("\\d{8}", "*")).collect(Collectors.toList()))
        .containsExactly(
            "its priority is 7 instead of 0",
            "its priority is 7 instead of 1",
            "it is a default action",
            "it has no action",
            "it matches 0 fields instead of 1",
            "it matches 2 fields instead of 1",
            "its action * is not *",
            "its action has 2 parameters instead of 3",
            "role 4 is unknown",
            "direction is not a number of 1 bits",
            "no direction",
            "port is not a number of 9 bits",
            "port is not a number of 9 bits",
            "no exact match on port",
            "no longest-prefix match on prefix",
            "prefix length is 33; allowed: 0 to 32",
            "prefix is 0.0.0.10/8; allowed: no bit set beyond the prefix length, e.g. 0.0.0.0/8",
            "prefix is no address of 32 bits",
            "rate 21..20 is empty",
            "rate is not a number of 32 bits",
            "no range match on rate",
            "its action is not that of cVlan 0",
            "sVlan is 4095; allowed: 1 to 4094",
            "gain 0 is unknown",
            "sVlan is 0; allowed: 1 to 4094");
  }

  private interface Edit {
    void apply(TableEntry.Builder entry);
  }

  private static TableEntry.Builder edit(TableEntry entry, Edit edit) {
    TableEntry.Builder builder = entry.toBuilder();
    edit.apply(builder);
    return builder;
  }

  private static void param(TableEntry.Builder entry, int place, long value) {
    entry
        .getActionBuilder()
        .getActionBuilder()
        .getParamsBuilder(place)
        .setValue(CanonicalBytes.of(value));
  }

  private static void exact(TableEntry.Builder entry, int place, ByteString value) {
    entry.getMatchBuilder(place).getExactBuilder().setValue(value);
  }

  private String reason(TableEntry.Builder builder) {
    TableEntry entry = builder.build();
    DecodedEntry decoded = codec.decode(entry);
    assertThat(decoded).isInstanceOf(DecodedEntry.Malformed.class);
    DecodedEntry.Malformed malformed = (DecodedEntry.Malformed) decoded;
    assertThat(malformed.entity()).isEqualTo(entity(entry));
    return malformed.reason();
  }

  private static Entity entity(TableEntry entry) {
    return Entity.newBuilder().setTableEntry(entry).build();
  }
}
