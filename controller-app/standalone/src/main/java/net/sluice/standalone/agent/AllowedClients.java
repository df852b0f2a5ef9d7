package net.sluice.standalone.agent;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import net.sluice.cli.InvalidOption;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.InvalidValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves only clients of some addresses. */
record AllowedClients(List<IpPrefix> prefixes) implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(AllowedClients.class);

  /**
   * The addresses in the text of an option.
   *
   * @throws InvalidOption if there are none
   */
  static IpPrefix parse(String text) {
    try {
      String length = text.contains(":") ? "/128" : "/32";
      return IpPrefix.parse(text.contains("/") ? text : text + length);
    } catch (InvalidValueException e) {
      throw new InvalidOption("ADDRESS or ADDRESS/LENGTH, such as 192.0.2.7 or 2001:db8::/32");
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    InetAddress client =
        ((InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
            .getAddress();
    // An address within a link carries its interface behind a percent sign.
    String address = client.getHostAddress().replaceFirst("%.*", "");
    IpPrefix alone = parse(address);
    if (prefixes.stream().anyMatch(prefix -> prefix.contains(alone))) {
      return next.startCall(call, headers);
    }
    LOG.warn("refused {}; allowed: {}", address, text());
    call.close(
        Status.PERMISSION_DENIED.withDescription(
            "this register agent does not serve " + address + ": see its --allow-client"),
        new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /** For people. */
  String text() {
    return prefixes.stream().map(IpPrefix::toString).collect(Collectors.joining(", "));
  }
}
