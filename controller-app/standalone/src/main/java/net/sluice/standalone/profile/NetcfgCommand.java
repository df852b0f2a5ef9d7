package net.sluice.standalone.profile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionException;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.OnosNetcfg;
import net.sluice.pipeconf.profile.TargetProfiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice netcfg}: ONOS's network configuration for switches of a profile. */
@Command(
    name = "netcfg",
    description = "Print ONOS's network configuration for switches of a profile.",
    mixinStandardHelpOptions = true)
public final class NetcfgCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "Profile; 'sluice profile list' lists them.")
  private String name;

  @Option(
      names = "--address",
      paramLabel = "[NAME=]HOST:PORT[/GNMI]",
      arity = "1..*",
      description =
          "P4Runtime server of a switch, its name in ONOS, and the port of its gNMI server if that"
              + " is not the profile's; one for each switch. By default one at 127.0.0.1 and its"
              + " usual port.")
  private List<String> addresses = new ArrayList<>();

  @Option(
      names = "--split",
      paramLabel = "PORT=PARTS",
      description = "A front panel port that is divided, such as 3=4x25G; repeated.")
  private List<String> splits = new ArrayList<>();

  @Option(
      names = "--ports",
      description =
          "Describe the profile's ports, although Sluice tells ONOS of the topology's; ONOS then takes"
              + " them as described. Of switches without a program they are described anyway.")
  private boolean ports;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String text;
    try {
      text = OnosNetcfg.json(TargetProfiles.loadSwitch(name), addresses, splits, ports);
    } catch (InvalidValueException e) {
      throw new OptionException(option(e), e.value(), e.allowed());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
    return 0;
  }

  /** The option that a field of the generators comes from. */
  static String option(InvalidValueException refusal) {
    return refusal.field().equals("profile") ? "NAME" : "--" + refusal.field();
  }
}
