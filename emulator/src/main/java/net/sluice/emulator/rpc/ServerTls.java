package net.sluice.emulator.rpc;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * What a gRPC server is served over TLS with: its certificate and key, and whose certificates it
 * takes of clients, if they need one. Built from the contents of PEM files, each checked by itself,
 * so that a refusal can name its file.
 */
public final class ServerTls {

  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private final List<X509Certificate> chain;
  private PrivateKey key;
  private List<X509Certificate> authorities;

  /**
   * With a certificate, followed by those that lead to one that clients know.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  public ServerTls(byte[] certificates) throws PemException {
    chain = Pem.certificates(certificates);
  }

  /**
   * The private key that belongs to the certificate.
   *
   * @param file a PEM file
   * @throws PemException if there is none in it, or it belongs to another certificate
   */
  public ServerTls key(byte[] file) throws PemException {
    PrivateKey read = Pem.privateKey(file);
    if (!belongTogether(read, chain.get(0).getPublicKey())) {
      throw new PemException("the key in it does not belong to the certificate");
    }
    key = read;
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

  private static boolean belongTogether(PrivateKey key, PublicKey certified) {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    try {
      byte[] text = "sluice".getBytes(StandardCharsets.US_ASCII);
      Signature signature = Signature.getInstance(SIGNATURES.get(key.getAlgorithm()));
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * For the server; after {@link #key}.
   *
   * @throws PemException if what has been read cannot be used all the same
   */
  public ServerCredentials credentials() throws PemException {
    try {
      TlsServerCredentials.Builder built =
          TlsServerCredentials.newBuilder()
              .keyManager(
                  pem(chain),
                  new ByteArrayInputStream(
                      pem("PRIVATE KEY", key.getEncoded()).getBytes(StandardCharsets.US_ASCII)));
      if (authorities != null) {
        built.trustManager(pem(authorities)).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      ServerCredentials credentials = built.build();
      // Reads them more strictly; nothing is opened.
      NettyServerBuilder unused = NettyServerBuilder.forPort(0, credentials);
      return credentials;
    } catch (IllegalArgumentException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw new PemException("TLS cannot use what is in it: " + cause.getMessage(), e);
    } catch (IOException | CertificateEncodingException e) {
      throw new IllegalStateException("what has been read can be written", e);
    }
  }

  private static ByteArrayInputStream pem(List<X509Certificate> certificates)
      throws CertificateEncodingException, IOException {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      text.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static String pem(String label, byte[] bytes) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(label, bytes));
    }
    return text.toString();
  }
}
