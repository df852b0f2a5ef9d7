package net.sluice.onos;

import java.net.InetSocketAddress;
import net.sluice.northbound.webhooks.Destinations;

/** Events are sent to this machine only, where whoever runs ONOS can pass them on. */
final class LoopbackDestinations implements Destinations {
  @Override
  public boolean allowsDeclared(String host, int port) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
  }

  @Override
  public boolean allows(String host, InetSocketAddress at) {
    return at.getAddress() != null && at.getAddress().isLoopbackAddress();
  }

  @Override
  public String allowed() {
    return "localhost, 127.0.0.0/8 and ::1";
  }
}
