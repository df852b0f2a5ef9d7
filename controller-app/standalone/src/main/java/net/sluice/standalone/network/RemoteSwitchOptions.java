package net.sluice.standalone.network;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.Durations;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Options;
import net.sluice.cli.Range;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.GnmiEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.Servers.Tls;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe a remote switch; they hold with {@code --switch} only. */
public final class RemoteSwitchOptions {
  /** Refusal of options that only hold for switches that clients of the API declare. */
  public static final String NOT_DECLARED =
      "only with --network, where clients of the API declare switches";

  /** The option that says where declared switches may be. */
  public static final String ALLOW_TARGET = "--allow-target";

  private static final String MAPPED = "mmap:";
  static final long MIN_CLOCK_HZ = 1_000_000;
  static final long MAX_CLOCK_HZ = 1_000_000_000;
  static final long DEFAULT_CLOCK_HZ = 156_250_000;
  static final String DEFAULT_PROFILE = "emulator";
  private static final String DEFAULT_ELECTION_ID = "1";

  @Option(
      names = "--switch",
      paramLabel = "HOST:PORT",
      description = "P4Runtime address of the switch.")
  private ConnectAddress address;

  @Option(
      names = "--set-ports",
      description =
          "With --switch and --gnmi: set the ports to the rates of the topology, by speed where"
              + " the rate is one, by shaping otherwise.")
  private boolean setsPorts;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "What kind of switch that of --switch is; 'sluice profile list' lists them. Default: "
              + DEFAULT_PROFILE)
  private String profileName = DEFAULT_PROFILE;

  @Option(
      names = DeviceConfigs.OPTION,
      paramLabel = "FILE|NAME=FILE",
      description =
          "With --profile stratum-tofino: what the switch loads, a BfPipelineConfig as"
              + " './sluice p4 --tna' writes it (docs/tofino.md). With --network NAME=FILE, where"
              + " NAME is what switches call it; may be repeated.")
  private List<String> deviceConfigs = List.of();

  @Option(
      names = ALLOW_TARGET,
      paramLabel = "TARGET",
      converter = AllowedTarget.class,
      split = ",",
      description =
          "With --network: where switches and register agents may be that clients of the API"
              + " declare: HOST, ADDRESS or ADDRESS/LENGTH, perhaps with :PORT or :PORT-PORT; may"
              + " be repeated. What the file names may be in any case. Default: the loopback"
              + " interface")
  private List<AllowedTargets.Rule> allowedTargets = List.of();

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "How the switch of --switch is cabled, as JSON (docs/operators-guide.md).")
  private String topologyFile;

  @Option(
      names = "--device-id",
      paramLabel = "N",
      description = "P4Runtime device id of the switch of --switch. Default: its profile's")
  @Range(min = 0)
  private Long deviceId;

  @Option(
      names = "--election-id",
      paramLabel = "N",
      description =
          "P4Runtime election id, from 1 up; the controller with the highest one is primary."
              + " Default: "
              + DEFAULT_ELECTION_ID)
  @Range(min = 1)
  private long electionId = 1;

  @Option(
      names = "--keep-election-id",
      description =
          "Never take a higher election id by itself, as it otherwise does when the switch has no"
              + " primary controller and wants a higher one.")
  private boolean keepElectionId;

  @Option(
      names = "--fpga-down",
      paramLabel = "HOST:PORT|mmap:FILE",
      description =
          "Beside --switch: register agent of the FPGA that shapes what goes down, or the file that"
              + " maps its registers.")
  private FpgaEndpoint fpgaDown;

  @Option(
      names = "--fpga-up",
      paramLabel = "HOST:PORT|mmap:FILE",
      description = "The same for the FPGA that shapes what goes up.")
  private FpgaEndpoint fpgaUp;

  @Option(
      names = "--fpga-clock",
      paramLabel = "HZ",
      description = "Clock of these FPGAs. Default: " + DEFAULT_CLOCK_HZ)
  @Range(min = MIN_CLOCK_HZ, max = MAX_CLOCK_HZ)
  private long fpgaClockHz = DEFAULT_CLOCK_HZ;

  @Option(
      names = "--switch-ca",
      paramLabel = "FILE",
      description =
          "Reach the P4Runtime and gNMI servers of all switches over TLS: certificates, in PEM, of"
              + " authorities that vouch for them. Default: plain text")
  private String switchAuthorities;

  @Option(
      names = "--switch-cert",
      paramLabel = "FILE",
      description =
          "With --switch-ca: the controller's certificate, in PEM, for switches that want one.")
  private String switchCertificate;

  @Option(
      names = "--switch-key",
      paramLabel = "FILE",
      description = "With --switch-cert: its private key, in PEM (PKCS #8), not encrypted.")
  private String switchKey;

  @Option(
      names = "--fpga-codel",
      paramLabel = "TARGET[/INTERVAL]",
      converter = CodelTimes.class,
      description =
          "Have all FPGAs, emulated ones too, manage the delay of their queues by CoDel, such as"
              + " 5ms/100ms; the interval is 100ms unless given. Default: left as it is, which"
              + " after a reset is off")
  private FpgaProfile.Codel codel;

  @Option(
      names = "--fpga-customer-bursts",
      description =
          "All FPGAs have a bucket size for each customer, as Sluice's core has and the paper's has"
              + " not: the burst of a subscriber's limit is that subscriber's alone. Emulated FPGAs"
              + " have it without the option.")
  private boolean customerBursts;

  @Option(
      names = "--fpga-classes",
      description =
          "All FPGAs, emulated ones too, let classes of a subscriber have priorities and shares."
              + " Default: they have no classes")
  private boolean classes;

  @Option(
      names = "--agent-ca",
      paramLabel = "FILE",
      description =
          "Reach register agents over TLS: certificates, in PEM, of authorities that vouch for"
              + " them. Default: plain text")
  private String agentAuthorities;

  @Option(
      names = "--agent-cert",
      paramLabel = "FILE",
      description =
          "With --agent-ca: the controller's certificate, in PEM, for agents that want one.")
  private String agentCertificate;

  @Option(
      names = "--agent-key",
      paramLabel = "FILE",
      description = "With --agent-cert: its private key, in PEM (PKCS #8), not encrypted.")
  private String agentKey;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Reads what may be connected to. */
  public static final class AllowedTarget implements ITypeConverter<AllowedTargets.Rule> {
    @Override
    public AllowedTargets.Rule convert(String text) {
      return AllowedTargets.parse(text);
    }
  }

  /** Where what is declared may be, beside what {@code file} names. */
  AllowedTargets allowedTargets(List<RemoteSwitch> file) {
    return AllowedTargets.of(
        ALLOW_TARGET,
        allowedTargets,
        file.stream().flatMap(each -> each.addresses().stream()).toList());
  }

  /** Whether {@code --switch} is given. */
  public boolean namesSwitch() {
    return address != null;
  }

  /** Refuses whichever is given, where no switch is. */
  public void refuse(String allowed) {
    Options.refuse(command, NOT_DECLARED, ALLOW_TARGET);
    Options.refuse(
        command,
        allowed,
        "--profile",
        DeviceConfigs.OPTION,
        "--topology",
        "--device-id",
        "--election-id",
        "--keep-election-id",
        "--fpga-down",
        "--fpga-up",
        "--fpga-clock",
        "--fpga-customer-bursts",
        "--switch-ca",
        "--switch-cert",
        "--switch-key",
        "--agent-ca",
        "--agent-cert",
        "--agent-key",
        "--set-ports");
  }

  /**
   * Checks them together and reads the topology.
   *
   * @param gnmi value of {@code --gnmi}; null if it was not given
   * @throws OptionException if an option is not allowed
   * @throws StartFailure if the topology file is not
   */
  public RemoteSwitch read(String gnmi, RemoteSwitch.Marker marker) throws StartFailure {
    SwitchTargetProfile profile;
    try {
      profile = TargetProfiles.loadSwitch(profileName);
    } catch (InvalidValueException e) {
      throw new OptionException("--profile", e.value(), e.allowed());
    }
    if (topologyFile == null) {
      throw OptionException.missing(
          "--topology", "a file that says how the switch of --switch is cabled");
    }
    Topology topology = TopologyFile.read(topologyFile);
    requireFit(topology, Direction.DOWN, "--fpga-down", fpgaDown);
    requireFit(topology, Direction.UP, "--fpga-up", fpgaUp);
    return new RemoteSwitch(
        NetworkSwitch.ONLY,
        new RemoteSwitch.Model(profile, pipeline(profile), topology, fpgas(fpgaClockHz), marker),
        new Servers(
            endpoint(address, deviceId == null ? profile.management().deviceId() : deviceId),
            gnmi(gnmi),
            Optional.ofNullable(fpgaDown).map(this::secured),
            Optional.ofNullable(fpgaUp).map(this::secured)));
  }

  /** FPGAs of the default clock as these options have them managed. */
  public FpgaProfile fpgas() {
    return fpgas(DEFAULT_CLOCK_HZ);
  }

  /** FPGAs of a clock as these options have them managed. */
  FpgaProfile fpgas(long clockHz) {
    try {
      return FpgaProfile.withClock(clockHz)
          .withCustomerBursts(customerBursts)
          .withCodel(Optional.ofNullable(codel))
          .withClassShares(classes);
    } catch (InvalidValueException e) {
      throw new OptionException(
          "--fpga-codel",
          codel.targetMicros() + "us/" + codel.intervalMicros() + "us",
          "an interval of " + e.allowed() + " (us)");
    }
  }

  /** Reads values of {@code --fpga-codel}. */
  static final class CodelTimes implements ITypeConverter<FpgaProfile.Codel> {
    private static final String ALLOWED =
        "TARGET or TARGET/INTERVAL, times of 1us to 10s of which the target is not the longer one,"
            + " such as 5ms or 5ms/100ms";
    private static final String INTERVAL = "100ms";
    private static final long MAX_NANOS = 10_000_000_000L;

    @Override
    public FpgaProfile.Codel convert(String text) {
      String[] times = text.split("/", -1);
      try {
        return new FpgaProfile.Codel(
            micros(times[0]), micros(times.length == 1 ? INTERVAL : times[times.length - 1]));
      } catch (InvalidValueException e) {
        throw new InvalidOption(ALLOWED);
      }
    }

    private static int micros(String text) {
      long nanos = Durations.nanos(text).orElse(-1);
      if (nanos < 1_000 || nanos > MAX_NANOS) {
        throw new InvalidOption(ALLOWED);
      }
      return (int) (nanos / 1_000);
    }
  }

  /** The registers as they are reached under these options: an agent over TLS where they say so. */
  FpgaEndpoint secured(FpgaEndpoint fpga) {
    Optional<Tls> tls = agentTls();
    return fpga instanceof FpgaEndpoint.Agent agent
        ? new FpgaEndpoint.Agent(agent.host(), agent.port(), tls)
        : fpga;
  }

  private Optional<Tls> agentTls() {
    return tls("--agent", agentAuthorities, agentCertificate, agentKey);
  }

  private Optional<Tls> switchTls() {
    return tls("--switch", switchAuthorities, switchCertificate, switchKey);
  }

  private static Optional<Tls> tls(String whose, String ca, String cert, String key) {
    if (ca == null && cert != null) {
      throw new OptionException(whose + "-cert", cert, "nothing without " + whose + "-ca");
    }
    if (cert == null && key != null) {
      throw new OptionException(whose + "-key", key, "nothing without " + whose + "-cert");
    }
    if (ca == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Tls(
            OptionValues.inputFile(whose + "-ca", ca),
            Optional.ofNullable(cert)
                .map(
                    file ->
                        new Tls.Identity(
                            OptionValues.inputFile(whose + "-cert", file),
                            OptionValues.inputFile(whose + "-key", key)))));
  }

  /**
   * The program of a profile; of one without, any: it is refused when it is admitted.
   *
   * @throws OptionException if the file to load is missing, not wanted, or none that can be loaded
   */
  private SwitchPipeline pipeline(SwitchTargetProfile profile) {
    boolean wanted = DeviceConfigs.isFor(profile);
    if (wanted && deviceConfigs.size() != 1) {
      throw new OptionException(
          DeviceConfigs.OPTION,
          String.join(", ", deviceConfigs),
          "the file that a switch of profile "
              + profile.name()
              + " loads, as './sluice p4 --tna' writes it");
    }
    if (!wanted && !deviceConfigs.isEmpty()) {
      throw new OptionException(
          DeviceConfigs.OPTION, deviceConfigs.get(0), new DeviceConfigs().allowed(profile));
    }
    return wanted ? deviceConfig(deviceConfigs.get(0)) : V1ModelPipeline.of(profile.program());
  }

  /** The files that switches of a network file may load, read. */
  DeviceConfigs deviceConfigs() {
    DeviceConfigs named = new DeviceConfigs();
    deviceConfigs.forEach(named::add);
    return named;
  }

  /**
   * The program with a file that the switch loads.
   *
   * @throws OptionException if it is none that can be loaded
   */
  static SwitchPipeline deviceConfig(String file) {
    try {
      return TnaPipeline.load(Path.of(file));
    } catch (InvalidPathException e) {
      throw new OptionException(DeviceConfigs.OPTION, file, "the name of a file");
    } catch (InvalidValueException e) {
      throw new OptionException(DeviceConfigs.OPTION, e.value(), e.allowed());
    }
  }

  private Optional<GnmiEndpoint> gnmi(String text) {
    if (text == null) {
      if (setsPorts) {
        throw OptionException.missing("--gnmi", "the gNMI server by which --set-ports is done");
      }
      return Optional.empty();
    }
    ConnectAddress server = ConnectAddress.parse("--gnmi", text);
    return Optional.of(gnmi(server, setsPorts));
  }

  /**
   * Where an FPGA's registers are, as {@code HOST:PORT} or {@code mmap:FILE}.
   *
   * @throws InvalidOption if it is neither, or no such file can be read and written
   */
  public static FpgaEndpoint fpga(String text) {
    if (isMapped(text)) {
      return new FpgaEndpoint.Mapped(resource(text.substring(MAPPED.length())));
    }
    ConnectAddress agent = ConnectAddress.parse(text);
    return new FpgaEndpoint.Agent(agent.host(), agent.port());
  }

  /**
   * The registers of {@code mmap:FILE}; does not look whether there is such a file.
   *
   * @throws InvalidOption if there cannot be
   */
  static FpgaEndpoint mapped(String text) {
    try {
      return new FpgaEndpoint.Mapped(Path.of(text.substring(MAPPED.length())));
    } catch (InvalidPathException e) {
      throw new InvalidOption("mmap:FILE with the name of a file");
    }
  }

  /** True of {@code mmap:FILE}. */
  static boolean isMapped(String text) {
    return text.startsWith(MAPPED);
  }

  /** As it is written on the command line. */
  public static String text(FpgaEndpoint fpga) {
    if (fpga instanceof FpgaEndpoint.Agent agent) {
      return new ConnectAddress(agent.host(), agent.port()).toString();
    }
    return MAPPED + ((FpgaEndpoint.Mapped) fpga).resource();
  }

  private static Path resource(String file) {
    try {
      Path resource = Path.of(file);
      if (Files.isRegularFile(resource)
          && Files.isReadable(resource)
          && Files.isWritable(resource)) {
        return resource;
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new InvalidOption(
        "HOST:PORT, or mmap:FILE with a file that can be read and written, such as"
            + " mmap:/sys/bus/pci/devices/0000:03:00.0/resource0");
  }

  /** A gNMI server as it is reached under these options. */
  GnmiEndpoint gnmi(ConnectAddress at, boolean setsRates) {
    return new GnmiEndpoint(at.host(), at.port(), setsRates, switchTls());
  }

  /** The election id, whether it may rise, and how the switch is reached. */
  SwitchEndpoint endpoint(ConnectAddress at, long device) {
    return new SwitchEndpoint(
        at.host(), at.port(), device, electionId, !keepElectionId, switchTls());
  }

  private static void requireFit(
      Topology topology, Direction direction, String option, FpgaEndpoint given) {
    boolean wanted = topology.sidecar(direction).isPresent();
    if (wanted && given == null) {
      throw OptionException.missing(
          option,
          "HOST:PORT of the FPGA's register agent or mmap:FILE, because the topology has a sidecar"
              + " of direction "
              + direction.text());
    }
    if (!wanted && given != null) {
      throw new OptionException(
          option,
          text(given),
          "nothing, because the topology has no sidecar of direction " + direction.text());
    }
  }
}
