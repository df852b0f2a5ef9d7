package net.sluice.standalone.network;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.sluice.cli.OptionException;
import net.sluice.endpoints.TlsFiles;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.WebhookTiming;
import net.sluice.rest.settings.EdgeOptions;
import picocli.CommandLine.Option;

/** The options that say how events are sent. */
public final class WebhookOptions {
  @Option(
      names = "--webhook-ca",
      paramLabel = "FILE",
      description =
          "Authorities in PEM that sign the certificates of webhooks. Default: those of Java")
  private Path authorities;

  /** The settings without options. */
  public static WebhookSettings byDefault() {
    return new WebhookOptions()
        .settings(new EdgeOptions().settings(UnaryOperator.identity()).webhooks());
  }

  /**
   * The settings that the options give.
   *
   * @param allowed where events may be sent
   * @throws OptionException if a file cannot be used
   */
  public WebhookSettings settings(AllowedTargets allowed) {
    try {
      TlsFiles tls =
          new TlsFiles(new TlsFiles.Names(Optional.empty(), Optional.ofNullable(authorities)));
      return new WebhookSettings(allowed, () -> tls.content().context(), WebhookTiming.REAL);
    } catch (TlsFiles.Unusable e) {
      throw new OptionException(
          "--webhook-ca", e.file().toString(), "a PEM file that can be used; " + e.getMessage());
    }
  }
}
