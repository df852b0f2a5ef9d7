package net.sluice.core.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import net.sluice.fpga.RegisterBusException;
import org.junit.jupiter.api.Test;

class RpcErrorsTest {
  private static String text(String description, Throwable cause) {
    return RpcErrors.text(
        Status.UNAVAILABLE.withDescription(description).withCause(cause).asRuntimeException());
  }

  @Test
  void whatHappenedToAConnectionIsToldInWords() {
    assertThat(
            text(
                "io exception",
                new ConnectException(
                    "finishConnect(..) failed with error(-111): Connection refused:"
                        + " leaf1/192.0.2.7:9559")))
        .isEqualTo("nothing listens at 192.0.2.7:9559");
    assertThat(text("io exception", new ConnectException("Connection refused: /[2001:db8::7]:1")))
        .isEqualTo("nothing listens at [2001:db8::7]:1");
    assertThat(text("io exception", new ConnectException("connection timed out: /192.0.2.7:9559")))
        .isEqualTo("nothing answers at 192.0.2.7:9559");
    assertThat(text("io exception", new NoRouteToHostException("No route to host: /192.0.2.7:1")))
        .isEqualTo("the network has no way to 192.0.2.7:1");
    assertThat(text("io exception", new SocketException("Network is unreachable")))
        .isEqualTo("the network has no way to it");
    assertThat(
            text(
                "io exception",
                new IOException("recvAddress(..) failed: Connection reset by peer")))
        .isEqualTo("the other end broke the connection off");
    assertThat(text("Network closed for unknown reason", null))
        .isEqualTo("the other end closed the connection");
    assertThat(text("channel closed", new ClosedChannelException()))
        .isEqualTo("the other end closed the connection");
    assertThat(text("Unable to resolve host leaf1", new UnknownHostException("leaf1")))
        .isEqualTo("the host leaf1 is unknown");
    assertThat(text("http2 exception", new IOException("First received frame was not SETTINGS")))
        .isEqualTo("whatever listens there does not speak gRPC");
  }

  private static String tls(Throwable reason) {
    SSLException failure = new SSLHandshakeException("General OpenSslEngine problem");
    failure.initCause(reason);
    return text("io exception", failure);
  }

  @Test
  void whatTlsRefusesIsToldInWords() {
    assertThat(tls(new CertPathBuilderException("unable to find valid certification path")))
        .isEqualTo("no given authority vouches for the other end's certificate");
    assertThat(tls(new CertificateException("No name matching leaf1 found")))
        .isEqualTo("the other end's certificate does not do: No name matching leaf1 found");
    assertThat(tls(new SSLException("OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED")))
        .startsWith("the other end refuses this one's certificate, or the lack of one: ");
    assertThat(tls(new SSLException("OPENSSL_internal:WRONG_VERSION_NUMBER")))
        .isEqualTo("whatever listens there does not speak TLS");
    assertThat(tls(new SSLException("no cipher"))).isEqualTo("TLS failed: no cipher");
  }

  @Test
  void whoeverTellsOfACallKeepsItsOwnWords() {
    Throwable refused =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new ConnectException("Connection refused: /127.0.0.1:9601"))
            .asRuntimeException();
    Throwable told =
        new RegisterBusException(
            "the register agent is unreachable: UNAVAILABLE: io exception", refused);
    assertThat(RpcErrors.text(new CompletionException(told)))
        .isEqualTo("the register agent is unreachable: nothing listens at 127.0.0.1:9601");
  }

  @Test
  void whatAServerSaysIsToldAsItSaysIt() {
    assertThat(text("restarting", null)).isEqualTo("UNAVAILABLE: restarting");
    assertThat(RpcErrors.text(Status.NOT_FOUND.asRuntimeException())).isEqualTo("NOT_FOUND");
    assertThat(RpcErrors.text(new IllegalStateException("no"))).isEqualTo("no");
  }
}
