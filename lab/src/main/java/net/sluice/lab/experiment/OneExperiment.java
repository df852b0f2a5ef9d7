package net.sluice.lab.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import net.sluice.lab.report.ReportOptions;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * {@code sluice experiment NAME}: runs an experiment on all cores, prints its rows, and writes page
 * and report.
 *
 * <p>Exit code 0 if no row is missed, 1 if one is or if it cannot be run here, 2 for options that
 * cannot be used.
 */
@Command(sortOptions = false)
public final class OneExperiment implements Callable<Integer> {
  @Mixin private ReportOptions output;

  private final ExperimentKind kind;
  private final Map<String, OptionSpec> options = new HashMap<>();

  private OneExperiment(ExperimentKind kind) {
    this.kind = kind;
  }

  /** The command of an experiment. */
  public static CommandLine line(ExperimentKind kind) {
    OneExperiment command = new OneExperiment(kind);
    CommandLine line = new CommandLine(command);
    CommandSpec spec = line.getCommandSpec().name(kind.name());
    spec.usageMessage().description(kind.description().toArray(String[]::new));
    for (Setting setting : kind.settings()) {
      OptionSpec.Builder option =
          OptionSpec.builder(setting.name()).description(setting.description());
      if (setting.label().isEmpty()) {
        option.type(boolean.class).arity("0");
      } else if (setting.repeated()) {
        option.type(List.class).auxiliaryTypes(String.class).paramLabel(setting.label());
      } else {
        option.type(String.class).paramLabel(setting.label());
      }
      OptionSpec added = option.build();
      command.options.put(setting.name(), added);
      spec.addOption(added);
    }
    spec.mixinStandardHelpOptions(true);
    return line;
  }

  private GivenSettings given() {
    Map<String, List<String>> values = new HashMap<>();
    options.forEach(
        (name, option) -> {
          Object value = option.getValue();
          if (value instanceof List<?> several) {
            values.put(name, several.stream().map(String.class::cast).toList());
          } else if (value instanceof String text) {
            values.put(name, List.of(text));
          } else if (Boolean.TRUE.equals(value)) {
            values.put(name, List.of());
          }
        });
    return new GivenSettings(kind.settings(), values);
  }

  @Override
  public Integer call() throws Exception {
    ExperimentKind.Start start = kind.checked().apply(given());
    ReportOptions.Output files = output.checked("experiment-" + kind.name());
    try {
      Progress progress = Progress.on(files.out());
      Experiment experiment = start.make(progress);
      Cases cases = new Cases(progress);
      Supplier<Experiment.Outcome> planned = experiment.plan(cases);
      cases.run(experiment.samplePackets(), experiment::sample);
      Experiment.Outcome outcome = planned.get();
      List<String> lines = new ArrayList<>(List.of(""));
      lines.addAll(outcome.notes());
      lines.add(outcome.verdict());
      return files.show(outcome.report(), lines, outcome::page);
    } catch (ControllerApi.RefusedException | MissingToolsException e) {
      return files.failed(e);
    }
  }
}
