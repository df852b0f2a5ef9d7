package net.sluice.standalone;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.Outcome;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.endpoints.Reach;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.simulate.ChangeSimulation;
import net.sluice.rest.bulk.BulkLine;
import net.sluice.rest.bulk.SimulatedLines;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitch;
import net.sluice.standalone.network.RemoteSwitchOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code sluice simulate}: who would get what if changes were made, without a controller that runs:
 * the switches of a network file are given what an export declares, and none is connected to.
 */
@Command(
    name = "simulate",
    description = {
      "Tell who would get what at the switches of a network file if changes were made to what an"
          + " export declares; nothing is connected to, nothing is changed."
    },
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  private static final int ALL_PERCENT = 100;

  @Spec private CommandSpec spec;

  @Option(
      names = "--network",
      paramLabel = "FILE",
      required = true,
      description = "JSON file with the switches, as serve has it")
  private String network;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      required = true,
      description = "What is declared, as 'sluice export' writes it")
  private String export;

  @Option(
      names = "--loses-percent",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "The part of its rate that a subscriber loses more than to be told as one that loses,"
              + " 0 to 100. Default: ${DEFAULT-VALUE}")
  private int losesPercent;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description =
          "Changes as newline-delimited JSON, as a bulk request has them, and lines of what"
              + " subscribers want, such as"
              + " {\"load\": {\"subscriber\": \"alice\", \"downBps\": 5000000}}")
  private String file;

  @Override
  public Integer call() throws StartFailure {
    if (losesPercent < 0 || losesPercent > ALL_PERCENT) {
      throw new OptionException(
          "--loses-percent", Integer.toString(losesPercent), "0 to " + ALL_PERCENT);
    }
    byte[] declared = bytes("--export", export);
    byte[] asked = bytes("FILE", file);
    RemoteSwitchOptions options = new RemoteSwitchOptions();
    CommandLine.populateCommand(options);
    List<RemoteSwitch> switches =
        NetworkFile.read(network, options, MarkerSettings.DEFAULT, List.of()).switches();
    Path store = null;
    try {
      store = Files.createTempDirectory("sluice-simulate");
      List<SwitchAt> members = new ArrayList<>();
      for (RemoteSwitch each : switches) {
        members.add(
            StandaloneController.at(
                new RemoteSwitch(
                    each.name(),
                    each.model(),
                    each.servers(),
                    new Reach.Nothing("a simulation connects to nothing")),
                store,
                Comparing.DEFAULT));
      }
      try (Controller controller = Endpoints.open(store, members, Clock.systemUTC())) {
        declare(controller, declared);
        simulate(controller, asked);
      }
    } catch (IOException e) {
      throw new StartFailure("the simulation has no place for its store: " + e.getMessage(), e);
    } catch (Refusal e) {
      throw new StartFailure(file + ": " + detail(e.problems()), e);
    } finally {
      delete(store);
    }
    return 0;
  }

  private static byte[] bytes(String option, String path) {
    try {
      return Files.readAllBytes(OptionValues.inputFile(option, path));
    } catch (IOException e) {
      throw OptionValues.unreadable(option, path);
    }
  }

  private void declare(Controller controller, byte[] lines) throws StartFailure, Refusal {
    List<BulkLine> all = SimulatedLines.changes(lines);
    for (BulkLine line : all) {
      if (!line.isSound()) {
        throw new StartFailure(export + ": line " + line.number() + ": " + detail(line.problems()));
      }
    }
    List<Outcome> outcomes = controller.applyAll(all.stream().map(BulkLine::change).toList());
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Refused refused) {
        throw new StartFailure(
            export + ": line " + all.get(i).number() + ": " + detail(refused.problems()));
      }
    }
  }

  private void simulate(Controller controller, byte[] lines) throws Refusal, IOException {
    SimulatedLines read = SimulatedLines.read(controller, lines);
    ChangeSimulation simulation = new ChangeSimulation(controller);
    read.load(simulation);
    JsonContent answer = read.simulated(simulation, losesPercent, Integer.MAX_VALUE);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonContent.generator(text)) {
      answer.write(json);
    }
    spec.commandLine().getOut().println(text.toString(StandardCharsets.UTF_8));
    spec.commandLine().getOut().flush();
  }

  private static String detail(List<Problem> problems) {
    return problems.get(0).detail();
  }

  private void delete(Path store) {
    if (store == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(store)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      // It is in the folder for temporary files.
      spec.commandLine().getErr().println("sluice: " + store + " is left: " + e.getMessage());
    }
  }
}
