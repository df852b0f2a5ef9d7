package net.sluice.emulator.server.rpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * Certificates and private keys in PEM (RFC 7468). Keys may be in PKCS #8, and in the older forms
 * of RSA (PKCS #1, RFC 8017 appendix A) and elliptic curves (SEC 1, RFC 5915), not encrypted.
 *
 * <p>gRPC's own reader of key files refuses elliptic curves in SEC 1, which {@code openssl ecparam
 * -genkey} writes; hence this one.
 */
final class Pem {

  private static final List<String> KEY_KINDS = List.of("RSA", "EC");

  private Pem() {}

  /**
   * The certificates in a file, in their order.
   *
   * @throws PemException if there is none, or one cannot be read
   */
  static List<X509Certificate> certificates(byte[] file) throws PemException {
    List<X509Certificate> certificates = new ArrayList<>();
    try (PEMParser parser = parser(file)) {
      for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
        if (block instanceof X509CertificateHolder x509CertificateHolder) {
          certificates.add(new JcaX509CertificateConverter().getCertificate(x509CertificateHolder));
        }
      }
    } catch (IOException | CertificateException e) {
      throw new PemException(
          "certificate " + (certificates.size() + 1) + " in it cannot be read", e);
    }
    if (certificates.isEmpty()) {
      throw new PemException("there is no -----BEGIN CERTIFICATE----- in it");
    }
    return certificates;
  }

  /**
   * The first private key in a file.
   *
   * @throws PemException if there is none, it is encrypted or cannot be read
   */
  static PrivateKey privateKey(byte[] file) throws PemException {
    try (PEMParser parser = parser(file)) {
      for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
        if (block instanceof PrivateKeyInfo privateKeyInfo) {
          return key(privateKeyInfo);
        }
        if (block instanceof PEMKeyPair pEMKeyPair) {
          return key(pEMKeyPair.getPrivateKeyInfo());
        }
        if (block instanceof PEMEncryptedKeyPair || block instanceof PKCS8EncryptedPrivateKeyInfo) {
          throw new PemException("the key in it is encrypted; it must not be");
        }
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    throw new PemException("there is no -----BEGIN PRIVATE KEY----- in it");
  }

  private static PEMParser parser(byte[] file) {
    return new PEMParser(
        new InputStreamReader(new ByteArrayInputStream(file), StandardCharsets.ISO_8859_1));
  }

  private static PrivateKey key(PrivateKeyInfo info) throws PemException, IOException {
    GeneralSecurityException last = null;
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind)
            .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
      } catch (GeneralSecurityException e) {
        last = e; // It is of another kind, or of none.
      }
    }
    throw unreadable(last);
  }

  private static PemException unreadable(Exception cause) {
    return new PemException("the key in it cannot be read; it must be one of " + KEY_KINDS, cause);
  }
}
