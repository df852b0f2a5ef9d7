package net.sluice.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.endpoints.TlsFiles;
import net.sluice.rest.SluiceApplication;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that say where the API is and who uses it. */
public final class ApiOptions {
  @Option(
      names = "--api",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8181",
      converter = Base.class,
      description =
          "Where the API is: without a path that of 'serve', else with all of it, as in"
              + " http://onos1:8181/onos/sluice/v1. Default: ${DEFAULT-VALUE}")
  private URI base;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File whose first line is the token to use the API with")
  private String tokenFile;

  @Option(
      names = "--login-file",
      paramLabel = "FILE",
      description =
          "File whose first line is USER:PASSWORD, for an API that asks for a login as ONOS does")
  private String loginFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of who vouches for the API's certificate. Default: those that Java"
              + " trusts")
  private String caFile;

  static final class Base implements ITypeConverter<URI> {
    private static final String ALLOWED =
        "http:// or https:// with host and port, as in http://127.0.0.1:8181, and perhaps the path of"
            + " the API, as in http://onos1:8181/onos/sluice/v1";

    @Override
    public URI convert(String text) {
      try {
        URI uri = new URI(text.strip());
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (isHttp
            && uri.getHost() != null
            && uri.getRawUserInfo() == null
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null
            && path.matches("[A-Za-z0-9._~/-]*")) {
          String below = path.replaceFirst("/+$", "");
          return URI.create(
              uri.getScheme()
                  + "://"
                  + uri.getRawAuthority()
                  + (below.isEmpty() ? SluiceApplication.BASE_PATH : below));
        }
      } catch (URISyntaxException e) {
        // Said below.
      }
      throw new InvalidOption(ALLOWED);
    }
  }

  /** A client of that API. */
  ApiClient client() {
    HttpClient.Builder http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    if (caFile != null) {
      http.sslContext(trusting(OptionValues.inputFile("--ca-file", caFile)));
    }
    return new ApiClient(http.build(), base.toString(), authorization());
  }

  /** The Authorization field of requests (RFC 6750 section 2.1, RFC 7617 section 2). */
  private Optional<String> authorization() {
    if (tokenFile != null && loginFile != null) {
      throw new OptionException("--login-file", loginFile, "nothing with --token-file");
    }
    if (loginFile != null) {
      String login = firstLine("--login-file", loginFile, "[^:]+:.*", "a file with USER:PASSWORD");
      return Optional.of(
          "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
    }
    return tokenFile == null
        ? Optional.empty()
        : Optional.of(
            "Bearer " + firstLine("--token-file", tokenFile, "[!-~]+", "a file with a token"));
  }

  private static String firstLine(String option, String file, String form, String allowed) {
    try {
      return Files.readString(OptionValues.inputFile(option, file))
          .lines()
          .findFirst()
          .map(String::strip)
          .filter(line -> line.matches(form))
          .orElseThrow(() -> new OptionException(option, file, allowed));
    } catch (IOException e) {
      throw OptionValues.unreadable(option, file);
    }
  }

  private SSLContext trusting(Path file) {
    try {
      return new TlsFiles(new TlsFiles.Names(Optional.empty(), Optional.of(file)))
          .content()
          .context();
    } catch (TlsFiles.Unusable e) {
      throw new OptionException(
          "--ca-file", caFile, "a PEM file that can be used; " + e.getMessage());
    }
  }
}
