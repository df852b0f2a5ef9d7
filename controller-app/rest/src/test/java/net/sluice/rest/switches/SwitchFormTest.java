package net.sluice.rest.switches;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.profile.UnknownTraffic;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.host.Capability;
import net.sluice.rest.switches.SwitchDocument.Gnmi;
import net.sluice.rest.switches.SwitchDocument.Reached;
import net.sluice.testing.Golden;

/** Switches as JSON: each that is written is read as it was, and each bad one refused. */
class SwitchFormTest {
  /** A host that allows everything but some names. */
  private record AnyHost(SwitchDocument.Defaults defaults, Capability<String> device)
      implements SwitchDocument.Host {
    AnyHost(SwitchDocument.Defaults defaults, Optional<String> device) {
      this(
          defaults,
          device
              .<Capability<String>>map(Capability.Present::new)
              .orElseGet(() -> new Capability.Absent<>("this host has no devices")));
    }

    @Override
    public Optional<String> refuses(String field, HostPort address) {
      return address.host().equals("denied") ? Optional.of("another host") : Optional.empty();
    }

    @Override
    public Capability<SwitchDocument.Mapped> mappedRegisters() {
      return new Capability.Present<>(
          (field, registers) ->
              registers.startsWith("/dev") ? Optional.of("another file") : Optional.empty());
    }

    @Override
    public Capability<SwitchDocument.Configs> deviceConfigs() {
      return new Capability.Present<>(
          (profile, config) -> config.filter("denied"::equals).map(name -> "another name"));
    }
  }

  private static final SwitchDocument.Defaults DEFAULTS =
      new SwitchDocument.Defaults(
          "emulator",
          false,
          FpgaProfile.withClock(SwitchForm.DEFAULT_CLOCK_HZ),
          MarkerSettings.DEFAULT);

  /** Of which nothing is as it is by default, so that what is not written is noticed. */
  private static final SwitchDocument.Defaults OTHERS =
      new SwitchDocument.Defaults(
          "bmv2",
          true,
          FpgaProfile.withClock(1_000_000).withClassShares(true).withCustomerBursts(true),
          new MarkerSettings(5_000_000, RandomRates.PAPER_8_BITS));

  private static SwitchPort port(Random random, int number, PortRole role, Direction direction) {
    Aqm aqm =
        random.nextBoolean()
            ? Aqm.NONE
            : random.nextBoolean()
                ? new Aqm.Rio()
                : new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, random.nextBoolean());
    boolean isAccess = role == PortRole.ACCESS && direction == Direction.UP;
    return new SwitchPort(
        number,
        role,
        direction,
        1 + random.nextInt(Integer.MAX_VALUE),
        0x02_00_00_00_00_00L + random.nextInt(Integer.MAX_VALUE),
        0x02_00_00_00_00_00L + random.nextInt(Integer.MAX_VALUE),
        random.nextBoolean(),
        random.nextBoolean(),
        aqm,
        1 + random.nextInt(1_000),
        isAccess && random.nextBoolean() ? UnknownTraffic.FORWARD : UnknownTraffic.DROP,
        SwitchPort.canTagPriority(role) && random.nextBoolean());
  }

  private static Topology topology(Random random) {
    List<SwitchPort> ports = new ArrayList<>();
    PortRole[] roles = {PortRole.ACCESS, PortRole.CORE, PortRole.TRUNK};
    int number = 1;
    for (int i = random.nextInt(4); i >= 0; i--) {
      Direction direction = Direction.values()[random.nextInt(2)];
      ports.add(port(random, number++, roles[random.nextInt(3)], direction));
    }
    OptionalInt down = random.nextBoolean() ? OptionalInt.of(number++) : OptionalInt.empty();
    OptionalInt up = random.nextBoolean() ? OptionalInt.of(number++) : OptionalInt.empty();
    down.ifPresent(at -> ports.add(port(random, at, PortRole.SIDECAR, Direction.DOWN)));
    up.ifPresent(at -> ports.add(port(random, at, PortRole.SIDECAR, Direction.UP)));
    return new Topology(
        ports,
        random.nextBoolean() ? Map.of() : Map.of(0, 1, 7, 1),
        down,
        up,
        random.nextBoolean()
            ? List.of()
            : List.of(
                new Route(IpPrefix.parse("0.0.0.0/0"), 1),
                new Route(IpPrefix.parse("2001:db8::/32"), 1)),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(60),
        random.nextBoolean() ? List.of() : List.of(61, 62, 63, 64),
        random.nextBoolean() ? List.of() : List.of(new Trunk(1, "agg", random.nextInt(9))));
  }

  private static Reached.Server server(Random random) {
    return new Reached.Server(
        new HostPort(random.nextBoolean() ? "leaf1" : "2001:db8::7", 1 + random.nextInt(65_535)),
        random.nextInt(9),
        random.nextBoolean() ? Optional.empty() : Optional.of("lab"));
  }

  private static Optional<FpgaEndpoint> fpga(Random random, OptionalInt sidecar) {
    FpgaEndpoint agent = new FpgaEndpoint.Agent("192.0.2.1", 1 + random.nextInt(65_535));
    return sidecar.isEmpty()
        ? Optional.empty()
        : Optional.of(
            random.nextBoolean() ? agent : new FpgaEndpoint.Mapped(Path.of("/sys/resource0")));
  }

  private static SwitchDocument document(Random random) {
    boolean isDevice = random.nextBoolean();
    Gnmi gnmi =
        random.nextBoolean()
            ? new Gnmi.At(new HostPort("192.0.2.1", 9_339))
            : isDevice && random.nextBoolean() ? new Gnmi.OfProfile() : new Gnmi.None();
    FpgaProfile fpgas =
        FpgaProfile.withClock(1_000_000 + random.nextInt(999_000_000))
            .withClassShares(random.nextBoolean())
            .withCustomerBursts(random.nextBoolean());
    Topology topology = topology(random);
    List<String> profiles = List.of("emulator", "bmv2", "stratum-tofino", "emulator-aggregate");
    Optional<Reached.Server> known =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new Reached.Server(new HostPort("leaf1", 9_559), 3, Optional.empty()));
    return new SwitchDocument(
        TargetProfiles.loadSwitch(profiles.get(random.nextInt(profiles.size()))),
        isDevice ? new Reached.Device("device:leaf1", known) : server(random),
        gnmi,
        !(gnmi instanceof Gnmi.None) && random.nextBoolean(),
        fpgas,
        fpga(random, topology.sidecarDown()),
        fpga(random, topology.sidecarUp()),
        new MarkerSettings(
            MarkerSettings.MIN_RATE_BPS + random.nextInt(Integer.MAX_VALUE),
            random.nextBoolean() ? RandomRates.BITS_16 : RandomRates.PAPER_8_BITS),
        topology);
  }

  @Provide
  Arbitrary<SwitchDocument> documents() {
    return Arbitraries.randomValue(SwitchFormTest::document);
  }

  @Property(tries = 500)
  void whatIsWrittenIsReadAsItWasWhateverTheDefaults(@ForAll("documents") SwitchDocument written)
      throws Refusal {
    Optional<String> device =
        written.reached() instanceof Reached.Device ? Optional.of("device:x") : Optional.empty();
    byte[] json = SwitchForm.bytes(written);
    for (SwitchDocument.Defaults defaults : List.of(DEFAULTS, OTHERS)) {
      assertThat(SwitchForm.read(json, new AnyHost(defaults, device))).isEqualTo(written);
    }
  }

  private static final String CABLED =
      "'topology':{'ports':[{'number':1,'role':'access','rateBps':1000,"
          + "'destinationMac':'02:00:00:01:00:01'}]}";

  @Example
  void whatIsLeftOutIsTheHosts() throws Refusal {
    String json = "{'p4runtime':'leaf1:9559'," + CABLED + "}";
    SwitchDocument ofHost = read(json, new AnyHost(OTHERS, Optional.of("device:leaf1")));
    assertThat(ofHost.profile().name()).isEqualTo("bmv2");
    assertThat(ofHost.setsPorts()).isTrue();
    assertThat(ofHost.fpgas()).isEqualTo(OTHERS.fpgas());
    assertThat(ofHost.marker()).isEqualTo(OTHERS.marker());
    assertThat(ofHost.gnmi()).isEqualTo(new Gnmi.OfProfile());
    assertThat(ofHost.reached())
        .isEqualTo(
            new Reached.Device(
                "device:leaf1",
                Optional.of(
                    new Reached.Server(new HostPort("leaf1", 9_559), 1, Optional.empty()))));
    SwitchDocument plain = read(json, new AnyHost(OTHERS, Optional.empty()));
    assertThat(plain.gnmi()).isEqualTo(new Gnmi.None());
    assertThat(plain.setsPorts()).as("there is no server by which it could be done").isFalse();
    SwitchDocument other =
        read(
            "{'p4runtime':'leaf1:9559','fpgaClockHz':2000000,'fpgaCodel':false," + CABLED + "}",
            new AnyHost(OTHERS, Optional.empty()));
    assertThat(other.fpgas())
        .isEqualTo(FpgaProfile.withClock(2_000_000).withClassShares(true).withCustomerBursts(true));
  }

  private static SwitchDocument read(String json, SwitchDocument.Host host) throws Refusal {
    return SwitchForm.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), host);
  }

  @Example
  void everyBadDocumentIsRefusedWithAllThatIsWrongWithIt() {
    String[] documents = {
      "{",
      "7",
      "{}",
      "{'profile':1,'p4runtime':2,'gnmi':3,'setPorts':4,'deviceId':'5','fpgaDown':6,"
          + "'fpgaClockHz':true,'fpgaClasses':8,'fpgaCustomerBursts':9,'fpgaCodel':'on',"
          + "'maxSubscriberRateBps':'1G','randomBits':'all','topology':[]}",
      "{'profile':'asic','deviceConfig':'denied','p4runtime':'denied:1','gnmi':'denied:2',"
          + "'setPorts':true,'deviceId':-1,'fpgaDown':'mmap:/dev/mem','fpgaUp':'host',"
          + "'fpgaClockHz':1,'fpgaCodel':{'targetMicros':0,'more':1},'maxSubscriberRateBps':1,"
          + "'randomBits':9,'colour':'red',"
          + CABLED
          + "}",
      "{'profile':'emulator','deviceConfig':'denied','device':'device:leaf1','p4runtime':'h:1',"
          + "'setPorts':true,"
          + CABLED
          + "}",
      "{'p4runtime':'h:1','p4runtime':'h:2','gnmi':'none','setPorts':true,"
          + "'fpgaCodel':{'targetMicros':9,'intervalMicros':8},"
          + CABLED
          + "}",
      "{'p4runtime':'h:1','fpgaCodel':true,'fpgaUp':'h:2',"
          + CABLED.replace(
              "}]", "},{'number':4,'role':'sidecar','direction':'down','rateBps':1000}]")
          + "}",
      "{'device':'leaf 1','deviceId':2," + CABLED + "}",
    };
    StringBuilder said = new StringBuilder();
    for (String document : documents) {
      said.append(document).append('\n');
      for (Optional<String> device :
          List.of(Optional.<String>empty(), Optional.of("device:leaf1"))) {
        said.append(device.isPresent() ? "as a device:\n" : "as a server:\n");
        try {
          SwitchDocument unused = read(document, new AnyHost(DEFAULTS, device));
          said.append("  read\n");
        } catch (Refusal e) {
          said.append(
              e.problems().stream()
                  .map(Problem::detail)
                  .collect(Collectors.joining("\n  ", "  ", "\n")));
        }
      }
    }
    Golden.check("switch-errors.txt", said.toString());
  }
}
