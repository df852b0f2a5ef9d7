package net.sluice.standalone.profile;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionException;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.ProfileReport;
import net.sluice.pipeconf.profile.TargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice profile}: the kinds of targets there are and what each can hold and represent. */
@Command(
    name = "profile",
    description = "Show what kinds of targets can hold and represent.",
    mixinStandardHelpOptions = true,
    subcommands = {ProfileCommand.ListCommand.class, ProfileCommand.ShowCommand.class})
public final class ProfileCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: sluice profile list, or sluice profile show NAME");
  }

  /** The names. */
  @Command(
      name = "list",
      description = "List the profiles there are.",
      mixinStandardHelpOptions = true)
  static final class ListCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      int width = TargetProfiles.names().stream().mapToInt(String::length).max().orElse(0);
      for (String name : TargetProfiles.names()) {
        String title = TargetProfiles.load(name).title();
        out.println(name + " ".repeat(width - name.length() + 2) + title);
      }
      out.flush();
      return 0;
    }
  }

  /** One of them. */
  @Command(
      name = "show",
      description = "Show a profile: capacities, meters, counters, queues and ports.",
      mixinStandardHelpOptions = true)
  static final class ShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Which one; 'sluice profile list' lists them.")
    private String name;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      TargetProfile profile;
      try {
        profile = TargetProfiles.load(name);
      } catch (InvalidValueException e) {
        throw new OptionException("NAME", e.value(), e.allowed());
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(json ? ProfileReport.json(profile) : ProfileReport.text(profile));
      out.flush();
      return 0;
    }
  }
}
