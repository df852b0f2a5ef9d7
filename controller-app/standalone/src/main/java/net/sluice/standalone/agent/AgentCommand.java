package net.sluice.standalone.agent;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.LogOptions;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Options;
import net.sluice.cli.StartFailure;
import net.sluice.endpoints.TlsFiles;
import net.sluice.fpga.CoreIdentity;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.fpga.RegisterBusAgent;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.Direction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice agent}: serves the registers of a card in this host, until stopped. */
@Command(
    name = "agent",
    description = {
      "Serve an FPGA's registers to a controller, on the host that the card is plugged into."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class AgentCommand implements Callable<Integer> {
  @Option(
      names = "--registers",
      paramLabel = "FILE",
      description =
          "The PCI resource with the register window of 64 MiB, such as"
              + " /sys/bus/pci/devices/0000:03:00.0/resource0.")
  private String registers;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9601",
      description = "Where controllers connect to. Default: ${DEFAULT-VALUE}")
  private InetSocketAddress listen;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description =
          "Serve over TLS: the agent's certificate, in PEM, followed by those that lead to a known"
              + " one.")
  private String certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The certificate's private key, in PEM (PKCS #8), not encrypted.")
  private String key;

  @Option(
      names = "--client-ca",
      paramLabel = "FILE",
      description =
          "Serve only clients with a certificate that these authorities, in PEM, vouch for.")
  private String clientAuthorities;

  @Option(
      names = "--allow-client",
      paramLabel = "ADDRESS[/LENGTH]",
      converter = Client.class,
      split = ",",
      description =
          "Serve only clients of these addresses; may be repeated. Default: any that can connect.")
  private List<IpPrefix> clients = List.of();

  @Option(
      names = "--plain-text",
      description = "Serve without TLS on other interfaces than the loopback interface, too.")
  private boolean plainText;

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  /** Reads values of {@code --allow-client}. */
  static final class Client implements ITypeConverter<IpPrefix> {
    @Override
    public IpPrefix convert(String text) {
      return AllowedClients.parse(text);
    }
  }

  @Override
  public Integer call() throws StartFailure, InterruptedException {
    logging.apply();
    Path resource = OptionValues.inputFile("--registers", registers);
    ServerCredentials credentials = credentials();
    requireGuarded();
    try (LocalBus card = new CardRegisters(resource)) {
      String core = identify(card, resource);
      serve(start(card, credentials), resource, core);
    }
    return 0;
  }

  private void serve(RegisterBusAgent served, Path resource, String core)
      throws InterruptedException {
    try (RegisterBusAgent agent = served) {
      Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "sluice-stop"));
      spec.commandLine()
          .getOut()
          .printf(
              "sluice agent: ready: %s (%s) on %s, %s, clients %s%n",
              resource,
              core,
              ListenAddress.text(listen, agent.port()),
              certificate == null
                  ? "plain text"
                  : clientAuthorities == null ? "TLS" : "TLS with client certificates",
              clients.isEmpty() ? "of any address" : new AllowedClients(clients).text());
      spec.commandLine().getOut().flush();
      agent.awaitTermination();
    }
  }

  /** A client that can write the registers is master of every subscriber's rate. */
  private void requireGuarded() {
    if (listen.getAddress().isLoopbackAddress()) {
      return;
    }
    if (certificate == null && !plainText) {
      throw new OptionException(
          "--listen",
          ListenAddress.text(listen),
          "an address of the loopback interface, unless --cert and --key are given, or"
              + " --plain-text");
    }
    if (clientAuthorities == null && clients.isEmpty()) {
      throw new OptionException(
          "--listen",
          ListenAddress.text(listen),
          "an address of the loopback interface, unless --client-ca or --allow-client says which"
              + " clients are served");
    }
  }

  private ServerCredentials credentials() {
    if (certificate == null) {
      Options.refuse(spec, "nothing without --cert", "--key", "--client-ca");
      return InsecureServerCredentials.create();
    }
    Options.refuse(spec, "nothing together with --cert", "--plain-text");
    Path certificates = OptionValues.inputFile("--cert", certificate);
    Path privateKey = OptionValues.inputFile("--key", key);
    Optional<Path> authorities =
        Optional.ofNullable(clientAuthorities)
            .map(named -> OptionValues.inputFile("--client-ca", named));
    requireUsable(certificates, privateKey, authorities);
    try {
      TlsServerCredentials.Builder tls =
          TlsServerCredentials.newBuilder().keyManager(certificates.toFile(), privateKey.toFile());
      if (authorities.isPresent()) {
        tls.trustManager(authorities.get().toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      return tls.build();
    } catch (IOException e) {
      throw new OptionException("--cert", certificate, "PEM files that can be read; " + e);
    }
  }

  /** gRPC takes a key that belongs to another certificate, and refuses every handshake then. */
  private static void requireUsable(
      Path certificates, Path privateKey, Optional<Path> authorities) {
    TlsFiles.Identity own = new TlsFiles.Identity(certificates, privateKey);
    try {
      TlsFiles unused = new TlsFiles(new TlsFiles.Names(Optional.of(own), authorities));
    } catch (TlsFiles.Unusable e) {
      String option =
          e.file().equals(certificates)
              ? "--cert"
              : e.file().equals(privateKey) ? "--key" : "--client-ca";
      throw new OptionException(
          option, e.file().toString(), "a PEM file that can be used; " + e.getMessage());
    }
  }

  private RegisterBusAgent start(LocalBus card, ServerCredentials credentials) throws StartFailure {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(listen, credentials).permitKeepAliveTime(5, TimeUnit.SECONDS);
    if (!clients.isEmpty()) {
      builder.intercept(new AllowedClients(clients));
    }
    try {
      return RegisterBusAgent.start(card, builder);
    } catch (IOException e) {
      throw StartFailure.cannotServe("registers", listen, e);
    }
  }

  /** The card has to be there at the start; later it may go and come back. */
  private static String identify(LocalBus card, Path resource) throws StartFailure {
    try {
      // Not closed: that would close the card.
      return new FpgaRegisters(new LocalRegisterBus(card, Runnable::run), Direction.DOWN)
          .identify()
          .toCompletableFuture()
          .join()
          .map(CoreIdentity::text)
          .orElse("a core without identification");
    } catch (CompletionException e) {
      throw new StartFailure("cannot serve " + resource + ": " + e.getCause().getMessage(), e);
    }
  }
}
