package net.sluice.standalone.http;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.sluice.cli.Durations;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import net.sluice.endpoints.TlsFiles;
import net.sluice.northbound.usage.UsageSettings;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.settings.EdgeOptions;
import net.sluice.rest.settings.EdgeSettings;
import net.sluice.standalone.guard.Authentication;
import net.sluice.standalone.guard.TokenFile;
import net.sluice.standalone.guard.Tokens;
import net.sluice.standalone.network.WebhookOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say where the API is, whom it serves, and what they may take up. */
public final class HttpOptions {
  private static final String DEFAULT_CONNECTIONS = "512";
  private static final String DEFAULT_REQUEST = "30s";
  private static final String DEFAULT_BULK = "60s";
  private static final String DEFAULT_DRAIN = "10s";
  private static final String DEFAULT_AUDIT_MIB = "1024";
  private static final String DEFAULT_MIN_FREE_MIB = "64";
  private static final long MIB = 1 << 20;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8181",
      description = "Where the API listens; port 0 takes a free one. Default: ${DEFAULT-VALUE}")
  private InetSocketAddress address;

  @Option(
      names = "--health",
      paramLabel = "HOST:PORT",
      description =
          "Where /health/live and /health/ready are answered, on threads of their own. Default: the"
              + " host of --http and the port above its, or a free one if that is 0")
  private InetSocketAddress health;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Certificate of the API in PEM, followed by those that lead to one that clients know;"
              + " read anew when it changes. Without it the API is plain HTTP, on the loopback"
              + " interface only")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of --tls-cert in PEM (PKCS #8), which others may not read.")
  private Path key;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Mutual TLS: authorities in PEM, one of which must have signed each client's"
              + " certificate.")
  private Path clientAuthorities;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description =
          "Who may call the API, as 'sluice token add' writes it; read anew when it changes."
              + " Without it anybody who can connect may, on the loopback interface only")
  private Path tokens;

  @Option(
      names = "--audit-log-mib",
      paramLabel = "MIB",
      description =
          "How much of the log of changes is kept, who asked and what came of it, in MiB of 1048576"
              + " bytes. Default: "
              + DEFAULT_AUDIT_MIB)
  @Range(min = 1, max = 1 << 20)
  private int auditMib = 1024;

  @Option(
      names = "--min-free-mib",
      paramLabel = "MIB",
      description =
          "Changes are refused, and the controller is not ready, while less is free where"
              + " declarations are kept, in MiB of 1048576 bytes; 0 for"
              + " never. Default: "
              + DEFAULT_MIN_FREE_MIB)
  @Range(min = 0, max = 1 << 20)
  private long minFreeMib = HttpSettings.MIN_FREE_BYTES / MIB;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description =
          "Most connections to the API at a time; others wait. Default: " + DEFAULT_CONNECTIONS)
  @Range(min = 4, max = 100_000)
  private int connections = HttpLimits.DEFAULT.connections();

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "How long a client may take to send the headers of a request, then its body, and be"
              + " silent between requests, 1s to 10m. Default: "
              + DEFAULT_REQUEST)
  private Duration request = HttpLimits.DEFAULT.request();

  @Option(
      names = "--bulk-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "How long a bulk request may pause before it is cut off, 1s to 10m. Default: "
              + DEFAULT_BULK)
  private Duration bulk = HttpLimits.DEFAULT.bulkPause();

  @Option(
      names = "--drain-timeout",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "How long requests under way have to be answered after SIGTERM, 1s to 10m. Default: "
              + DEFAULT_DRAIN)
  private Duration drain = HttpLimits.DEFAULT.drain();

  @Mixin private EdgeOptions edge = new EdgeOptions();

  @Mixin private WebhookOptions webhooks = new WebhookOptions();

  /** A time that a client may take. */
  static final class Time implements ITypeConverter<Duration> {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Override
    public Duration convert(String text) {
      Duration time = Duration.ofNanos(Durations.nanos(text).orElse(-1));
      if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
        throw new InvalidOption("a time from 1s to 10m, written like 10s or 2m");
      }
      return time;
    }
  }

  /**
   * The settings that the options give together.
   *
   * @throws OptionException if they do not fit together, or a file cannot be used
   */
  public HttpSettings settings() {
    requireGuard();
    InetSocketAddress next =
        health != null
            ? health
            : new InetSocketAddress(
                address.getAddress(), address.getPort() == 0 ? 0 : above(address.getPort()));
    EdgeSettings clients = edge.settings(UnaryOperator.identity());
    return new HttpSettings(
        address,
        Optional.of(next),
        new HttpLimits(connections, request, bulk, drain),
        AllowedCallers.of(address, clients.hosts(), clients.origins()),
        tls(),
        callers(),
        auditMib * MIB,
        clients.closed(),
        clients.needsConditions(),
        webhooks.settings(clients.webhooks()),
        clients.traces(),
        new UsageSettings(Optional.empty(), clients.usageEvery()),
        minFreeMib * MIB);
  }

  /** Refuses to serve the network without proof of who calls, in plain text. */
  private void requireGuard() {
    List<String> missing = new ArrayList<>();
    if (certificate == null) {
      missing.add("--tls-cert and --tls-key");
    }
    if (tokens == null) {
      missing.add("--tokens (a file that 'sluice token add' makes)");
    }
    if (!missing.isEmpty() && !address.getAddress().isLoopbackAddress()) {
      throw new OptionException(
          "--http",
          ListenAddress.text(address),
          "an address of the loopback interface, such as 127.0.0.1:8181, without "
              + String.join(" and without ", missing));
    }
  }

  private Optional<TlsFiles> tls() {
    if (certificate == null) {
      refuse("--tls-key", key, "nothing without --tls-cert");
      refuse("--tls-client-ca", clientAuthorities, "nothing without --tls-cert");
      return Optional.empty();
    }
    if (key == null) {
      throw OptionException.missing("--tls-key", "a PEM file with the key of --tls-cert");
    }
    if (tokens == null) {
      refuse(
          "--tls-client-ca",
          clientAuthorities,
          "nothing without --tokens, which says what certificates may do");
    }
    try {
      return Optional.of(
          new TlsFiles(
              new TlsFiles.Names(
                  Optional.of(new TlsFiles.Identity(certificate, key)),
                  Optional.ofNullable(clientAuthorities))));
    } catch (TlsFiles.Unusable e) {
      String option =
          e.file().equals(certificate)
              ? "--tls-cert"
              : e.file().equals(key) ? "--tls-key" : "--tls-client-ca";
      throw new OptionException(
          option, e.file().toString(), "a PEM file that can be used; " + e.getMessage());
    }
  }

  private static void refuse(String option, Path given, String allowed) {
    if (given != null) {
      throw new OptionException(option, given.toString(), allowed);
    }
  }

  private Callers callers() {
    if (tokens == null) {
      return Callers.ANYBODY;
    }
    try {
      return new Authentication(new Tokens(new TokenFile(tokens)));
    } catch (TokenFile.Unusable e) {
      throw new OptionException(
          "--tokens", tokens.toString(), "a file that 'sluice token' keeps; " + e.getMessage());
    }
  }

  /** The port above the highest is any. */
  private static int above(int port) {
    return port == 65_535 ? 0 : port + 1;
  }
}
