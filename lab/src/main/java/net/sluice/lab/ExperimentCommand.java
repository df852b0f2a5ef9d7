package net.sluice.lab;

import java.util.List;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.OneExperiment;
import net.sluice.lab.experiment.calm.CalmOptions;
import net.sluice.lab.experiment.codelact.CodelActOptions;
import net.sluice.lab.experiment.csaqm.CsaqmOptions;
import net.sluice.lab.experiment.dragonking.DragonkingOptions;
import net.sluice.lab.experiment.fpga.FpgaOptions;
import net.sluice.lab.experiment.fsam.FsamOptions;
import picocli.CommandLine;
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
    mixinStandardHelpOptions = true)
final class ExperimentCommand implements Runnable {
  private static final List<ExperimentKind> KINDS =
      List.of(
          CsaqmOptions.KIND,
          CodelActOptions.KIND,
          FsamOptions.KIND,
          DragonkingOptions.KIND,
          FpgaOptions.KIND,
          CalmOptions.KIND);

  @Spec private CommandSpec spec;

  private ExperimentCommand() {}

  /** The command with a subcommand for each experiment. */
  static CommandLine line() {
    CommandLine line = new CommandLine(new ExperimentCommand());
    KINDS.forEach(kind -> line.addSubcommand(OneExperiment.line(kind)));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "experiment is not named; allowed: "
            + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
