package net.sluice.standalone.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.security.auth.x500.X500Principal;

/** The proof by which a caller is known. */
sealed interface Credential {
  /**
   * A secret, of which only the SHA-256 is known. That is enough, without salt and repetition,
   * because a secret is too long to be guessed.
   */
  record HashedSecret(byte[] sha256) implements Credential {
    static final int BYTES = 32;

    public HashedSecret {
      if (sha256.length != BYTES) {
        throw new IllegalArgumentException("a SHA-256 has " + BYTES + " bytes");
      }
    }

    /** The hash of a secret. */
    static HashedSecret of(String secret) {
      try {
        return new HashedSecret(
            MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    /** Whether it is the same; takes as long wherever they differ. */
    boolean matches(HashedSecret other) {
      return MessageDigest.isEqual(sha256, other.sha256);
    }

    String hex() {
      return HexFormat.of().formatHex(sha256);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof HashedSecret secret && matches(secret);
    }

    @Override
    public int hashCode() {
      return hex().hashCode();
    }

    /** Not even the hash: it is of use to no log. */
    @Override
    public String toString() {
      return "a secret";
    }
  }

  /** A certificate of the authorities that the start names, known by its subject. */
  record Subject(X500Principal name) implements Credential {}
}
