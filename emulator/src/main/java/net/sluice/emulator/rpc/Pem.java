package net.sluice.emulator.rpc;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and private keys in PEM (RFC 7468). Keys may be in PKCS #8, and in the older forms
 * of RSA (PKCS #1, RFC 8017 appendix A) and elliptic curves (SEC 1, RFC 5915), not encrypted.
 */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([A-Za-z0-9+/=\\s]*?)\\s*-----END \\1-----");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final List<String> KEY_KINDS = List.of("RSA", "EC");

  // DER: universal tags, and the two algorithms whose keys have a form of their own.
  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int CURVE = 0xa0;
  private static final byte[] VERSION = {INTEGER, 1, 0};
  private static final byte[] RSA = {
    SEQUENCE, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
  };
  private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

  private Pem() {}

  /**
   * The certificates in a file, in their order.
   *
   * @throws PemException if there is none, or one cannot be read
   */
  static List<X509Certificate> certificates(byte[] file) throws PemException {
    List<X509Certificate> certificates = new ArrayList<>();
    Matcher block = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
    while (block.find()) {
      if (block.group(1).equals(CERTIFICATE)) {
        int number = certificates.size() + 1;
        try {
          certificates.add(
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(bytes(block))));
        } catch (CertificateException e) {
          throw new PemException("certificate " + number + " in it cannot be read", e);
        }
      }
    }
    if (certificates.isEmpty()) {
      throw new PemException("there is no -----BEGIN CERTIFICATE----- in it");
    }
    return certificates;
  }

  private static byte[] bytes(Matcher block) throws PemException {
    try {
      return Base64.getMimeDecoder().decode(block.group(2));
    } catch (IllegalArgumentException e) {
      throw new PemException(block.group(1) + " in it is not base64", e);
    }
  }

  /**
   * The first private key in a file.
   *
   * @throws PemException if there is none, it is encrypted or cannot be read
   */
  static PrivateKey privateKey(byte[] file) throws PemException {
    Matcher block = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
    while (block.find()) {
      switch (block.group(1)) {
        case "PRIVATE KEY":
          return pkcs8(bytes(block));
        case "RSA PRIVATE KEY":
          return pkcs8(der(SEQUENCE, VERSION, RSA, der(OCTET_STRING, bytes(block))));
        case "EC PRIVATE KEY":
          return pkcs8(ofCurve(bytes(block)));
        default:
      }
    }
    String text = new String(file, StandardCharsets.ISO_8859_1);
    throw new PemException(
        text.contains("ENCRYPTED")
            ? "the key in it is encrypted; it must not be"
            : "there is no -----BEGIN PRIVATE KEY----- in it");
  }

  private static PrivateKey pkcs8(byte[] key) throws PemException {
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(key));
      } catch (GeneralSecurityException e) {
        // It is of another kind, or of none.
        continue;
      }
    }
    throw new PemException("the key in it cannot be read; it must be one of " + KEY_KINDS);
  }

  /** A key of SEC 1 in PKCS #8; the curve is among its parts, tagged 0. */
  private static byte[] ofCurve(byte[] key) throws PemException {
    PemException unreadable = new PemException("the EC PRIVATE KEY in it cannot be read");
    int at = key.length < 2 ? 0 : content(key, 0);
    if (at == 0 || key[0] != SEQUENCE) {
      throw unreadable;
    }
    while (at + 1 < key.length) {
      int from = content(key, at);
      int to = from + length(key, at);
      if (to > key.length || to < from) {
        throw unreadable;
      }
      if ((key[at] & 0xff) == CURVE) {
        byte[] curve = Arrays.copyOfRange(key, from, to);
        return der(SEQUENCE, VERSION, der(SEQUENCE, EC, curve), der(OCTET_STRING, key));
      }
      at = to;
    }
    throw unreadable;
  }

  /** Where the content of the element at a place begins. */
  private static int content(byte[] der, int at) {
    return der[at + 1] >= 0 ? at + 2 : at + 2 + (der[at + 1] & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int length = der[at + 1];
    if (length >= 0) {
      return length;
    }
    int end = content(der, at);
    length = 0;
    for (int i = at + 2; i < end && i < der.length; i++) {
      length = length << 8 | der[i] & 0xff;
    }
    return length;
  }

  private static byte[] der(int tag, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    int lengthBytes = length < 0x80 ? 0 : (39 - Integer.numberOfLeadingZeros(length)) / 8;
    byte[] element = new byte[2 + lengthBytes + length];
    element[0] = (byte) tag;
    element[1] = (byte) (lengthBytes == 0 ? length : 0x80 | lengthBytes);
    for (int i = 0; i < lengthBytes; i++) {
      element[2 + i] = (byte) (length >>> 8 * (lengthBytes - 1 - i));
    }
    int at = 2 + lengthBytes;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, element, at, part.length);
      at += part.length;
    }
    return element;
  }
}
