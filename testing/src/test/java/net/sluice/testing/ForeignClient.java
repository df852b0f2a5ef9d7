package net.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Clients that others have written, run as processes. Interpreters to try besides {@code python3}
 * may be named in the environment variable {@code SLUICE_PYTHON}, separated by colons.
 */
public final class ForeignClient {

  private ForeignClient() {}

  /**
   * What a client did.
   *
   * @param exitCode it ended with
   * @param output all that it said, its complaints first: threads of some end with one when they
   *     please
   */
  public record Result(int exitCode, String output) {}

  /** An interpreter that has a module, or a reason to skip the test. */
  public static String python(String module) throws InterruptedException {
    List<String> candidates = new ArrayList<>();
    String named = System.getenv("SLUICE_PYTHON");
    if (named != null && !named.isEmpty()) {
      candidates.addAll(Arrays.asList(named.split(":")));
    }
    candidates.add("python3");
    for (String candidate : candidates) {
      try {
        Process probe =
            new ProcessBuilder(candidate, "-c", "import " + module)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (probe.waitFor(Patience.PROCESS_SECONDS, TimeUnit.SECONDS) && probe.exitValue() == 0) {
          return candidate;
        }
      } catch (IOException notThere) {
        // The next one, then.
      }
    }
    return Prerequisite.CLIENTS.skip(
        "no Python with the module " + module + " (tried " + candidates + ")");
  }

  /** Copies a resource to a folder, where a client finds it. */
  public static Path file(Path folder, String resource) throws IOException {
    Path copy = folder.resolve(Path.of(resource).getFileName());
    try (InputStream in = ForeignClient.class.getResourceAsStream("/" + resource)) {
      Files.write(copy, Optional.ofNullable(in).orElseThrow().readAllBytes());
    }
    return copy;
  }

  /** Runs a client in a folder until it ends, which it must. */
  public static Result run(Path folder, Object... command)
      throws IOException, InterruptedException {
    List<String> words = Arrays.stream(command).map(Object::toString).toList();
    Path errors = Files.createTempFile(folder, "client", ".err");
    Path output = Files.createTempFile(folder, "client", ".txt");
    Process client =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .redirectOutput(output.toFile())
            .start();
    boolean ended = client.waitFor(Patience.PROCESS_SECONDS, TimeUnit.SECONDS);
    client.destroyForcibly();
    String said =
        Files.readString(errors, StandardCharsets.UTF_8)
            + Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended).as("%s ended; it said %s", words, said).isTrue();
    return new Result(client.exitValue(), said);
  }

  /** What a client says that ends well. */
  public static String output(Path folder, Object... command)
      throws IOException, InterruptedException {
    Result result = run(folder, command);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  /** A command with more words. */
  public static Object[] with(Object[] command, Object... more) {
    Object[] all = Arrays.copyOf(command, command.length + more.length);
    System.arraycopy(more, 0, all, command.length, more.length);
    return all;
  }
}
