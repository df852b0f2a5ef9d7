package net.sluice.standalone.network;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.OptionException;
import net.sluice.endpoints.TlsFiles;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.WebhookTiming;
import net.sluice.standalone.network.RemoteSwitchOptions.AllowedTarget;
import picocli.CommandLine.Option;

/** The options that say where events may be sent. */
public final class WebhookOptions {
  private static final String ALLOW = "--webhook-allow";

  @Option(
      names = ALLOW,
      paramLabel = "TARGET",
      converter = AllowedTarget.class,
      split = ",",
      description =
          "Where webhooks may lead: HOST, ADDRESS or ADDRESS/LENGTH, perhaps with :PORT or"
              + " :PORT-PORT; may be repeated. Default: the loopback interface")
  private List<AllowedTargets.Rule> allowed = List.of();

  @Option(
      names = "--webhook-ca",
      paramLabel = "FILE",
      description =
          "Authorities in PEM that sign the certificates of webhooks. Default: those of Java")
  private Path authorities;

  /** The settings without options. */
  public static WebhookSettings byDefault() {
    return new WebhookOptions().settings();
  }

  /**
   * The settings that the options give.
   *
   * @throws OptionException if a file cannot be used
   */
  public WebhookSettings settings() {
    try {
      TlsFiles tls =
          new TlsFiles(new TlsFiles.Names(Optional.empty(), Optional.ofNullable(authorities)));
      return new WebhookSettings(
          AllowedTargets.of(ALLOW, allowed, List.of()),
          () -> tls.content().context(),
          WebhookTiming.REAL);
    } catch (TlsFiles.Unusable e) {
      throw new OptionException(
          "--webhook-ca", e.file().toString(), "a PEM file that can be used; " + e.getMessage());
    }
  }
}
