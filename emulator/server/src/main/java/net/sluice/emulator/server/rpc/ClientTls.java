package net.sluice.emulator.server.rpc;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * TLS settings of a gRPC client: the authorities of servers that it trusts, by default those that
 * Java knows, and its own certificate and key, for servers that want one. Built from the contents
 * of PEM files, each checked by itself, so that a refusal can name its file.
 */
public final class ClientTls {

  private List<X509Certificate> authorities;
  private Identity own;
  private Identity identity; // "own", as soon as it has its key
  private ChannelCredentials credentials = TlsChannelCredentials.create();

  /**
   * Takes only servers that have a certificate of one of these authorities.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it, or one that cannot be used
   */
  public ClientTls onlyServersOf(byte[] certificates) throws PemException {
    authorities = Pem.certificates(certificates);
    return checked();
  }

  /**
   * The client's own certificate, followed by those that lead to one that servers know.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  public ClientTls certificate(byte[] certificates) throws PemException {
    own = new Identity(certificates);
    return this;
  }

  /**
   * The private key that belongs to the certificate; after {@link #certificate}.
   *
   * @param file a PEM file
   * @throws PemException if there is none in it, it belongs to another certificate, or cannot be
   *     used
   */
  public ClientTls key(byte[] file) throws PemException {
    own.key(file);
    identity = own;
    return checked();
  }

  private ClientTls checked() throws PemException {
    try {
      SslContextBuilder built = GrpcSslContexts.forClient();
      if (authorities != null) {
        built.trustManager(authorities);
      }
      if (identity != null) {
        built.keyManager(identity.key(), identity.certificates());
      }
      credentials = NettySslContextChannelCredentials.create(built.build());
      return this;
    } catch (SSLException | IllegalArgumentException e) {
      throw PemException.unusable(e);
    }
  }

  /** For the client. */
  public ChannelCredentials credentials() {
    return credentials;
  }
}
