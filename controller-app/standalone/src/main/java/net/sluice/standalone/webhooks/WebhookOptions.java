package net.sluice.standalone.webhooks;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.OptionException;
import net.sluice.endpoints.TlsFiles;
import net.sluice.standalone.network.AllowedTargets;
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

  /**
   * How events are sent.
   *
   * @param allowed where they may be sent
   * @param tls the authorities of receivers
   */
  public record Settings(AllowedTargets allowed, TlsFiles tls) {
    /** As without options. */
    public static Settings byDefault() {
      return new WebhookOptions().settings();
    }
  }

  /**
   * The settings that the options give.
   *
   * @throws OptionException if a file cannot be used
   */
  public Settings settings() {
    try {
      return new Settings(
          AllowedTargets.of(ALLOW, allowed, List.of()),
          new TlsFiles(new TlsFiles.Names(Optional.empty(), Optional.ofNullable(authorities))));
    } catch (TlsFiles.Unusable e) {
      throw new OptionException(
          "--webhook-ca", e.file().toString(), "a PEM file that can be used; " + e.getMessage());
    }
  }
}
