package net.sluice.emulator.server.rpc;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** An authority that certifies keys of servers and clients on this machine. */
public final class TestAuthority {

  private static final Date FROM = Date.from(Instant.parse("2020-01-01T00:00:00Z"));
  private static final Date TO = Date.from(Instant.parse("2049-12-31T23:59:59Z"));

  private final KeyPair keys = newKeys("EC", 256);
  private final String name;

  /** Its own certificate, in PEM. */
  public final String certificate;

  private int serial = 1;

  /** An authority with a name. */
  public TestAuthority(String name) {
    this.name = name;
    certificate = certify(name, keys, Extension.basicConstraints, new BasicConstraints(true));
  }

  /** New keys. */
  public static KeyPair newKeys(String kind, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A certificate, in PEM, of somebody at 127.0.0.1 whose keys these are. */
  public String certify(String subject, KeyPair of) {
    GeneralNames loopback = new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    return certify(subject, of, Extension.subjectAlternativeName, loopback);
  }

  private String certify(
      String subject, KeyPair of, ASN1ObjectIdentifier extension, ASN1Encodable value) {
    try {
      byte[] certified =
          new JcaX509v3CertificateBuilder(
                  new X500Name("CN=" + name),
                  BigInteger.valueOf(serial++),
                  FROM,
                  TO,
                  new X500Name("CN=" + subject),
                  of.getPublic())
              .addExtension(extension, extension.equals(Extension.basicConstraints), value)
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
              .getEncoded();
      return pem("CERTIFICATE", certified);
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A private key in PEM. */
  public static String pem(KeyPair of) {
    return pem("PRIVATE KEY", of.getPrivate().getEncoded());
  }

  static String pem(String label, byte[] bytes) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(label, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
