package net.sluice.standalone.profile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionException;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.ChassisConfig;
import net.sluice.pipeconf.profile.TargetProfiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice chassis}: Stratum's chassis configuration for a profile. */
@Command(
    name = "chassis",
    description = "Print Stratum's chassis configuration (chassis_config.pb.txt) for a profile.",
    mixinStandardHelpOptions = true)
public final class ChassisCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "Profile; 'sluice profile list' lists them.")
  private String name;

  @Option(
      names = "--split",
      paramLabel = "PORT=PARTS",
      description = "A front panel port that is divided, such as 3=4x25G; repeated.")
  private List<String> splits = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String text;
    try {
      text = ChassisConfig.text(TargetProfiles.loadSwitch(name), splits);
    } catch (InvalidValueException e) {
      throw new OptionException(NetcfgCommand.option(e), e.value(), e.allowed());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
    return 0;
  }
}
