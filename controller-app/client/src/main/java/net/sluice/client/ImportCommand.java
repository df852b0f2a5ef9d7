package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Problem;
import net.sluice.rest.bulk.BulkLine;
import net.sluice.rest.bulk.LineSplitter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice import}: makes the changes that a file says. */
@Command(
    name = "import",
    description = {
      "Make the changes of a file of newline-delimited JSON, as export writes it. A bad line is"
          + " told and changes nothing; the others are made, or, with --atomic, none is. Exit code"
          + " 1 if there was one."
    },
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  private static final int READ_BYTES = 64 << 10;

  @Mixin private ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "FILE", description = "The file; - for standard input")
  private String file;

  @Option(
      names = "--atomic",
      description = "Make all changes together or none; at most " + Controller.MOST_TOGETHER)
  private boolean atomic;

  @Spec private CommandSpec spec;

  private long bad;

  @Override
  public Integer call() throws StartFailure {
    if (atomic) {
      return together();
    }
    BulkSender sender =
        new BulkSender(api.client(), (where, change, status, why) -> tell(where + ": " + why));
    try (InputStream in = open()) {
      List<BulkLine> lines = new ArrayList<>();
      LineSplitter splitter = new LineSplitter(lines::add);
      byte[] buffer = new byte[READ_BYTES];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        splitter.take(buffer, n);
        send(lines, sender);
      }
      splitter.end();
      send(lines, sender);
      sender.flush();
    } catch (IOException e) {
      throw new StartFailure("cannot read " + file + ": " + e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%d lines done, %d refused%n", sender.done(), bad);
    out.flush();
    return bad == 0 ? 0 : 1;
  }

  private int together() throws StartFailure {
    List<BulkLine> lines = new ArrayList<>();
    try (InputStream in = open()) {
      LineSplitter splitter = new LineSplitter(lines::add);
      byte[] buffer = new byte[READ_BYTES];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        splitter.take(buffer, n);
        if (lines.size() > Controller.MOST_TOGETHER) {
          throw new StartFailure(
              "%s has more than %d lines; allowed with --atomic: at most that many"
                  .formatted(file, Controller.MOST_TOGETHER));
        }
      }
      splitter.end();
    } catch (IOException e) {
      throw new StartFailure("cannot read " + file + ": " + e.getMessage(), e);
    }
    lines.stream()
        .filter(line -> !line.isSound())
        .forEach(line -> tell(where(line) + ": " + text(line.problems())));
    if (bad == 0 && !lines.isEmpty()) {
      List<SetSender.Asked> all =
          lines.stream().map(line -> new SetSender.Asked(line.change(), line.condition())).toList();
      for (SetSender.Refused refused : new SetSender(api.client()).send(all, false)) {
        tell(where(lines.get(refused.number())) + ": " + refused.why());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%d lines done, %d refused%n", bad == 0 ? lines.size() : 0, bad);
    out.flush();
    return bad == 0 ? 0 : 1;
  }

  private InputStream open() throws StartFailure, IOException {
    return file.equals("-")
        ? System.in
        : Files.newInputStream(OptionValues.inputFile("FILE", file));
  }

  private String where(BulkLine line) {
    return file + " line " + line.number();
  }

  private void send(List<BulkLine> lines, BulkSender sender) throws StartFailure {
    for (BulkLine line : lines) {
      String where = where(line);
      if (line.isSound()) {
        sender.send(where, line.change(), line.condition());
      } else {
        tell(where + ": " + text(line.problems()));
      }
    }
    lines.clear();
  }

  /** The mistakes of a line, in sentences. */
  static String text(List<Problem> problems) {
    return Problem.sentences(problems);
  }

  private void tell(String what) {
    bad++;
    PrintWriter err = spec.commandLine().getErr();
    err.println("sluice: " + what);
    err.flush();
  }
}
