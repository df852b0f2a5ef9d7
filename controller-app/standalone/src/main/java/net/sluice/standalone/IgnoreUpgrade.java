package net.sluice.standalone;

import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.FilterChainEvent;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpEvents.IncomingHttpUpgradeEvent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpServerFilter;
import org.glassfish.grizzly.http.server.AddOn;
import org.glassfish.grizzly.http.server.NetworkListener;

/**
 * Serves a request that asks for another protocol as if it had not asked, which RFC 9110 section
 * 7.8 leaves to a server. Grizzly otherwise takes everything behind the header for the other
 * protocol, and the request's body never ends: and the JDK's own client asks for HTTP/2 with each
 * first request.
 */
final class IgnoreUpgrade extends BaseFilter implements AddOn {
  @Override
  public void setup(NetworkListener listener, FilterChainBuilder builder) {
    builder.add(builder.indexOfType(HttpServerFilter.class) + 1, this);
  }

  @Override
  public NextAction handleEvent(FilterChainContext context, FilterChainEvent event) {
    if (event instanceof IncomingHttpUpgradeEvent upgrade) {
      HttpHeader request = upgrade.getHttpHeader();
      request.setIgnoreContentModifiers(false);
      request.getUpgradeDC().recycle();
    }
    return context.getInvokeAction();
  }
}
