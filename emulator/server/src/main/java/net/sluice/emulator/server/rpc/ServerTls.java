package net.sluice.emulator.server.rpc;

import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextServerCredentials;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * TLS settings of a gRPC server: its certificate and key, and whose certificates it takes of
 * clients, if they need one. Built from the contents of PEM files, each checked by itself, so that
 * a refusal can name its file.
 */
public final class ServerTls {

  private final Identity identity;
  private List<X509Certificate> authorities;

  /**
   * With a certificate, followed by those that lead to one that clients know.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  public ServerTls(byte[] certificates) throws PemException {
    identity = new Identity(certificates);
  }

  /**
   * The private key that belongs to the certificate.
   *
   * @param file a PEM file
   * @throws PemException if there is none in it, or it belongs to another certificate
   */
  public ServerTls key(byte[] file) throws PemException {
    identity.key(file);
    return this;
  }

  /**
   * Takes only clients that have a certificate of one of these authorities.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  public ServerTls onlyClientsOf(byte[] certificates) throws PemException {
    authorities = checkAuthorities(certificates);
    return this;
  }

  /**
   * The certificates of authorities.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  public static List<X509Certificate> checkAuthorities(byte[] certificates) throws PemException {
    return Pem.certificates(certificates);
  }

  /**
   * For the server; after {@link #key}.
   *
   * @throws PemException if what has been read cannot be used all the same
   */
  public ServerCredentials credentials() throws PemException {
    try {
      SslContextBuilder built =
          GrpcSslContexts.configure(
              SslContextBuilder.forServer(identity.key(), identity.certificates()));
      if (authorities != null) {
        built.trustManager(authorities).clientAuth(ClientAuth.REQUIRE);
      }
      return NettySslContextServerCredentials.create(built.build());
    } catch (SSLException | IllegalArgumentException e) {
      throw PemException.unusable(e);
    }
  }
}
