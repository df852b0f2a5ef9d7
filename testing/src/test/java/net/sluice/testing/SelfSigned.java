package net.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Certificates of somebody at 127.0.0.1 who vouches for himself, made by the JDK's keytool. */
public final class SelfSigned {
  private static final String PASSWORD = "not secret";

  private SelfSigned() {}

  /** Writes {@code NAME.pem} with a certificate and {@code NAME.key} with its key. */
  public static void write(Path folder, String name) throws IOException {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(keytool.getInputStream().readAllBytes());
      assertThat(keytool.waitFor()).as(said).isZero();
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      Files.writeString(
          folder.resolve(name + ".pem"),
          pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
      Path key = folder.resolve(name + ".key");
      Files.writeString(
          key, pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String pem(String label, byte[] bytes) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(bytes)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
