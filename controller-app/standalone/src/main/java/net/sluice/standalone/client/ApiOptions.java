package net.sluice.standalone.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
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
      description = "Where the API listens, without a path. Default: ${DEFAULT-VALUE}")
  private URI base;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File whose first line is the token to use the API with")
  private String tokenFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of who vouches for the API's certificate. Default: those that Java"
              + " trusts")
  private String caFile;

  static final class Base implements ITypeConverter<URI> {
    private static final String ALLOWED =
        "http:// or https:// with host and port, as in http://127.0.0.1:8181";

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
            && (path.isEmpty() || path.equals("/"))) {
          return URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
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
    return new ApiClient(http.build(), base + SluiceApplication.BASE_PATH, token());
  }

  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Files.readString(OptionValues.inputFile("--token-file", tokenFile))
              .lines()
              .findFirst()
              .map(String::strip)
              .filter(line -> line.matches("[!-~]+"))
              .orElseThrow(
                  () -> new OptionException("--token-file", tokenFile, "a file with a token")));
    } catch (IOException e) {
      throw OptionValues.unreadable("--token-file", tokenFile);
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
