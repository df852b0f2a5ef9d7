package net.sluice.standalone.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.security.auth.x500.X500Principal;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.standalone.guard.Credential.HashedSecret;
import net.sluice.standalone.guard.Credential.Subject;

/**
 * The file of who may call the API: a JSON object a line, of mode 0600. It has the hashes of
 * secrets, never a secret.
 */
public final class TokenFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path file;

  /** {@code file}: its name; it need not be there yet. */
  public TokenFile(Path file) {
    this.file = file;
  }

  /** A file that cannot be used; the message says which and why, and nothing that is in it. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(Path file, String why) {
      super(file + ": " + why);
    }
  }

  /** Its name. */
  public Path path() {
    return file;
  }

  /**
   * The callers in it.
   *
   * @throws Unusable if it is not there, others than its owner may read or write it, or a line of
   *     it is none of a caller
   */
  public List<KnownCaller> read() throws Unusable {
    List<String> lines;
    try {
      Set<PosixFilePermission> permissions = new TreeSet<>(Files.getPosixFilePermissions(file));
      permissions.removeAll(OWNER_ONLY);
      if (!permissions.isEmpty()) {
        throw new Unusable(file, "its mode must be 0600: others may use it (chmod 600)");
      }
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new Unusable(file, "there is no such file; 'sluice token add' makes it");
    } catch (AccessDeniedException e) {
      throw new Unusable(file, "it may not be read");
    } catch (IOException | UnsupportedOperationException e) {
      throw new Unusable(file, "it cannot be read: " + e.getMessage());
    }
    List<KnownCaller> callers = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        KnownCaller caller = parse(lines.get(i)).orElseThrow(notOfACaller(i + 1));
        if (!names.add(caller.name())) {
          throw new Unusable(file, "line " + (i + 1) + ": there are two of " + caller.name());
        }
        callers.add(caller);
      }
    }
    return List.copyOf(callers);
  }

  private Supplier<Unusable> notOfACaller(int line) {
    return () ->
        new Unusable(
            file,
            "line "
                + line
                + " is none that 'sluice token add' writes: name, role, sha256 or"
                + " subject, added");
  }

  private static Optional<KnownCaller> parse(String line) {
    try {
      JsonNode json = MAPPER.readTree(line);
      Set<String> fields = new TreeSet<>();
      json.fieldNames().forEachRemaining(fields::add);
      boolean hashed = fields.equals(Set.of("name", "role", "sha256", "added"));
      boolean certified = fields.equals(Set.of("name", "role", "subject", "added"));
      Optional<Role> role = Role.of(json.path("role").asText());
      String name = json.path("name").asText();
      if (!(hashed || certified) || role.isEmpty() || !isName(name)) {
        return Optional.empty();
      }
      Credential credential =
          hashed
              ? new HashedSecret(HexFormat.of().parseHex(json.path("sha256").asText()))
              : new Subject(new X500Principal(json.path("subject").asText()));
      return Optional.of(
          new KnownCaller(
              name, role.get(), credential, Instant.parse(json.path("added").asText())));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Whether a caller may have that name: an id, and not that of callers without proof. */
  static boolean isName(String name) {
    return Ids.isValid(name) && !name.equals(Caller.LOCAL);
  }

  /**
   * Replaces the callers in it, at once for whoever reads it.
   *
   * @param change the callers from those that are in it, none if it is not there
   * @throws Unusable if it cannot be read or written
   */
  void replace(UnaryOperator<List<KnownCaller>> change) throws Unusable {
    Path absolute = file.toAbsolutePath();
    FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    // Of two commands at a time one waits for the other.
    try (FileChannel lock =
            FileChannel.open(
                absolute.resolveSibling(absolute.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                mode);
        var unused = lock.lock()) {
      boolean isThere = Files.exists(absolute);
      List<KnownCaller> callers = change.apply(isThere ? read() : List.of());
      Path next = Files.createTempFile(absolute.getParent(), ".tokens", ".next", mode);
      try {
        try (FileChannel out = FileChannel.open(next, StandardOpenOption.WRITE)) {
          out.write(ByteBuffer.wrap(text(callers).getBytes(StandardCharsets.UTF_8)));
          out.force(true);
        }
        if (isThere) {
          // The administrator may not be the user that the controller runs as.
          Files.setOwner(next, Files.getOwner(absolute));
        }
        Files.move(
            next, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(next);
      }
    } catch (NoSuchFileException e) {
      throw new Unusable(file, "there is no such directory");
    } catch (AccessDeniedException e) {
      throw new Unusable(file, "it may not be written");
    } catch (IOException | UnsupportedOperationException e) {
      throw new Unusable(file, "it cannot be written: " + e.getMessage());
    }
  }

  private static String text(List<KnownCaller> callers) {
    StringBuilder text = new StringBuilder();
    for (KnownCaller caller : callers) {
      ObjectNode line = MAPPER.createObjectNode();
      line.put("name", caller.name()).put("role", caller.role().text());
      if (caller.credential() instanceof HashedSecret secret) {
        line.put("sha256", secret.hex());
      } else if (caller.credential() instanceof Subject subject) {
        line.put("subject", subject.name().getName());
      }
      text.append(line.put("added", caller.added().toString())).append('\n');
    }
    return text.toString();
  }
}
