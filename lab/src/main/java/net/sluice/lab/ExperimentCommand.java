package net.sluice.lab;

import net.sluice.lab.experiment.codelact.CodelActCommand;
import net.sluice.lab.experiment.csaqm.CsaqmCommand;
import net.sluice.lab.experiment.dragonking.DragonkingCommand;
import net.sluice.lab.experiment.fpga.FpgaCommand;
import net.sluice.lab.experiment.fsam.FsamCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice experiment}: reproduces a paper's experiments. */
@Command(
    name = "experiment",
    description =
        "Reproduce a paper's experiment. It tells at the start how long it takes; --quick takes"
            + " less.",
    mixinStandardHelpOptions = true,
    subcommands = {
      CsaqmCommand.class,
      CodelActCommand.class,
      FsamCommand.class,
      DragonkingCommand.class,
      FpgaCommand.class
    })
final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "experiment is not named; allowed: "
            + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
