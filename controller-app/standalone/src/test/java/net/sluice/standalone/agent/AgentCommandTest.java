package net.sluice.standalone.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.cli.Logging;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.Tls;
import net.sluice.endpoints.Reach;
import net.sluice.endpoints.RegisterAgents;
import net.sluice.fpga.CoreIdentity;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.RegisterBus;
import net.sluice.fpga.RegisterBusException;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.value.Direction;
import net.sluice.standalone.Main;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The register agent as it is started, over a file that stands for a card's resource. */
class AgentCommandTest {
  private static final Pattern READY =
      Pattern.compile("sluice agent: ready: .* on 127\\.0\\.0\\.1:(\\d+), .*");
  private static final int IDENTIFICATION = 0x0300_0100;
  private static final RateWord WORD = new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, 7, 71);

  @TempDir private Path folder;
  private Path card;
  private final StringWriter err = new StringWriter();
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void quietLogs() {
    Logging.configure();
  }

  @BeforeEach
  void plugIn() throws IOException {
    card = folder.resolve("resource0");
    try (RandomAccessFile file = new RandomAccessFile(card.toFile(), "rw")) {
      file.setLength(64 << 20);
    }
    identify(0x534c5501, 3 << 8 | 18, 1_600 << 16 | 1_248, 156_250);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private void identify(int... words) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(card.toFile(), "rw")) {
      file.seek(IDENTIFICATION);
      for (int word : words) {
        file.writeInt(Integer.reverseBytes(word));
      }
    }
  }

  private int run(String... options) {
    CommandLine line = Main.commandLine(Optional.empty());
    line.setErr(new PrintWriter(err, true));
    line.setOut(
        new PrintWriter(new StringWriter()) {
          @Override
          public PrintWriter printf(String format, Object... values) {
            said.add(String.format(format, values).strip());
            return this;
          }
        });
    return line.execute(
        Stream.concat(
                Stream.of("agent", "--registers", card.toString(), "-L", "off"), Stream.of(options))
            .toArray(String[]::new));
  }

  /** The port of an agent that runs until the test ends. */
  private int start(String... options) throws InterruptedException {
    Thread running =
        new Thread(
            () -> {
              run(
                  Stream.concat(Stream.of("--listen", "127.0.0.1:0"), Stream.of(options))
                      .toArray(String[]::new));
              // If it did not start.
              said.add(err.toString());
            });
    running.start();
    open.add(
        () -> {
          running.interrupt();
          running.join();
        });
    String first = said.take();
    Matcher ready = READY.matcher(first);
    assertThat(ready.matches()).as(first).isTrue();
    return Integer.parseInt(ready.group(1));
  }

  private FpgaRegisters client(int port, Optional<Tls> tls) {
    RegisterBus bus =
        RegisterAgents.bus(new FpgaEndpoint.Agent("127.0.0.1", port, tls), new Reach.Anything(), 1);
    open.add(bus::close);
    return new FpgaRegisters(bus, Direction.DOWN);
  }

  private static int written(FpgaRegisters registers) {
    assertThat(registers.write(List.of(WORD)).toCompletableFuture().join()).isEmpty();
    return registers.read(List.of(WORD)).toCompletableFuture().join()[0];
  }

  private static void assertUnreachable(FpgaRegisters registers, String... reasons) {
    assertThatThrownBy(() -> registers.identify().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RegisterBusException.class)
        .message()
        .contains(reasons);
  }

  private Tls tls(String authority, Optional<String> own) {
    return new Tls(
        folder.resolve(authority + ".pem"),
        own.map(
            name ->
                new Tls.Identity(folder.resolve(name + ".pem"), folder.resolve(name + ".key"))));
  }

  @Test
  void servesTheRegistersOfTheCard() throws Exception {
    FpgaRegisters registers = client(start(), Optional.empty());
    assertThat(registers.identify().toCompletableFuture().join())
        .contains(new CoreIdentity(1, 18, 3, false, false, false, 1_248, 1_600, 156_250));
    assertThat(written(registers)).isEqualTo(71);
    try (RandomAccessFile file = new RandomAccessFile(card.toFile(), "r")) {
      file.seek(0x0120_0000 + 4 * 7);
      assertThat(Integer.reverseBytes(file.readInt())).isEqualTo(71);
    }
  }

  @Test
  void aCardThatDoesNotAnswerIsToldAndServedAgainWhenItIsBack() throws Exception {
    FpgaRegisters registers = client(start(), Optional.empty());
    assertThat(written(registers)).isEqualTo(71);
    identify(-1);
    assertUnreachable(registers, "the card does not answer");
    assertThatThrownBy(() -> registers.write(List.of(WORD)).toCompletableFuture().join())
        .hasMessageContaining("it is unknown whether the batch's writes have arrived");
    identify(0x534c5501);
    assertThat(written(registers)).isEqualTo(71);
  }

  @Test
  void overTlsOnlyClientsWithACertificateThatItKnowsAreServed() throws Exception {
    SelfSigned.write(folder, "agent");
    SelfSigned.write(folder, "controller");
    SelfSigned.write(folder, "stranger");
    int port =
        start(
            "--cert",
            folder.resolve("agent.pem").toString(),
            "--key",
            folder.resolve("agent.key").toString(),
            "--client-ca",
            folder.resolve("controller.pem").toString());
    assertThat(written(client(port, Optional.of(tls("agent", Optional.of("controller"))))))
        .isEqualTo(71);
    String lost = "the register agent is unreachable: UNAVAILABLE";
    assertUnreachable(client(port, Optional.of(tls("agent", Optional.of("stranger")))), lost);
    assertUnreachable(client(port, Optional.of(tls("agent", Optional.empty()))), lost);
    assertUnreachable(client(port, Optional.of(tls("stranger", Optional.of("controller")))), lost);
    assertUnreachable(client(port, Optional.empty()), lost);
  }

  @Test
  void clientsOfAllowedAddressesAreServed() throws Exception {
    int port = start("--allow-client", "192.0.2.7,127.0.0.0/8");
    assertThat(written(client(port, Optional.empty()))).isEqualTo(71);
  }

  @Test
  void clientsOfOtherAddressesAreRefusedInWords() throws Exception {
    int port = start("--allow-client", "192.0.2.7,2001:db8::/32");
    assertUnreachable(
        client(port, Optional.empty()),
        "PERMISSION_DENIED: this register agent does not serve 127.0.0.1: see its --allow-client");
  }

  @Test
  void filesForTlsThatCannotBeUsedAreNamed() {
    FpgaEndpoint.Agent agent =
        new FpgaEndpoint.Agent("127.0.0.1", 1, Optional.of(tls("none", Optional.empty())));
    assertThatThrownBy(() -> RegisterAgents.bus(agent, new Reach.Anything(), 1))
        .isInstanceOf(RegisterBusException.class)
        .hasMessageStartingWith("the files for TLS cannot be used: ")
        .hasMessageContaining("none.pem");
  }

  private void assertRefused(String reason, String... options) {
    assertThat(run(options)).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("sluice: " + reason);
    err.getBuffer().setLength(0);
  }

  @Test
  void isNotOpenToTheNetworkByMistake() {
    assertRefused(
        "--listen is '0.0.0.0:0'; allowed: an address of the loopback interface, unless --cert and"
            + " --key are given, or --plain-text",
        "--listen",
        "0.0.0.0:0");
    assertRefused(
        "--listen is '0.0.0.0:0'; allowed: an address of the loopback interface, unless"
            + " --client-ca or --allow-client says which clients are served",
        "--listen",
        "0.0.0.0:0",
        "--plain-text");
  }

  @Test
  void optionsThatCannotBeUsedAreRefused() throws IOException {
    SelfSigned.write(folder, "agent");
    String certificate = folder.resolve("agent.pem").toString();
    assertRefused("--key is 'x'; allowed: nothing without --cert", "--key", "x");
    assertRefused("--key is ''; allowed: a file that can be read", "--cert", certificate);
    assertRefused(
        "--allow-client is 'bng1'; allowed: ADDRESS or ADDRESS/LENGTH, such as 192.0.2.7 or"
            + " 2001:db8::/32",
        "--allow-client",
        "bng1");
    String key = folder.resolve("agent.key").toString();
    assertRefused(
        "--cert is '"
            + key
            + "'; allowed: a PEM file that can be used; its certificates cannot be read",
        "--cert",
        key,
        "--key",
        key);
    SelfSigned.write(folder, "other");
    String foreign = folder.resolve("other.key").toString();
    assertRefused(
        "--key is '"
            + foreign
            + "'; allowed: a PEM file that can be used; the key does not belong to the certificate",
        "--cert",
        certificate,
        "--key",
        foreign);
  }

  @Test
  void whateverIsNoQueueingCoreIsNotServed() throws IOException {
    identify(7);
    assertRefused(
        "cannot serve "
            + card
            + ": no queueing core answers: its identification register reads 0x00000007; allowed:"
            + " 0x534c55.., or 0xcafebabe of a core without one");
    identify(-1);
    assertRefused(
        "cannot serve "
            + card
            + ": register access 0 failed: read of 0x03000100: the card does not answer: its"
            + " identification reads 0xffffffff");
  }
}
