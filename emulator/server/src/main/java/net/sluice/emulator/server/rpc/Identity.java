package net.sluice.emulator.server.rpc;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/**
 * One side's proof of identity in a TLS session: its certificate, those that lead to one that the
 * other side knows, and the private key.
 */
final class Identity {

  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private final List<X509Certificate> chain;
  private PrivateKey key;

  /**
   * With a certificate, and those that lead to a known one.
   *
   * @param certificates a PEM file
   * @throws PemException if there is none in it
   */
  Identity(byte[] certificates) throws PemException {
    chain = Pem.certificates(certificates);
  }

  /**
   * The private key that belongs to the certificate.
   *
   * @param file a PEM file
   * @throws PemException if there is none in it, or it belongs to another certificate
   */
  void key(byte[] file) throws PemException {
    PrivateKey read = Pem.privateKey(file);
    if (!belongTogether(read, chain.get(0).getPublicKey())) {
      throw new PemException("the key in it does not belong to the certificate");
    }
    key = read;
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

  /** The certificate, followed by those that lead to a known one. */
  X509Certificate[] certificates() {
    return chain.toArray(new X509Certificate[0]);
  }

  /** The key; after {@link #key(byte[])}. */
  PrivateKey key() {
    return key;
  }
}
