package net.sluice.standalone.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import net.sluice.standalone.guard.Authentication;
import net.sluice.standalone.guard.TokenFile;
import net.sluice.standalone.guard.Tokens;

/** A file of callers as {@code sluice token} keeps it, whose tokens are their names. */
public final class TestTokens {
  private final Path file;

  /** A file in {@code directory} without callers. */
  public TestTokens(Path directory) throws IOException {
    file = directory.resolve("tokens");
    set();
  }

  /** From now on these are the callers. */
  public void set(String... namesAndRoles) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < namesAndRoles.length; i += 2) {
      lines.append(
          "{\"name\":\"%s\",\"role\":\"%s\",\"sha256\":\"%s\",\"added\":\"2026-01-02T03:04:05Z\"}\n"
              .formatted(namesAndRoles[i], namesAndRoles[i + 1], sha256(namesAndRoles[i])));
    }
    Path next = file.resolveSibling("tokens.next");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(next, lines);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Asks callers for their tokens. */
  public Authentication authentication() throws TokenFile.Unusable {
    return new Authentication(new Tokens(new TokenFile(file)));
  }

  private static String sha256(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
