package net.sluice.standalone;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.endpoints.Endpoints.SwitchAt;

/** Tells which sessions of a switch cross a network without encryption. */
final class UnencryptedTargets {
  private UnencryptedTargets() {}

  /** A note for each of them; none for the loopback interface's. */
  static Stream<String> notes(SwitchAt of) {
    if (of.config().servers().isEmpty()) {
      return Stream.empty();
    }
    Servers servers = of.config().servers().get();
    return Stream.of(
            Stream.of(servers.p4runtime())
                .filter(at -> at.tls().isEmpty() && !isLoopback(at.host()))
                .map(at -> "P4Runtime"),
            servers.gnmi().stream()
                .filter(at -> at.tls().isEmpty() && !isLoopback(at.host()))
                .map(at -> "gNMI"),
            Stream.of(servers.fpgaDown(), servers.fpgaUp())
                .flatMap(fpga -> fpga.stream())
                .filter(FpgaEndpoint.Agent.class::isInstance)
                .map(FpgaEndpoint.Agent.class::cast)
                .filter(at -> at.tls().isEmpty() && !isLoopback(at.host()))
                .map(at -> "the register agent at " + at.host()))
        .flatMap(each -> each)
        .map(what -> of.name() + ": " + what + " is reached in plain text");
  }

  /** Whether an address is one of the loopback interface; a name is looked up by no one for it. */
  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return (host.contains(":") || host.matches("[0-9.]+"))
          && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
