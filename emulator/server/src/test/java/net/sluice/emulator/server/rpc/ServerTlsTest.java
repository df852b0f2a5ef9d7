package net.sluice.emulator.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.Arrays;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.junit.jupiter.api.Test;

/** PEM files that are read, and those that are refused. */
class ServerTlsTest {

  private final TestAuthority authority = new TestAuthority("authority");
  private final KeyPair keys = TestAuthority.newKeys("EC", 256);
  private final String certificate = authority.certify("server", keys);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private ServerTls tls() throws PemException {
    return new ServerTls(bytes(certificate));
  }

  @Test
  void keysOfEveryKindAndFormAreTaken() throws PemException {
    assertTaken(certificate, TestAuthority.pem(keys), keys);
    KeyPair rsa = TestAuthority.newKeys("RSA", 2048);
    String ofRsa = authority.certify("server", rsa);
    assertTaken(ofRsa, TestAuthority.pem(rsa), rsa);
    // The older forms stand inside the newer one: behind the version and the algorithm.
    byte[] pkcs8 = rsa.getPrivate().getEncoded();
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
    assertTaken(ofRsa, TestAuthority.pem("RSA PRIVATE KEY", pkcs1), rsa);
  }

  private static BigInteger number(PrivateKey key) {
    return key instanceof ECPrivateKey curve
        ? curve.getS()
        : ((RSAPrivateKey) key).getPrivateExponent();
  }

  /** The server proves itself by this certificate and this key. */
  private static void assertTaken(String certificate, String key, KeyPair expected)
      throws PemException {
    Identity identity = new Identity(bytes(certificate));
    identity.key(bytes(key));
    assertThat(number(identity.key())).isEqualTo(number(expected.getPrivate()));
    assertThat(identity.certificates())
        .singleElement()
        .extracting(X509Certificate::getPublicKey)
        .isEqualTo(expected.getPublic());
    assertThat(new ServerTls(bytes(certificate)).key(bytes(key)).credentials()).isNotNull();
  }

  @Test
  void keysOfCurvesAreTakenInTheirOldFormToo() throws PemException {
    byte[] pkcs8 = keys.getPrivate().getEncoded();
    // SEC 1 with its curve: version 1, 32 bytes of key, the curve tagged 0.
    byte[] secret = secret(pkcs8);
    byte[] sec1 = new byte[51];
    sec1[0] = 0x30;
    sec1[1] = 49;
    System.arraycopy(new byte[] {2, 1, 1, 4, 32}, 0, sec1, 2, 5);
    System.arraycopy(secret, 0, sec1, 7, 32);
    byte[] curve = {(byte) 0xa0, 10, 6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 3, 1, 7};
    System.arraycopy(curve, 0, sec1, 39, 12);
    String older =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
            + TestAuthority.pem("EC PRIVATE KEY", sec1);
    assertTaken(certificate, older, keys);
    for (int length = 0; length < sec1.length; length++) {
      byte[] cut = Arrays.copyOf(sec1, length);
      assertThatThrownBy(() -> tls().key(bytes(TestAuthority.pem("EC PRIVATE KEY", cut))))
          .isInstanceOf(PemException.class);
    }
  }

  /** The number that an elliptic curve's private key is. */
  private static byte[] secret(byte[] pkcs8) {
    for (int i = 0; i + 34 <= pkcs8.length; i++) {
      if (pkcs8[i] == 4 && pkcs8[i + 1] == 32) {
        return Arrays.copyOfRange(pkcs8, i + 2, i + 34);
      }
    }
    throw new IllegalStateException("no key in " + Arrays.toString(pkcs8));
  }

  @Test
  void whatIsNoCertificateOrKeyIsRefused() throws Exception {
    String words = "nothing of the kind";
    String broken = TestAuthority.pem("CERTIFICATE", new byte[] {1, 2, 3});
    assertThatThrownBy(() -> new ServerTls(bytes(words)))
        .hasMessage("there is no -----BEGIN CERTIFICATE----- in it");
    assertThatThrownBy(() -> new ServerTls(bytes(certificate + broken)))
        .hasMessage("certificate 2 in it cannot be read");
    assertThatThrownBy(() -> tls().onlyClientsOf(bytes(TestAuthority.pem(keys))))
        .hasMessage("there is no -----BEGIN CERTIFICATE----- in it");
    assertThatThrownBy(() -> ServerTls.checkAuthorities(bytes(broken)))
        .hasMessage("certificate 1 in it cannot be read");
    assertThatThrownBy(() -> tls().key(bytes(certificate)))
        .hasMessage("there is no -----BEGIN PRIVATE KEY----- in it");
    byte[] encrypted =
        new EncryptedPrivateKeyInfo(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.id_PBES2), new byte[9])
            .getEncoded();
    assertThatThrownBy(
            () -> tls().key(bytes(TestAuthority.pem("ENCRYPTED PRIVATE KEY", encrypted))))
        .hasMessage("the key in it is encrypted; it must not be");
    assertThatThrownBy(() -> tls().key(bytes(TestAuthority.pem("PRIVATE KEY", new byte[9]))))
        .hasMessage("the key in it cannot be read; it must be one of [RSA, EC]");
    KeyPair edwards = TestAuthority.newKeys("Ed25519", 255);
    assertThatThrownBy(() -> tls().key(bytes(TestAuthority.pem(edwards))))
        .hasMessage("the key in it cannot be read; it must be one of [RSA, EC]");
    KeyPair other = TestAuthority.newKeys("EC", 256);
    assertThatThrownBy(() -> tls().key(bytes(TestAuthority.pem(other))))
        .hasMessage("the key in it does not belong to the certificate");
    KeyPair rsa = TestAuthority.newKeys("RSA", 2048);
    assertThatThrownBy(() -> tls().key(bytes(TestAuthority.pem(rsa))))
        .hasMessage("the key in it does not belong to the certificate");
  }
}
