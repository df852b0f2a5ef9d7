package net.sluice.standalone.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates and keys that openssl makes, as an operator would. */
final class TestCertificates {
  private static final String PASSWORD = "test-only";
  private final Path directory;

  TestCertificates(Path directory) {
    this.directory = directory;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  /** An authority: {@code NAME.pem} and {@code NAME.key}. */
  void authority(String name) throws IOException, InterruptedException {
    run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=" + name,
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem");
  }

  /** A certificate of an authority: {@code NAME.pem}, {@code NAME.key}. */
  void certificate(String name, String subject, String authority)
      throws IOException, InterruptedException {
    run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        subject,
        "-addext",
        "subjectAltName=IP:127.0.0.1,DNS:localhost",
        "-CA",
        authority + ".pem",
        "-CAkey",
        authority + ".key",
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem");
  }

  private void run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(file("openssl.log").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(Files.readString(file("openssl.log")));
    }
  }

  /** A client that trusts an authority, and has a certificate unless {@code own} is null. */
  SSLContext client(String authority, String own) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(file(authority + ".pem"))) {
      Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(in);
      trusted.setCertificateEntry("authority", read);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore identity = KeyStore.getInstance("PKCS12");
    identity.load(null, null);
    if (own != null) {
      run(
          "pkcs12",
          "-export",
          "-in",
          own + ".pem",
          "-inkey",
          own + ".key",
          "-out",
          own + ".p12",
          "-passout",
          "pass:" + PASSWORD);
      try (InputStream in = Files.newInputStream(file(own + ".p12"))) {
        identity.load(in, PASSWORD.toCharArray());
      }
    }
    keys.init(identity, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
