package net.sluice.emulator.cli.live;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import picocli.CommandLine.Option;

/** The options of {@code sluice switch} that describe its P4Runtime and gNMI servers. */
final class ServerOptions {
  private static final String DEFAULT_GRPC = "127.0.0.1:9559";
  private static final long DEFAULT_DEVICE_ID = 1;
  private static final long BMV2_DEVICE_ID = 0;

  @Option(
      names = "--grpc",
      paramLabel = "HOST:PORT",
      description = "Where P4Runtime listens; port 0 takes a free one. Default: 127.0.0.1:9559")
  private InetSocketAddress grpc;

  @Option(
      names = "--server",
      paramLabel = "KIND",
      defaultValue = "v1model",
      description = {
        "Whose P4Runtime server it has: v1model, or stratum-tofino, a double of Stratum's for"
            + " Tofino, which keeps entries and forwards nothing. Default: ${DEFAULT-VALUE}"
      })
  private String server;

  @Option(
      names = "--device-id",
      paramLabel = "N",
      description =
          "P4Runtime device id. Default: 1; with simple_switch_grpc's own command line 0, as there")
  @Range(min = 0)
  private Long deviceId;

  @Option(
      names = "--cpu-port",
      paramLabel = "PORT",
      description =
          "Port that packets from and to the controller use, 1 to 510. Default: none, and no such"
              + " packets")
  @Range(min = 1, max = PortOption.MAX_NUMBER)
  private Integer cpuPort;

  @Option(
      names = "--gnmi",
      paramLabel = "HOST:PORT",
      description =
          "Where gNMI listens, which may be where P4Runtime does; port 0 takes a free one. Default:"
              + " not served")
  private InetSocketAddress gnmi;

  /**
   * The servers of a switch.
   *
   * @param grpc where P4Runtime listens; empty with captures
   * @param variant whose P4Runtime server that is
   * @param deviceId P4Runtime device id
   * @param cpuPort port that packets from and to the controller use, or 0 for none; none with
   *     captures
   * @param gnmi where gNMI listens; empty if it is not served
   */
  record Servers(
      Optional<InetSocketAddress> grpc,
      ServerOption variant,
      long deviceId,
      int cpuPort,
      Optional<InetSocketAddress> gnmi) {
    /** Whether gNMI is to be served where P4Runtime is. */
    boolean gnmiBesideP4Runtime() {
      return gnmi.isPresent() && gnmi.equals(grpc) && gnmi.get().getPort() != 0;
    }
  }

  /** Value of {@code --grpc}; null if it was not given. */
  InetSocketAddress grpc() {
    return grpc;
  }

  /** Value of {@code --server}. */
  ServerOption variant() {
    return ServerOption.parse(server);
  }

  /**
   * Checks the options.
   *
   * @param listen where P4Runtime is to listen; null if that has not been said
   * @param bmv2 whether the command line is simple_switch_grpc's own
   * @param captures whether captures are switched
   * @throws OptionException if one is not allowed
   */
  Servers read(InetSocketAddress listen, boolean bmv2, boolean captures, List<PortOption> ports) {
    return new Servers(
        captures
            ? Optional.empty()
            : Optional.of(listen == null ? ListenAddress.parse(DEFAULT_GRPC) : listen),
        variant(),
        Objects.requireNonNullElse(deviceId, bmv2 ? BMV2_DEVICE_ID : DEFAULT_DEVICE_ID),
        cpuPort(ports),
        Optional.ofNullable(gnmi));
  }

  private int cpuPort(List<PortOption> ports) {
    if (cpuPort == null) {
      return 0;
    }
    for (PortOption port : ports) {
      if (port.number() == cpuPort) {
        throw new OptionException(
            "--cpu-port", cpuPort + "", "a port that no -i names; " + port.text() + " has it");
      }
    }
    return cpuPort;
  }
}
