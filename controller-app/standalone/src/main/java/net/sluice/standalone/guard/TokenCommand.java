package net.sluice.standalone.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.caller.Role;
import net.sluice.standalone.guard.Credential.HashedSecret;
import net.sluice.standalone.guard.Credential.Subject;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice token}: who may call the API of {@code serve --tokens}. */
@Command(
    name = "token",
    description = "Say who may call the API, and what they may do.",
    mixinStandardHelpOptions = true,
    subcommands = {TokenCommand.Add.class, TokenCommand.ListAll.class, TokenCommand.Revoke.class})
public final class TokenCommand implements Runnable {
  /** Secret scanners know a token by it. */
  private static final String PREFIX = "sluice_";

  private static final int RANDOM_BYTES = 32;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do, for example: sluice token list --tokens FILE");
  }

  /** The file that all subcommands work on. */
  static final class FileOption {
    @Option(
        names = "--tokens",
        paramLabel = "FILE",
        required = true,
        description = "The file that 'serve --tokens' is given.")
    private Path file;

    TokenFile file() {
      return new TokenFile(file);
    }
  }

  /** A role by its name. */
  static final class RoleText implements ITypeConverter<Role> {
    @Override
    public Role convert(String text) {
      return Role.of(text).orElseThrow(() -> new InvalidOption("read, operate or admin"));
    }
  }

  /** {@code sluice token add}. */
  @Command(
      name = "add",
      description = "Let somebody call the API. Prints the token, which is kept nowhere.",
      mixinStandardHelpOptions = true)
  static final class Add implements Callable<Integer> {
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9._~+/-]{32,512}=*");
    private static final int MOST_BYTES = 1024;

    @Mixin private FileOption tokens = new FileOption();

    @Parameters(paramLabel = "NAME", description = "Who it is; the audit log has this name.")
    private String name;

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        required = true,
        converter = RoleText.class,
        description =
            "read: look at everything but the audit log; operate: also change policies,"
                + " subscribers and limits; admin: also switches, reconcile, adopt, conflicts and"
                + " the audit log")
    private Role role;

    @Option(
        names = "--secret-file",
        paramLabel = "FILE",
        description =
            "Take the token in this file, or with - on standard input, instead of a new one.")
    private String secretFile;

    @Option(
        names = "--subject",
        paramLabel = "NAME",
        description =
            "Know the caller by a certificate with this subject, such as CN=oss,O=Example, instead"
                + " of a token ('serve --tls-client-ca').")
    private String subject;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws StartFailure {
      if (!TokenFile.isName(name)) {
        throw new OptionException("NAME", name, Ids.ALLOWED + ", and not local");
      }
      Optional<String> secret = Optional.empty();
      Credential credential;
      if (subject == null) {
        secret = Optional.of(secretFile == null ? random() : given());
        credential = HashedSecret.of(secret.get());
      } else {
        credential = certified();
      }
      KnownCaller added =
          new KnownCaller(
              name, role, credential, Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS));
      change(
          tokens.file(),
          callers -> {
            List<KnownCaller> all = new ArrayList<>(callers);
            for (KnownCaller each : callers) {
              if (each.name().equals(name)) {
                throw new OptionException(
                    "NAME",
                    name,
                    "one that is not in the file; 'sluice token revoke' takes it out");
              }
              if (each.credential().equals(credential)) {
                throw new OptionException(
                    subject == null ? "--secret-file" : "--subject",
                    subject == null ? secretFile : subject,
                    "another one than that of " + each.name());
              }
            }
            all.add(added);
            return all;
          });
      PrintWriter out = spec.commandLine().getOut();
      if (secretFile == null) {
        secret.ifPresent(out::println);
      }
      out.flush();
      return 0;
    }

    private static String random() {
      byte[] bytes = new byte[RANDOM_BYTES];
      new SecureRandom().nextBytes(bytes);
      return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String given() throws StartFailure {
      byte[] bytes;
      try (InputStream in =
          secretFile.equals("-") ? System.in : Files.newInputStream(Path.of(secretFile))) {
        bytes = in.readNBytes(MOST_BYTES);
      } catch (IOException | RuntimeException e) {
        throw new StartFailure("the token in " + secretFile + " cannot be read: " + e, e);
      }
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      if (!SECRET.matcher(text).matches()) {
        throw new OptionException(
            "--secret-file", secretFile, "a file with 32 to 512 of A-Z a-z 0-9 . _ ~ + / -");
      }
      return text;
    }

    private Subject certified() {
      if (secretFile != null) {
        throw new OptionException("--secret-file", secretFile, "nothing together with --subject");
      }
      try {
        return new Subject(new X500Principal(subject));
      } catch (IllegalArgumentException e) {
        throw new OptionException(
            "--subject", subject, "a distinguished name, such as CN=oss,O=Example");
      }
    }
  }

  /** {@code sluice token list}. */
  @Command(
      name = "list",
      description = "List who may call the API: name, role, since when, and by what.",
      mixinStandardHelpOptions = true)
  static final class ListAll implements Callable<Integer> {
    @Mixin private FileOption tokens = new FileOption();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws StartFailure {
      PrintWriter out = spec.commandLine().getOut();
      try {
        for (KnownCaller each : tokens.file().read()) {
          String by =
              each.credential() instanceof Subject subject ? subject.name().getName() : "token";
          out.printf("%s %s %s %s%n", each.name(), each.role().text(), each.added(), by);
        }
      } catch (TokenFile.Unusable e) {
        throw new StartFailure(e.getMessage(), e);
      }
      out.flush();
      return 0;
    }
  }

  /** {@code sluice token revoke}. */
  @Command(
      name = "revoke",
      description = "Let somebody call the API no more, from the next request on.",
      mixinStandardHelpOptions = true)
  static final class Revoke implements Callable<Integer> {
    @Mixin private FileOption tokens = new FileOption();

    @Parameters(paramLabel = "NAME", description = "Who it is.")
    private String name;

    @Override
    public Integer call() throws StartFailure {
      change(
          tokens.file(),
          callers -> {
            List<KnownCaller> others =
                callers.stream().filter(each -> !each.name().equals(name)).toList();
            if (others.size() == callers.size()) {
              throw new OptionException(
                  "NAME",
                  name,
                  callers.isEmpty()
                      ? "nobody, the file names none"
                      : String.join(", ", callers.stream().map(KnownCaller::name).toList()));
            }
            return others;
          });
      return 0;
    }
  }

  private static void change(TokenFile file, UnaryOperator<List<KnownCaller>> change)
      throws StartFailure {
    try {
      file.replace(change);
    } catch (TokenFile.Unusable e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}
