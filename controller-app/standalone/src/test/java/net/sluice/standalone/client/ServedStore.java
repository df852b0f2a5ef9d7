package net.sluice.standalone.client;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.standalone.Main;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.http.ServedApi;
import picocli.CommandLine;

/** A controller over a store on disk with targets in memory, its API, and commands that use it. */
final class ServedStore implements AutoCloseable {
  private final Controller controller;
  private final ServedApi http;

  ServedStore(Path directory) {
    ThreadScheduler targets = new ThreadScheduler("targets");
    controller =
        SlaController.open(
            List.of(
                new NetworkSwitch(
                    NetworkSwitch.ONLY,
                    TestNetwork.config(directory).build(),
                    new Targets(
                        MemoryTarget.ofSwitch(targets),
                        CounterSource.none("no counters"),
                        Optional.of(MemoryTarget.ofFpga("fpga-down", targets)),
                        Optional.of(MemoryTarget.ofFpga("fpga-up", targets))))),
            new RocksDbIntentStore(directory),
            Clock.systemUTC());
    try {
      http =
          new ServedApi(
              controller,
              HttpSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    } catch (StartFailure e) {
      controller.close();
      throw new IllegalStateException(e);
    }
  }

  /** Where the API is, without a slash at the end. */
  URI base() {
    return http.base();
  }

  /** The result of a command. */
  record Ended(int exitCode, String out, String err) {}

  /** Runs a command; the API it uses is this one. */
  Ended run(String... command) {
    return run(http.port(), command);
  }

  /** Runs a command; as it writes those words, something else happens. */
  Ended run(String words, Runnable meanwhile, String... command) {
    StringWriter out =
        new StringWriter() {
          private boolean happened;

          @Override
          public void flush() {
            if (!happened && toString().contains(words)) {
              happened = true;
              meanwhile.run();
            }
          }
        };
    return run(http.port(), out, command);
  }

  /** Runs a command that uses the API on a port of the loopback interface. */
  static Ended run(int port, String... command) {
    return run(port, new StringWriter(), command);
  }

  private static Ended run(int port, StringWriter out, String... command) {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine(Optional.empty());
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] all = new String[command.length + (port == 0 ? 0 : 2)];
    System.arraycopy(command, 0, all, 0, command.length);
    if (port != 0) {
      all[command.length] = "--api";
      all[command.length + 1] = "http://127.0.0.1:" + port;
    }
    int code = line.execute(all);
    return new Ended(code, out.toString(), err.toString());
  }

  int port() {
    return http.port();
  }

  @Override
  public void close() {
    http.close();
    controller.close();
  }
}
