package net.sluice.standalone;

import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd how the process is (sd_notify(3)), if that started it and wants to know. Java has
 * no datagrams of Unix sockets, so {@code systemd-notify} sends them.
 */
final class ServiceManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

  private ServiceManager() {}

  /** The API is served; {@code status} is shown by {@code systemctl status}. */
  static void ready(Map<String, String> environment, String status) {
    if (!environment.containsKey("NOTIFY_SOCKET")) {
      return;
    }
    try {
      Process notify =
          new ProcessBuilder("systemd-notify", "--ready", "--status=" + status)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (notify.waitFor() != 0) {
        LOG.warn("systemd was not told that the controller is ready");
      }
    } catch (IOException e) {
      LOG.warn("systemd was not told that the controller is ready: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
