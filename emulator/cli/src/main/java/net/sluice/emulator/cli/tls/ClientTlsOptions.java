package net.sluice.emulator.cli.tls;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import net.sluice.cli.OptionException;
import net.sluice.cli.Options;
import net.sluice.emulator.server.rpc.ClientTls;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a switch that serves over TLS is spoken to. */
public final class ClientTlsOptions {

  private static final String CERTIFICATES = "a PEM file with certificates";

  @Option(names = "--tls", description = "With --attach: the switch serves P4Runtime over TLS.")
  private boolean tls;

  @Option(
      names = "--tls-cacert",
      paramLabel = "FILE",
      description =
          "Certificates, in PEM, of authorities that vouch for the switch. Default: those that Java"
              + " knows")
  private String caCert;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "A certificate to show, in PEM; needs --tls-key.")
  private String cert;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The private key of --tls-cert, in PEM, not encrypted.")
  private String key;

  @Option(
      names = "--tls-name",
      paramLabel = "NAME",
      description = "The name in the switch's certificate. Default: the host of --attach")
  private String name;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** The name that the switch's certificate must have, or null for its host's. */
  public String name() {
    return name;
  }

  /** Whether TLS is spoken. */
  public boolean tls() {
    return tls;
  }

  /**
   * Checks them and reads the files.
   *
   * @throws OptionException if one is not allowed
   */
  public ChannelCredentials credentials() {
    if (!tls) {
      refuse("nothing without --tls");
      return InsecureChannelCredentials.create();
    }
    if (cert == null && key != null) {
      throw OptionException.missing("--tls-cert", "the certificate of --tls-key");
    }
    if (cert != null && key == null) {
      throw OptionException.missing("--tls-key", "the private key of --tls-cert");
    }
    if (name != null && !name.matches("[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")) {
      throw new OptionException("--tls-name", name, "a host name or an IP address");
    }
    ClientTls read = new ClientTls();
    if (caCert != null) {
      PemOption.read("--tls-cacert", caCert, CERTIFICATES, read::onlyServersOf);
    }
    if (cert != null) {
      PemOption.read("--tls-cert", cert, CERTIFICATES, read::certificate);
      PemOption.read("--tls-key", key, "a PEM file with the private key of --tls-cert", read::key);
    }
    return read.credentials();
  }

  /** Refuses whichever is given. */
  public void refuse(String allowed) {
    Options.refuse(
        command, allowed, "--tls", "--tls-cacert", "--tls-cert", "--tls-key", "--tls-name");
  }
}
