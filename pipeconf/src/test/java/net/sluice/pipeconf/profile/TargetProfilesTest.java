package net.sluice.pipeconf.profile;

import static net.sluice.intents.marker.csaqm.tables.RandomRates.BITS_16;
import static net.sluice.intents.marker.csaqm.tables.RandomRates.PAPER_8_BITS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.UnknownTraffic;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The profiles that come with the build, and what they allow. */
class TargetProfilesTest {
  @Test
  void everyFileIsListed() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of("src/main/resources/net/sluice/pipeconf/profile"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".profile", "")))
          .containsExactlyInAnyOrderElementsOf(TargetProfiles.names());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "emulator",
        "bmv2",
        "stratum-bmv2",
        "stratum-tofino",
        "stratum-tofino2",
        "alveo-u200"
      })
  void profilesAreShown(String name) {
    TargetProfile profile = TargetProfiles.load(name);
    assertThat(profile.name()).isEqualTo(name);
    Golden.check(name + ".txt", ProfileReport.text(profile));
    Golden.check(name + ".json", ProfileReport.json(profile));
  }

  @Test
  void unknownNamesAreRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> TargetProfiles.load("tofino"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "profile is tofino; allowed: emulator, bmv2, stratum-bmv2, stratum-tofino,"
                + " stratum-tofino2, emulator-aggregate, bmv2-aggregate, alveo-u200");
    assertThatThrownBy(() -> TargetProfiles.loadSwitch("alveo-u200"))
        .hasMessage(
            "profile is alveo-u200; allowed: a switch: emulator, bmv2, stratum-bmv2,"
                + " stratum-tofino, stratum-tofino2, emulator-aggregate, bmv2-aggregate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulator", "bmv2", "stratum-bmv2"})
  void softwareSwitchesHoldTheWholeProgram(String name) {
    SwitchProfile ofProgram = V1ModelPipeline.load().profile();
    SwitchTargetProfile ofSwitch = TargetProfiles.loadSwitch(name);
    AqmProfile aqm = ofProgram.aqm();
    assertThat(ofSwitch.limit(ofProgram))
        .isEqualTo(
            ofProgram
                .withAqm(new AqmProfile(aqm.kinds(), aqm.queues(), ofSwitch.queues().perPort()))
                .withShaping(
                    new ShapeProfile(
                        ofProgram.shaping().subscribers(), ofSwitch.shapingBufferBytes())));
    assertThat(TargetProfiles.loadSwitch(name).program()).contains(V1ModelPipeline.load().name());
  }

  @Test
  void aTofinoHoldsTheWholeProgramForIt() {
    SwitchProfile ofProgram = CompiledProgram.TNA.profile();
    SwitchTargetProfile tofino = TargetProfiles.loadSwitch("stratum-tofino");
    assertThat(tofino.limit(ofProgram)).isEqualTo(ofProgram);
    assertThat(tofino.program()).contains(CompiledProgram.TNA.programName());
    assertThat(tofino.tables().get(Table.QUEUE_AQM)).isZero();
  }

  /** What the program has no table for is refused before anything is written. */
  @Test
  void entriesOfATableThatTheProgramLacksAreRefused() {
    SwitchEntry queue = new QueueAqmEntry(128, 0, AqmKind.CODEL_ACT, 5_000, 100_000, false);
    assertThatThrownBy(
            () -> TargetProfiles.loadSwitch("stratum-tofino").admit(cabled(128), Stream.of(queue)))
        .hasMessage("table.queue-aqm is 1 entries; allowed: at most 0 on profile stratum-tofino");
  }

  /** For bins up to the rate that is measurable at most, and whatever is asked for below. */
  @Test
  void theBinsOfAnyRateFitATofino() {
    SwitchTargetProfile tofino = TargetProfiles.loadSwitch("stratum-tofino");
    FpgaProfile fpga = FpgaProfile.withClock(156_250_000);
    SwitchPipeline pipeline = TnaDeviceConfig.pipeline();
    for (double rate : new double[] {1e6, 1e9, 12e9, 100e9}) {
      SwitchProfile granted =
          SwitchAdmission.admit(tofino, pipeline, cabled(access(128)), rate, BITS_16, fpga);
      assertThat(granted.markers()).isEqualTo(pipeline.profile().markers());
      assertThat(granted.rateBins().entries().count()).isLessThanOrEqualTo(4_096);
    }
  }

  @Test
  void optionsOfPortsThatTheProgramForTofinoLacksAreRefused() {
    assertThatThrownBy(() -> admitOnTofino(trunk(136, true)))
        .hasMessage(
            "ports.priorityTag is true on port 136; allowed: false on profile stratum-tofino, whose"
                + " program adds no tags to them");
    admitOnTofino(access(128), trunk(136, false));
  }

  @Test
  void wiresAreRefusedWhereTheProgramHasNone() {
    SwitchPort core = new SwitchPort(136, PortRole.CORE, Direction.DOWN, 1, 1, 2, false, true);
    Topology wired = cabled(access(128), core).withWires(List.of(new Wire(128, 136)));
    assertThatThrownBy(
            () ->
                SwitchAdmission.admit(
                    TargetProfiles.loadSwitch("stratum-tofino"),
                    TnaDeviceConfig.pipeline(),
                    wired,
                    1e9,
                    BITS_16,
                    FpgaProfile.withClock(156_250_000)))
        .hasMessage("wires is 1; allowed: absent: the switch's program has none");
  }

  private static void admitOnTofino(SwitchPort... ports) {
    SwitchAdmission.admit(
        TargetProfiles.loadSwitch("stratum-tofino"),
        TnaDeviceConfig.pipeline(),
        cabled(ports),
        1e9,
        BITS_16,
        FpgaProfile.withClock(156_250_000));
  }

  private static SwitchPort trunk(int port, boolean priorityTag) {
    return new SwitchPort(
        port,
        PortRole.TRUNK,
        Direction.DOWN,
        1_000_000,
        1,
        2,
        true,
        true,
        Aqm.NONE,
        100,
        UnknownTraffic.DROP,
        priorityTag);
  }

  @Test
  void aSmallerSwitchLimitsTheProgram() {
    SwitchProfile limited = smaller().limit(V1ModelPipeline.load().profile());
    assertThat(limited.subscriberCapacity()).isEqualTo(1000);
    assertThat(limited.v4PrefixCapacity()).isEqualTo(2000);
    assertThat(limited.policySlots()).isEqualTo(4);
    assertThat(limited.v6PrefixCapacity())
        .as("the program's, which is smaller than the switch's")
        .isEqualTo(V1ModelPipeline.load().profile().v6PrefixCapacity());
    assertThat(limited.maxSubscriberRateBps()).isEqualTo(10e9);
  }

  @Test
  void aSwitchLimitsWhichQueuesItManages() {
    SwitchProfile ofProgram = V1ModelPipeline.load().profile();
    assertThat(ofProgram.aqm()).isEqualTo(new AqmProfile(Set.of(AqmKind.values()), 4096, 8));
    String few = changed("table.queue-aqm", "table.queue-aqm = 16");
    few = changed(few, "queue.per-port", "queue.per-port = 2");
    String act = changed(few, "aqm.kinds", "aqm.kinds = codel-act");
    assertThat(((SwitchTargetProfile) ProfileReader.read("emulator", act)).limit(ofProgram).aqm())
        .isEqualTo(new AqmProfile(Set.of(AqmKind.CODEL_ACT), 16, 2));
    String none = changed(few, "aqm.kinds", "");
    SwitchTargetProfile unmanaged = (SwitchTargetProfile) ProfileReader.read("emulator", none);
    assertThat(unmanaged.limit(ofProgram).aqm().kinds()).isEmpty();
    for (String tofino : List.of("stratum-tofino", "stratum-tofino2")) {
      assertThat(TargetProfiles.loadSwitch(tofino).aqmKinds()).isEmpty();
      assertThat(TargetProfiles.loadSwitch(tofino).tables()).containsEntry(Table.QUEUE_AQM, 0);
    }
  }

  @Test
  void mirroredPacketsNeedAPortOfTheSwitch() {
    SwitchTargetProfile emulator = TargetProfiles.loadSwitch("emulator");
    Topology topology = cabled(1);
    emulator.admit(mirrored(topology, 509), Stream.of());
    assertThatThrownBy(() -> emulator.admit(mirrored(topology, 68), Stream.of()))
        .hasMessage("mirrorPort is 68; allowed: ports of profile emulator: 1 to 64, 509, 510");
  }

  private static Topology mirrored(Topology topology, int port) {
    return new Topology(
        topology.ports(),
        topology.bngPorts(),
        topology.sidecarDown(),
        topology.sidecarUp(),
        topology.routes(),
        OptionalInt.of(port),
        List.of());
  }

  @Test
  void counterCellsBoundTheSubscribersToo() {
    SwitchTargetProfile few =
        (SwitchTargetProfile)
            ProfileReader.read("emulator", changed("counter.cells", "counter.cells = 202"));
    assertThat(few.countedMarkers().capacity()).isEqualTo(100);
  }

  @Test
  void instancesAreDividedAmongPipesByPort() {
    String two =
        changed(
            text("stratum-tofino2"),
            "marker.pipes",
            "marker.pipes = 4\nmarker.ports-per-pipe = 128\n"
                + "marker.ipv4-prefixes-per-instance = 35840\n"
                + "marker.ipv6-prefixes-per-instance = 8192");
    SwitchTargetProfile profile =
        (SwitchTargetProfile)
            ProfileReader.read(
                "stratum-tofino2", changed(two, "counter.cells", "counter.cells = 4296002"));
    MarkerLayout markers = profile.countedMarkers();
    assertThat(markers)
        .isEqualTo(
            new MarkerLayout(4, 128, 15, 35_800, OptionalInt.of(35_840), OptionalInt.of(8_192)));
    assertThat(markers.capacity()).isEqualTo(2_148_000);
    assertThat(profile.layout().ports())
        .allMatch(port -> markers.pipeOfPort(port.number().getAsInt()) < 4);
    // 15 instances of 4 pipes share what cells there are.
    SwitchTargetProfile fewer = (SwitchTargetProfile) ProfileReader.read("stratum-tofino2", two);
    assertThat(fewer.countedMarkers().capacity()).isEqualTo(60 * (537_000 / 60));
    SwitchTargetProfile alike = TargetProfiles.loadSwitch("stratum-tofino");
    assertThat(alike.countedMarkers().capacity()).isEqualTo(125_440);
    assertThat(alike.countedMarkers().pipeOfPort(128)).isZero();
    assertThat(markers.limitedTo(alike.countedMarkers()))
        .isEqualTo(
            new MarkerLayout(1, 128, 7, 17_920, OptionalInt.of(17_920), OptionalInt.of(8_192)));
  }

  @Test
  void aProfileWithoutProgramTakesNone() {
    assertThatThrownBy(
            () ->
                TargetProfiles.loadSwitch("stratum-tofino2")
                    .limit(V1ModelPipeline.load().profile()))
        .hasMessage(
            "profile is stratum-tofino2; allowed: a profile with a compiled program; there is none"
                + " for t2na yet");
  }

  @Test
  void portsThatTheSwitchDoesNotHaveAreRefused() {
    SwitchTargetProfile tofino = TargetProfiles.loadSwitch("stratum-tofino");
    tofino.admit(cabled(128), Stream.of());
    tofino.admit(cabled(131), Stream.of());
    assertThatThrownBy(() -> tofino.admit(cabled(192), Stream.of()))
        .hasMessageStartingWith(
            "ports.number is 192; allowed: ports of profile stratum-tofino: 0, 4, 8, 12,");
    SwitchTargetProfile tofino2 = TargetProfiles.loadSwitch("stratum-tofino2");
    tofino2.admit(cabled(136), Stream.of());
    tofino2.admit(cabled(455), Stream.of());
    assertThatThrownBy(() -> tofino2.admit(cabled(1), Stream.of()))
        .hasMessageStartingWith(
            "ports.number is 1; allowed: ports of profile stratum-tofino2: 8, 16, 24,");
    SwitchTargetProfile unnumbered =
        (SwitchTargetProfile)
            ProfileReader.read(
                "stratum-tofino2", text("stratum-tofino2").replaceAll(" device=\\d+", ""));
    assertThatThrownBy(() -> unnumbered.admit(cabled(1), Stream.of()))
        .hasMessage(
            "ports.number is 1; allowed: those that the switch tells; profile stratum-tofino2 does"
                + " not know them");
    assertThatThrownBy(() -> TargetProfiles.loadSwitch("emulator").admit(cabled(65), Stream.of()))
        .hasMessage("ports.number is 65; allowed: ports of profile emulator: 1 to 64, 509, 510");
  }

  /** Of 32 ports of eight lanes, each lane has a number of its own in one of four pipes. */
  @Test
  void theLanesOfTofino2AreNumberedApart() {
    SwitchTargetProfile tofino2 = TargetProfiles.loadSwitch("stratum-tofino2");
    List<Integer> lanes =
        tofino2.layout().ports().stream()
            .flatMap(
                port -> IntStream.range(0, 8).mapToObj(lane -> port.number().getAsInt() + lane))
            .toList();
    assertThat(lanes).hasSize(256).doesNotHaveDuplicates();
    assertThat(lanes).allMatch(number -> number < 512 && number % 128 >= 8 && number % 128 < 72);
  }

  @Test
  void aTableTooSmallForTheCablingIsRefusedBeforeAnythingIsWritten() {
    SwitchEntry v4 = new RouteEntry(IpPrefix.parse("0.0.0.0/0"), 1);
    SwitchEntry more = new RouteEntry(IpPrefix.parse("10.0.0.0/8"), 1);
    smaller().admit(cabled(1), Stream.of(v4));
    assertThatThrownBy(() -> smaller().admit(cabled(1), Stream.of(v4, more)))
        .hasMessage("table.ipv4-route is 2 entries; allowed: at most 1 on profile emulator");
  }

  @Test
  void admissionIsOfProgramRatePortsAndRoom() {
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    FpgaProfile fpga = FpgaProfile.withClock(156_250_000);
    SwitchProfile granted =
        SwitchAdmission.admit(smaller(), pipeline, cabled(1), 1e9, BITS_16, fpga);
    assertThat(granted.subscriberCapacity()).isEqualTo(1000);
    assertThat(granted.maxSubscriberRateBps()).isEqualTo(1e9);
    assertThatThrownBy(
            () -> SwitchAdmission.admit(smaller(), pipeline, cabled(1), 11e9, BITS_16, fpga))
        .hasMessage("max-subscriber-rate is 11G; allowed: at most 10G on profile emulator");
    assertThatThrownBy(
            () -> SwitchAdmission.admit(smaller(), pipeline, cabled(65), 1e9, BITS_16, fpga))
        .hasMessageStartingWith("ports.number is 65; allowed: ports of profile emulator: 1 to 64");
    SwitchTargetProfile bins = read("table.rate-bin", "table.rate-bin = 1000");
    assertThatThrownBy(() -> SwitchAdmission.admit(bins, pipeline, cabled(1), 1e9, BITS_16, fpga))
        .hasMessage("table.rate-bin is 1024 entries; allowed: at most 1000 on profile emulator");
    SwitchTargetProfile randoms = read("table.random-rate", "table.random-rate = 256");
    SwitchAdmission.admit(randoms, pipeline, cabled(1), 1e9, PAPER_8_BITS, fpga);
    assertThatThrownBy(
            () -> SwitchAdmission.admit(randoms, pipeline, cabled(1), 1e9, BITS_16, fpga))
        .hasMessage("table.random-rate is 676 entries; allowed: at most 256 on profile emulator");
    SwitchPipeline tna = TnaDeviceConfig.pipeline();
    assertThatThrownBy(() -> SwitchAdmission.admit(smaller(), tna, cabled(1), 1e9, BITS_16, fpga))
        .hasMessage("program is sluice-tna; allowed: sluice-v1model on profile emulator");
  }

  @Test
  void theMarkerResolvesWhatTheFastestPortCarriesUnlessARateIsAskedFor() {
    V1ModelPipeline pipeline = V1ModelPipeline.load();
    FpgaProfile fpga = FpgaProfile.withClock(156_250_000);
    Map<Long, Double> byPort = new TreeMap<>();
    for (long rateBps : new long[] {1, 25_000_000, 400_000_000_000L}) {
      SwitchPort core =
          new SwitchPort(2, PortRole.CORE, Direction.DOWN, rateBps, 1, 2, false, true);
      SwitchPort sidecar =
          new SwitchPort(3, PortRole.SIDECAR, Direction.UP, 100_000_000_000L, 1, 2, false, false);
      byPort.put(
          rateBps,
          SwitchAdmission.admit(
                  smaller(), pipeline, cabled(core, sidecar), MarkerSettings.DEFAULT, fpga)
              .maxSubscriberRateBps());
    }
    // The profile has 10 Gbit/s, and 1 Mbit/s is the least that there is.
    assertThat(byPort).isEqualTo(Map.of(1L, 1e6, 25_000_000L, 25e6, 400_000_000_000L, 1e10));
    MarkerSettings asked = new MarkerSettings(11_000_000_000L, BITS_16);
    assertThatThrownBy(() -> SwitchAdmission.admit(smaller(), pipeline, cabled(1), asked, fpga))
        .hasMessage("max-subscriber-rate is 11G; allowed: at most 10G on profile emulator");
  }

  private static SwitchTargetProfile read(String key, String line) {
    return (SwitchTargetProfile) ProfileReader.read("emulator", changed(key, line));
  }

  @Test
  void metersAreAsTheTargetsUsersFoundThem() {
    MeterBehaviour tofino = TargetProfiles.loadSwitch("stratum-tofino").meters();
    // 8,000,000 bit/s reads back as 7,992,000.
    assertThat(tofino).isEqualTo(new MeterBehaviour(MeterBehaviour.Update.MODIFY_ONLY, 1));
    assertThatThrownBy(() -> new MeterBehaviour(MeterBehaviour.Update.MODIFY_ONLY, 101))
        .hasMessage("meter.rate-tolerance-permille is 101; allowed: 0 to 100");
  }

  @Test
  void theFpgaHasTheStepOfItsClock() {
    FpgaTargetProfile alveo = (FpgaTargetProfile) TargetProfiles.load("alveo-u200");
    assertThat(alveo.fpga().rateStepBps()).isBetween(1.4102e6, 1.4103e6);
    assertThat(alveo.fpga().grant(2_000_000).grantedBps()).isEqualTo(1_410_256);
  }

  private static SwitchTargetProfile smaller() {
    String text = changed("subscribers", "subscribers = 1000");
    text = changed(text, "table.ipv4-prefix", "table.ipv4-prefix = 2000");
    text = changed(text, "table.policy-value", "table.policy-value = 5000");
    text = changed(text, "table.ipv4-route", "table.ipv4-route = 1");
    text = changed(text, "table.ipv6-prefix", "table.ipv6-prefix = 90000000");
    return (SwitchTargetProfile)
        ProfileReader.read(
            "emulator", changed(text, "rate.max-subscriber", "rate.max-subscriber = 10G"));
  }

  static String changed(String key, String line) {
    return changed(text("emulator"), key, line);
  }

  /** With a line in place of that of a key, or at the end if there is none. */
  static String changed(String text, String key, String line) {
    String changed = text.replaceAll("(?m)^" + key.replace(".", "\\.") + " = .*$", line);
    return changed.equals(text) ? text + line + "\n" : changed;
  }

  static String text(String name) {
    try {
      return Files.readString(
          Path.of("src/main/resources/net/sluice/pipeconf/profile", name + ".profile"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SwitchPort access(int port) {
    return new SwitchPort(port, PortRole.ACCESS, Direction.UP, 1_000_000, 1, 2, false, false);
  }

  private static Topology cabled(int port) {
    return cabled(access(port));
  }

  private static Topology cabled(SwitchPort... ports) {
    return new Topology(
        List.of(ports), Map.of(), OptionalInt.empty(), OptionalInt.empty(), List.of());
  }
}
