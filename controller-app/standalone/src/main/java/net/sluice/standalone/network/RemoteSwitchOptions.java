package net.sluice.standalone.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.settings.EdgeOptions;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchDocument.Gnmi;
import net.sluice.rest.switches.SwitchDocument.Reached;
import net.sluice.rest.switches.SwitchForm;
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

  private static final String DEFAULT_PROFILE = "emulator";

  /** The options of one switch, by the fields of its document. */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "p4runtime", "--switch",
          "profile", "--profile",
          "deviceConfig", DeviceConfigs.OPTION,
          "gnmi", "--gnmi",
          "setPorts", "--set-ports",
          "deviceId", "--device-id",
          "fpgaDown", "--fpga-down",
          "fpgaUp", "--fpga-up",
          "fpgaClockHz", "--fpga-clock",
          "topology", "--topology");

  private static final String DEFAULT_ELECTION_ID = "1";

  @Option(
      names = "--switch",
      paramLabel = "HOST:PORT",
      description = "P4Runtime address of the switch.")
  private String address;

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
  private String profileName;

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
      converter = EdgeOptions.AllowedTarget.class,
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
  private String fpgaDown;

  @Option(
      names = "--fpga-up",
      paramLabel = "HOST:PORT|mmap:FILE",
      description = "The same for the FPGA that shapes what goes up.")
  private String fpgaUp;

  @Option(
      names = "--fpga-clock",
      paramLabel = "HZ",
      description = "Clock of these FPGAs. Default: " + SwitchForm.DEFAULT_CLOCK_HZ)
  @Range(min = SwitchForm.MIN_CLOCK_HZ, max = SwitchForm.MAX_CLOCK_HZ)
  private Long fpgaClockHz;

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

  /** Once CoDel of all queues; those who still give it are told what took its place. */
  @Option(names = "--fpga-codel", hidden = true, converter = CodelElsewhere.class)
  void codel(String refused) {
    // Its converter takes no value.
  }

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

  /** Where what is declared may be, beside what {@code file} names. */
  AllowedTargets allowedTargets(List<RemoteSwitch> file) {
    return AllowedTargets.of(
        ALLOW_TARGET,
        allowedTargets,
        file.stream()
            .flatMap(each -> each.addresses().stream())
            .map(at -> AllowedTargets.Rule.exactly(at.host(), at.port()))
            .toList());
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
  public RemoteSwitch read(String gnmi, MarkerSettings marker) throws StartFailure {
    if (deviceConfigs.size() > 1) {
      throw new OptionException(
          DeviceConfigs.OPTION, String.join(", ", deviceConfigs), "one file beside --switch");
    }
    List<JsonValue.Member> fields = new ArrayList<>();
    text(fields, "p4runtime", address);
    text(fields, "profile", profileName);
    text(fields, "deviceConfig", deviceConfigs.isEmpty() ? null : deviceConfigs.get(0));
    text(fields, "gnmi", gnmi);
    if (setsPorts) {
      fields.add(new JsonValue.Member("setPorts", JsonValue.Literal.TRUE));
    }
    number(fields, "deviceId", deviceId);
    text(fields, "fpgaDown", fpgaDown);
    text(fields, "fpgaUp", fpgaUp);
    number(fields, "fpgaClockHz", fpgaClockHz);
    if (topologyFile != null) {
      fields.add(new JsonValue.Member("topology", TopologyFile.read(topologyFile)));
    }
    StartHost host = new StartHost(defaults(marker), DeviceConfigs.files(), Optional.empty());
    try {
      return remote(
          NetworkSwitch.ONLY, SwitchForm.read(new JsonValue.Obj(fields), host), host, true);
    } catch (Refusal e) {
      throw refusal(e.problems().get(0));
    }
  }

  private static void text(List<JsonValue.Member> fields, String name, String value) {
    if (value != null) {
      fields.add(new JsonValue.Member(name, new JsonValue.Str(value)));
    }
  }

  private static void number(List<JsonValue.Member> fields, String name, Long value) {
    if (value != null) {
      fields.add(new JsonValue.Member(name, new JsonValue.Num(value.toString())));
    }
  }

  /** The problem of a field, named after the option that sets it. */
  private static OptionException refusal(Problem problem) {
    String option = OPTIONS.get(problem.field());
    if (problem.field().equals("topology")) {
      return OptionException.missing(
          option, "a file that says how the switch of --switch is cabled");
    }
    return problem.value().equals("absent")
        ? OptionException.missing(option, problem.allowed())
        : new OptionException(option, problem.value(), problem.allowed());
  }

  /**
   * A switch that has been read, as it is reached under these options.
   *
   * @param secured whether over TLS, where the options say so
   */
  RemoteSwitch remote(String name, SwitchDocument document, StartHost host, boolean secured) {
    Optional<Tls> tls = secured ? switchTls() : Optional.empty();
    Reached.Server server = (Reached.Server) document.reached();
    return new RemoteSwitch(
        name,
        new RemoteSwitch.Model(
            document.profile(),
            host.pipeline(document.profile(), server.deviceConfig()),
            document.topology(),
            document.fpgas(),
            document.marker()),
        new Servers(
            new SwitchEndpoint(
                server.p4runtime().host(),
                server.p4runtime().port(),
                server.deviceId(),
                electionId,
                !keepElectionId,
                tls),
            document.gnmi() instanceof Gnmi.At at
                ? Optional.of(
                    new GnmiEndpoint(
                        at.address().host(), at.address().port(), document.setsPorts(), tls))
                : Optional.empty(),
            document.fpgaDown().map(fpga -> secured ? secured(fpga) : fpga),
            document.fpgaUp().map(fpga -> secured ? secured(fpga) : fpga)));
  }

  /** Values of what the document of a switch leaves out. */
  SwitchDocument.Defaults defaults(MarkerSettings marker) {
    return new SwitchDocument.Defaults(DEFAULT_PROFILE, false, fpgas(), marker);
  }

  /** FPGAs of the default clock as these options have them managed. */
  public FpgaProfile fpgas() {
    return FpgaProfile.withClock(SwitchForm.DEFAULT_CLOCK_HZ)
        .withCustomerBursts(customerBursts)
        .withClassShares(classes);
  }

  /** Refuses any value of {@code --fpga-codel}. */
  static final class CodelElsewhere implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      throw new InvalidOption(
          "absent: aqm of a limit, or limitAqm of its policy, says how its delay is kept low");
    }
  }

  /** The registers as they are reached under these options: an agent over TLS where they say so. */
  private FpgaEndpoint secured(FpgaEndpoint fpga) {
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

  /** The files that switches of a network file may load, read. */
  DeviceConfigs deviceConfigs() {
    DeviceConfigs named = new DeviceConfigs();
    deviceConfigs.forEach(named::add);
    return named;
  }
}
