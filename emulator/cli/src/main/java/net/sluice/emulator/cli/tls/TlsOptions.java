package net.sluice.emulator.cli.tls;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import net.sluice.cli.OptionException;
import net.sluice.cli.Options;
import net.sluice.emulator.server.rpc.ServerTls;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Certificates and keys of P4Runtime and gNMI: the options of bmv2's {@code simple_switch_grpc},
 * and the same for gNMI.
 */
public final class TlsOptions {

  @Option(
      names = "--grpc-server-ssl",
      description = "Serve P4Runtime over TLS; needs --grpc-server-cert and --grpc-server-key.")
  private boolean grpcSsl;

  @Option(
      names = "--grpc-server-cert",
      paramLabel = "FILE",
      description = "The server's certificate, in PEM, followed by those that lead to a known one.")
  private String grpcCert;

  @Option(
      names = "--grpc-server-key",
      paramLabel = "FILE",
      description = "The certificate's private key, in PEM, not encrypted.")
  private String grpcKey;

  @Option(
      names = "--grpc-server-cacert",
      paramLabel = "FILE",
      description = "Certificates, in PEM, of authorities that vouch for clients.")
  private String grpcCaCert;

  @Option(
      names = "--grpc-server-with-client-auth",
      description = "Take only clients that --grpc-server-cacert's authorities vouch for.")
  private boolean grpcClientAuth;

  @Option(
      names = "--gnmi-server-ssl",
      description = "Serve gNMI over TLS; needs --gnmi-server-cert and --gnmi-server-key.")
  private boolean gnmiSsl;

  @Option(
      names = "--gnmi-server-cert",
      paramLabel = "FILE",
      description = "As --grpc-server-cert, for gNMI.")
  private String gnmiCert;

  @Option(
      names = "--gnmi-server-key",
      paramLabel = "FILE",
      description = "As --grpc-server-key, for gNMI.")
  private String gnmiKey;

  @Option(
      names = "--gnmi-server-cacert",
      paramLabel = "FILE",
      description = "As --grpc-server-cacert, for gNMI.")
  private String gnmiCaCert;

  @Option(
      names = "--gnmi-server-with-client-auth",
      description = "As --grpc-server-with-client-auth, for gNMI.")
  private boolean gnmiClientAuth;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * How servers and clients prove who they are.
   *
   * @param grpc of P4Runtime
   * @param gnmi of gNMI
   */
  public record Credentials(ServerCredentials grpc, ServerCredentials gnmi) {}

  /**
   * Checks them and reads the files.
   *
   * @param captures whether captures are switched, which serves nobody
   * @param gnmi whether gNMI is served
   * @param beside whether it is served where P4Runtime is, and so as that is
   * @throws OptionException if one is not allowed
   */
  public Credentials read(boolean captures, boolean gnmi, boolean beside) {
    Server grpcServer =
        new Server(
            command, "--grpc-server-", grpcSsl, grpcCert, grpcKey, grpcCaCert, grpcClientAuth);
    Server gnmiServer =
        new Server(
            command, "--gnmi-server-", gnmiSsl, gnmiCert, gnmiKey, gnmiCaCert, gnmiClientAuth);
    if (captures) {
      grpcServer.refuse("nothing together with --pcap, which serves nobody");
      gnmiServer.refuse("nothing together with --pcap, which serves nobody");
    }
    if (!gnmi) {
      gnmiServer.refuse("nothing without --gnmi");
    }
    if (beside) {
      gnmiServer.refuse(
          "nothing where --gnmi has P4Runtime's address: --grpc-server-ssl is for both");
    }
    return new Credentials(grpcServer.credentials(), gnmiServer.credentials());
  }

  /** The options of one of the two. */
  private record Server(
      CommandSpec command,
      String prefix,
      boolean ssl,
      String cert,
      String key,
      String caCert,
      boolean clientAuth) {

    ServerCredentials credentials() {
      if (!ssl) {
        refuse("nothing without " + prefix + "ssl");
        return InsecureServerCredentials.create();
      }
      needed("cert", cert, "the server's certificate, which " + prefix + "ssl needs");
      needed("key", key, "the certificate's private key, which " + prefix + "ssl needs");
      if (clientAuth) {
        needed(
            "cacert",
            caCert,
            "certificates of authorities, which " + prefix + "with-client-auth" + " needs");
      }
      ServerTls tls = in("cert", cert, ServerTls::new);
      in("key", key, tls::key);
      if (clientAuth) {
        in("cacert", caCert, tls::onlyClientsOf);
      } else if (caCert != null) {
        in("cacert", caCert, ServerTls::checkAuthorities);
      }
      // What is left can only be wrong with the certificates, whose files have been read.
      return in("cert", cert, read -> tls.credentials());
    }

    private void needed(String option, String value, String what) {
      if (value == null) {
        throw OptionException.missing(prefix + option, what);
      }
    }

    /** Refuses whichever is given. */
    void refuse(String allowed) {
      Options.refuse(
          command,
          allowed,
          prefix + "ssl",
          prefix + "with-client-auth",
          prefix + "cert",
          prefix + "key",
          prefix + "cacert");
    }

    private <T> T in(String option, String file, PemOption.Use<T> use) {
      return PemOption.read(prefix + option, file, allowed(option), use);
    }

    private String allowed(String option) {
      return option.equals("key")
          ? "a PEM file with the private key of " + prefix + "cert"
          : "a PEM file with certificates";
    }
  }
}
