package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a process of its own, which signals are sent to. */
final class ServeCommandTest {
  private static final int KILLED_BY_SIGTERM = 128 + 15;
  private static final Set<String> JVM_OPTIONS =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final List<Process> processes = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void killWhatIsLeft() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process serve(Path errors, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedMain.class.getName(),
                "serve"));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // Would make the JVM report itself on standard error.
    builder.environment().keySet().removeAll(JVM_OPTIONS);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static String firstLine(Process process) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    return out.readLine();
  }

  @Test
  void itServesUntilASignalAndLeavesItsDataToTheNext() throws Exception {
    String data = folder.resolve("data").toString();
    Path errors = folder.resolve("errors");
    for (String method : List.of("PUT", "GET")) {
      Process process = serve(errors, "--http", "127.0.0.1:0", "--data", data, "--seed", "7");
      String ready = firstLine(process);
      Matcher api =
          // A machine that has much to do may not have filled the targets by then.
          Pattern.compile(
                  "sluice: ready(?: \\(targets still being filled\\))?: API"
                      + " (http://127\\.0\\.0\\.1:\\d+/sluice/v1), .*")
              .matcher(String.valueOf(ready));
      assertThat(api.matches()).as(ready + Files.readString(errors)).isTrue();
      assertThat(ready).endsWith(", data in " + data);
      HttpResponse<String> response =
          Http.send(
              method,
              api.group(1) + "/policies/gold",
              method.equals("GET") ? null : "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      assertThat(response.statusCode()).isEqualTo(method.equals("PUT") ? 201 : 200);
      process.destroy();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(KILLED_BY_SIGTERM);
      assertThat(Files.readString(errors)).contains("stopped").doesNotContain("Exception");
    }
  }

  @Test
  void aTakenPortIsOneLineAndExitCodeTwo() throws Exception {
    Path errors = folder.resolve("errors");
    try (ServerSocket taken = new ServerSocket(0)) {
      Process process =
          serve(
              errors,
              "--http",
              "127.0.0.1:" + taken.getLocalPort(),
              "--data",
              folder.resolve("data").toString());
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(2);
      assertThat(Files.readString(errors).strip())
          .isEqualTo(
              "sluice: cannot serve HTTP on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ": Address already in use; choose another address with --http");
      assertThat(folder.resolve("data")).doesNotExist();
    }
  }
}
