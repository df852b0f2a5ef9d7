package net.sluice.emulator.server.rpc;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;

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
      TlsServerCredentials.Builder built =
          TlsServerCredentials.newBuilder().keyManager(identity.certificates(), identity.key());
      if (authorities != null) {
        built
            .trustManager(Identity.pem(authorities))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      ServerCredentials credentials = built.build();
      // Reads them more strictly; nothing is opened.
      NettyServerBuilder unused = NettyServerBuilder.forPort(0, credentials);
      return credentials;
    } catch (IllegalArgumentException e) {
      throw PemException.unusable(e);
    } catch (IOException e) {
      throw new IllegalStateException("what is in memory can be read", e);
    }
  }
}
