package net.sluice.endpoints;

import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates and keys of one side of TLS in PEM files (RFC 7468) that the operator names, read
 * anew when they change. Files that cannot be used then leave in force what was read before, and
 * the log says why.
 */
public final class TlsFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");
  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String CERTIFICATE_BEGIN = "-----BEGIN CERTIFICATE-----";

  private final Names names;
  private List<Optional<FileStamp>> stamps;
  private Content content;

  /**
   * The files' names.
   *
   * @param identity the own certificate and its key; empty for none
   * @param authorities whose certificates the other side may have; empty for any, of a server those
   *     that Java knows
   */
  public record Names(Optional<Identity> identity, Optional<Path> authorities) {}

  /**
   * The files with the proof of who this side is.
   *
   * @param certificate a certificate, followed by those that lead to one that the other side knows
   * @param key its private key, PKCS #8 and not encrypted
   */
  public record Identity(Path certificate, Path key) {}

  /** A file that cannot be used. The message says why, without its name or content. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Path file;

    Unusable(Path file, String why) {
      super(why);
      this.file = file;
    }

    /** The file that it is about. */
    public Path file() {
      return file;
    }
  }

  /** The files' contents: an identity, or none, and the authorities, empty for those of Java. */
  public record Content(
      List<X509Certificate> chain, Optional<PrivateKey> key, List<X509Certificate> authorities) {
    /** For a server, or for a client, of TLS 1.2 and 1.3. */
    public SSLContext context() {
      try {
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        if (key.isPresent()) {
          own.setKeyEntry("own", key.get(), new char[0], chain.toArray(new X509Certificate[0]));
        }
        keys.init(own, new char[0]);
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (authorities.isEmpty()) {
          trust.init((KeyStore) null);
        } else {
          KeyStore trusted = KeyStore.getInstance("PKCS12");
          trusted.load(null, null);
          for (int i = 0; i < authorities.size(); i++) {
            trusted.setCertificateEntry("authority-" + i, authorities.get(i));
          }
          trust.init(trusted);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException("Java refuses certificates that it has read", e);
      }
    }
  }

  /**
   * Reads the files.
   *
   * @throws Unusable if one cannot be used
   */
  public TlsFiles(Names names) throws Unusable {
    this.names = names;
    stamps = stamps();
    content = read();
  }

  /** The files' contents; what they were before if they cannot be used by now. */
  public synchronized Content content() {
    List<Optional<FileStamp>> now = stamps();
    if (!now.equals(stamps)) {
      stamps = now;
      try {
        content = read();
        LOG.info("{} was read anew", text());
      } catch (Unusable e) {
        LOG.error("{} cannot be used, what was read before stays: {}", e.file(), e.getMessage());
      }
    }
    return content;
  }

  private String text() {
    return String.join(", ", files().stream().map(Path::toString).toList());
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    names.identity.ifPresent(own -> files.add(own.certificate));
    names.identity.ifPresent(own -> files.add(own.key));
    names.authorities.ifPresent(files::add);
    return files;
  }

  /** Of a file that cannot be looked at, none. */
  private List<Optional<FileStamp>> stamps() {
    List<Optional<FileStamp>> stamps = new ArrayList<>();
    for (Path file : files()) {
      try {
        stamps.add(Optional.of(FileStamp.of(file)));
      } catch (IOException e) {
        stamps.add(Optional.empty());
      }
    }
    return stamps;
  }

  private Content read() throws Unusable {
    List<X509Certificate> chain = List.of();
    Optional<PrivateKey> key = Optional.empty();
    if (names.identity.isPresent()) {
      Identity own = names.identity.get();
      chain = certificates(own.certificate);
      key = Optional.of(key(own.key));
      if (!belongTogether(key.get(), chain.get(0).getPublicKey())) {
        throw new Unusable(own.key, "the key does not belong to the certificate");
      }
    }
    return new Content(
        chain,
        key,
        names.authorities.isPresent() ? certificates(names.authorities.get()) : List.of());
  }

  private static List<X509Certificate> certificates(Path file) throws Unusable {
    byte[] pem = bytes(file);
    try {
      X509Certificate[] found = CertificateUtils.getX509Certificates(new ByteArrayInputStream(pem));
      if (found.length > 0) {
        return List.of(found);
      }
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new Unusable(file, "its certificates cannot be read");
    }
    throw new Unusable(file, "there is no " + CERTIFICATE_BEGIN + " in it");
  }

  private static PrivateKey key(Path file) throws Unusable {
    byte[] pem = bytes(file);
    try {
      if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
        throw new Unusable(file, "everybody may read the key; take that away by chmod o-r");
      }
    } catch (UnsupportedOperationException e) {
      LOG.debug("{} has no permissions to look at", file);
    } catch (IOException e) {
      throw new Unusable(file, reason(e));
    }
    if (!new String(pem, StandardCharsets.ISO_8859_1).contains(KEY_BEGIN)) {
      throw new Unusable(
          file,
          "there is no " + KEY_BEGIN + " in it; 'openssl pkcs8 -topk8 -nocrypt' writes that form");
    }
    try {
      return CertificateUtils.getPrivateKey(new ByteArrayInputStream(pem));
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new Unusable(file, "its key cannot be read; it must be one of RSA or EC");
    }
  }

  private static byte[] bytes(Path file) throws Unusable {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new Unusable(file, reason(e));
    }
  }

  private static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return failure instanceof AccessDeniedException
        ? "it may not be read"
        : "it cannot be read: " + failure.getMessage();
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
}
