package net.sluice.emulator.rpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;

/** An authority that certifies keys of servers and clients on this machine. */
public final class TestAuthority {

  // DER tags.
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OID = 0x06;
  private static final int UTF8 = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  private static final byte[] ECDSA_SHA256 =
      der(SEQUENCE, der(OID, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)));
  private static final byte[] VALIDITY =
      der(SEQUENCE, der(UTC_TIME, text("200101000000Z")), der(UTC_TIME, text("491231235959Z")));
  private static final byte[] TRUE = der(BOOLEAN, bytes(0xff));

  private final KeyPair keys = newKeys("EC", 256);
  private final String name;

  /** Its own certificate, in PEM. */
  public final String certificate;

  private int serial = 1;

  /** An authority with a name. */
  public TestAuthority(String name) {
    this.name = name;
    byte[] isAuthority =
        der(
            SEQUENCE,
            der(OID, bytes(0x55, 0x1d, 0x13)),
            TRUE,
            der(OCTET_STRING, der(SEQUENCE, TRUE)));
    certificate = certify(name, keys, isAuthority);
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
    byte[] atLoopback =
        der(
            SEQUENCE,
            der(OID, bytes(0x55, 0x1d, 0x11)),
            der(OCTET_STRING, der(SEQUENCE, der(0x87, bytes(127, 0, 0, 1)))));
    return certify(subject, of, atLoopback);
  }

  private String certify(String subject, KeyPair of, byte[] extension) {
    byte[] certificate =
        der(
            SEQUENCE,
            der(0xa0, der(INTEGER, bytes(2))),
            der(INTEGER, bytes(serial++)),
            ECDSA_SHA256,
            named(name),
            VALIDITY,
            named(subject),
            of.getPublic().getEncoded(),
            der(0xa3, der(SEQUENCE, extension)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(certificate);
      byte[] signed = der(BIT_STRING, bytes(0), signature.sign());
      return pem("CERTIFICATE", der(SEQUENCE, certificate, ECDSA_SHA256, signed));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A private key in PEM. */
  public static String pem(KeyPair of) {
    return pem("PRIVATE KEY", of.getPrivate().getEncoded());
  }

  static String pem(String label, byte[] bytes) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(bytes)
        + "\n-----END "
        + label
        + "-----\n";
  }

  private static byte[] named(String name) {
    return der(
        SEQUENCE, der(SET, der(SEQUENCE, der(OID, bytes(0x55, 4, 3)), der(UTF8, text(name)))));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    try {
      for (byte[] part : parts) {
        content.write(part);
      }
      element.write(tag);
      if (content.size() > 0xff) {
        element.write(0x82);
        element.write(content.size() >> 8);
      } else if (content.size() > 0x7f) {
        element.write(0x81);
      }
      element.write(content.size());
      element.write(content.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return element.toByteArray();
  }
}
