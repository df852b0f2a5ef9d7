package net.sluice.emulator.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.testing.Golden;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Everything that {@code sluice switch} refuses, before it has opened a port. */
class SwitchCommandTest {
  @TempDir private Path folder;
  private Path json;
  private Path p4info;

  @BeforeEach
  void files() throws IOException {
    Path program = Path.of("../server/src/test/resources/embedding");
    json = Files.copy(program.resolve("forward.json"), folder.resolve("program.json"));
    p4info = Files.copy(program.resolve("forward.p4info.txtpb"), folder.resolve("program.txtpb"));
    Files.createDirectory(folder.resolve("empty"));
    Files.createDirectory(folder.resolve("broken"));
    Files.write(folder.resolve("broken/v0_in.pcap"), new byte[] {1, 2, 3, 4, 5});
    // A pcapng file, one of packets without Ethernet, and one whose last packet is cut off.
    Files.write(folder.resolve("broken/v1_in.pcap"), words(0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0, 0));
    Files.write(folder.resolve("broken/v2_in.pcap"), capture(101));
    Files.write(folder.resolve("broken/v3_in.pcap"), capture(1, 5, 0, 60, 60, 0, 0));
    Files.writeString(folder.resolve("cut.json"), "{\"name\": ");
    Files.writeString(folder.resolve("open.json"), "{\"a\": {");
    Files.writeString(folder.resolve("foreign.json"), "{}");
    Files.writeString(folder.resolve("words.txt"), "no protobuf at all");
    Files.writeString(folder.resolve("blank.txt"), "");
    Files.writeString(folder.resolve("wrong.entries"), "updates { type: INSERT entity { } }");
    Files.writeString(folder.resolve("typo.entries"), "updatez { }");
    SelfSigned.write(folder, "server");
    SelfSigned.write(folder, "other");
    Path captures = Files.createDirectory(folder.resolve("captures"));
    Files.write(captures.resolve("v0_in.pcap"), capture(1));
  }

  /** A capture of a link type, and words of what follows its header. */
  private static byte[] capture(int linkType, int... more) {
    int[] words = {0xa1b2c3d4, 0x00040002, 0, 0, 65_535, linkType};
    int[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return words(all);
  }

  private static byte[] words(int... words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words);
    return bytes.array();
  }

  private String refusal(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 1];
    all[0] = "switch";
    for (int i = 0; i < arguments.length; i++) {
      all[i + 1] = arguments[i].replace("FOLDER", folder.toString());
    }
    assertThat(command.execute(all)).as(String.join(" ", arguments)).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    String text = err.toString().strip();
    assertThat(text).startsWith("sluice: ").doesNotContain("\n");
    return text.replace(folder.toString(), "FOLDER");
  }

  @Test
  void everyBadOptionIsOneClearLine() throws IOException {
    String program = "--json=FOLDER/program.json";
    String info = "--p4info=FOLDER/program.txtpb";
    String cert = "--grpc-server-cert=FOLDER/server.pem";
    String key = "--grpc-server-key=FOLDER/server.key";
    String[][] cases = {
      {},
      {"-i", "veth1"},
      {"-i", "511@veth1"},
      {"-i", "-1@veth1"},
      {"-i", "1@"},
      {"-i", "1@tap:"},
      {"-i", "1@eth0:1"},
      {"-i", "1@a/b"},
      {"-i", "1@veth1", "-i", "1@veth2"},
      {"-i", "1@veth1", "-i", "2@veth1"},
      {"-i", "1@veth1", "--grpc", "9559"},
      {"-i", "1@veth1", "--server", "tofino"},
      {"--server", "stratum-tofino", "--json=FOLDER/program.json"},
      {"-i", "1@veth1", "--server", "stratum-tofino", "--pcap=FOLDER/captures"},
      {"-i", "1@veth1", "--device-id", "-1"},
      {"-i", "1@veth1", "--device-id", "one"},
      {"-i", "1@veth1", "--cpu-port", "0"},
      {"-i", "1@veth1", "--cpu-port", "511"},
      {"-i", "1@veth1", "-i", "2@veth2", "--cpu-port", "2"},
      {"-i", "1@veth1", "--seed", "x"},
      {"-i", "1@veth1", "--loop-ports", "505,506,505"},
      {"-i", "1@veth1", "--loop-ports", "505,1"},
      {"-i", "1@veth1", "--cpu-port", "505", "--loop-ports", "505"},
      {"-i", "1@veth1", "--loop-ports", "511"},
      {"-i", "1@veth1", "--loop-ports", ""},
      {"-i", "1@veth1", "--loop-ports", "none", "--port-rate", "505=10G"},
      {"-i", "1@veth1", "--port-delay", "505=1ms"},
      {"-i", "1@veth1", "--port-rate", "100M"},
      {"-i", "1@veth1", "--port-rate", "2=100M"},
      {"-i", "1@veth1", "--port-rate", "1=fast"},
      {"-i", "1@veth1", "--port-rate", "1=0"},
      {"-i", "1@veth1", "--port-rate", "1=11T"},
      {"-i", "1@veth1", "--port-rate", "1=1M", "--port-rate", "1=2M"},
      {"-i", "1@veth1", "--queue-bytes", "1=-1"},
      {"-i", "1@veth1", "--queue-bytes", "1=lots"},
      {"-i", "1@veth1", "--queue-packets", "1=few"},
      {"-i", "1@veth1", "--queue-packets", "2=1"},
      {"-i", "1@veth1", "--scheduling", "7/6"},
      {"-i", "1@veth1", "--scheduling", "1=8"},
      {"-i", "1@veth1", "--scheduling", "1=7:2,6"},
      {"-i", "1@veth1", "--scheduling", "1=7@much"},
      {"-i", "1@veth1", "--gnmi", "9339"},
      {"-i", "1@veth1", "--port-delay", "10ms"},
      {"-i", "1@veth1", "--port-delay", "2=10ms"},
      {"-i", "1@veth1", "--port-delay", "1=10"},
      {"-i", "1@veth1", "--port-delay", "1=11s"},
      {"-i", "1@veth1", "--port-delay", "1=1ms", "--port-delay", "1=2ms"},
      {"-i", "1@veth1", "--report", "FOLDER"},
      {"-i", "1@veth1", program},
      {"-i", "1@veth1", info},
      {"-i", "1@veth1", "--json", "FOLDER/absent.json", info},
      {"-i", "1@veth1", program, "--p4info", "FOLDER"},
      {"-i", "1@veth1", program, "--p4info", "FOLDER/words.txt"},
      {"-i", "1@veth1", program, "--p4info", "FOLDER/blank.txt"},
      {"-i", "1@veth1", "--entries", "FOLDER/wrong.entries"},
      {"-i", "0@v0", "--pcap", "FOLDER/absent", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/words.txt", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/empty"},
      {"-i", "0@v0", "--pcap", "FOLDER/empty", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/empty", "--grpc", "127.0.0.1:9559", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/empty", "--gnmi", "127.0.0.1:9339", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/empty", "--port-delay", "0=1ms", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/empty", "--report", "FOLDER/r.json", program, info},
      {"-i", "0@tap:v0", "--pcap", "FOLDER/empty", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/broken", program, info},
      {"-i", "0@v1", "--pcap", "FOLDER/broken", program, info},
      {"-i", "0@v2", "--pcap", "FOLDER/broken", program, info},
      {"-i", "0@v3", "--pcap", "FOLDER/broken", program, info},
      {"-i", "0@v0", "--pcap", "FOLDER/captures", "--json", "FOLDER/cut.json", info},
      {"-i", "0@v0", "--pcap", "FOLDER/captures", "--json", "FOLDER/foreign.json", info},
      {
        "-i", "0@v0", "--pcap", "FOLDER/captures", program, info, "--entries", "FOLDER/typo.entries"
      },
      {
        "-i",
        "0@v0",
        "--pcap",
        "FOLDER/captures",
        program,
        info,
        "--entries",
        "FOLDER/wrong.entries"
      },
      {"-i", "1@veth1", "program.json"},
      {"-i", "1@veth1", "--no-p4", program, info},
      {"-i", "1@veth1", "--", "--grpc-server-addr", "50051"},
      {"-i", "1@veth1", "--grpc", "127.0.0.1:1", "--", "--grpc-server-addr", "127.0.0.1:2"},
      {"-i", "1@veth1", "--", "--drop-port", "510"},
      {"-i", "1@veth1", "--", "--priority-queues", "0"},
      {"-i", "1@veth1", "FOLDER/program.json", "FOLDER/program.txtpb"},
      {"-i", "1@veth1", "FOLDER/program.json", "--no-p4"},
      {"-i", "1@veth1", "FOLDER/program.json", program, info},
      {"-i", "1@veth1", "FOLDER/program.json", "--entries", "FOLDER/wrong.entries"},
      {"-i", "1@veth1", "FOLDER/program.json", "--pcap", "FOLDER/absent"},
      {"--grpc", "127.0.0.1:0", "FOLDER/open.json"},
      {"--grpc", "127.0.0.1:0", "FOLDER/foreign.json"},
      {"--grpc", "127.0.0.1:0", "FOLDER/foreign.json", info},
      {"-i", "1@veth1", "--no-p4", "--", "--dp-grpc-server-addr", "0.0.0.0:50052"},
      {"-i", "1@veth1", "--no-p4", "--", "--load-modules", "a.so"},
      {"-i", "1@veth1", "--no-p4", "--restore-state", "state"},
      {"-i", "1@veth1", "--use-files", "5"},
      {"-i", "1@veth1", "--grpc-server-cert", "FOLDER/words.txt"},
      {"-i", "1@veth1", "--grpc-server-with-client-auth"},
      {"-i", "1@veth1", "--grpc-server-ssl"},
      {"-i", "1@veth1", "--grpc-server-ssl", "--grpc-server-cert", "FOLDER/server.pem"},
      {"-i", "1@veth1", "--grpc-server-ssl", "--grpc-server-cert", "FOLDER/absent", key},
      {"-i", "1@veth1", "--grpc-server-ssl", "--grpc-server-cert", "FOLDER/words.txt", key},
      {"-i", "1@veth1", "--grpc-server-ssl", cert, "--grpc-server-key", "FOLDER/server.pem"},
      {"-i", "1@veth1", "--grpc-server-ssl", cert, "--grpc-server-key", "FOLDER/other.key"},
      {"-i", "1@veth1", "--grpc-server-ssl", cert, key, "--grpc-server-cacert", "FOLDER"},
      {"-i", "1@veth1", "--grpc-server-ssl", cert, key, "--grpc-server-cacert", "FOLDER/words.txt"},
      {"-i", "1@veth1", "--grpc-server-ssl", cert, key, "--grpc-server-with-client-auth"},
      {"-i", "1@veth1", "--gnmi-server-ssl"},
      {"-i", "1@veth1", "--gnmi", "127.0.0.1:0", "--gnmi-server-key", "FOLDER/server.key"},
      {"-i", "1@veth1", "--gnmi", "127.0.0.1:0", "--gnmi-server-ssl"},
      {"-i", "1@veth1", "--gnmi", "127.0.0.1:9559", "--gnmi-server-ssl"},
      {"-i", "0@v0", "--pcap", "FOLDER/captures", program, info, "--grpc-server-ssl"},
      {"-i", "1@nosuch0"},
      {"-i", "1@tap:a-name-of-more-than-15-bytes"},
    };
    StringBuilder texts = new StringBuilder();
    for (String[] arguments : cases) {
      texts.append(refusal(arguments)).append('\n');
    }
    Golden.check("switch-option-errors.txt", texts.toString());
    // Not one of them has begun to write a result.
    try (var files = Files.walk(folder)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith("_out.pcap"));
    }
  }

  @Test
  void helpShowsTheCommandLineOfSimpleSwitchGrpc() throws IOException {
    CommandLine command = RootCommand.with(EmulatorMain.commands()).getSubcommands().get("switch");
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
    Golden.check(
        "switch-help-bmv2.txt", help.substring(help.indexOf("In the place of simple_switch_grpc")));
  }

  @Test
  void scriptsOfSimpleSwitchGrpcAreUnderstood() {
    StringWriter err = new StringWriter();
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setErr(new PrintWriter(err, true));
    String script =
        "switch --no-p4 --device-id 0 -i 1@nosuch1 -i 2@nosuch2 --thrift-port 9090 --nanolog"
            + " ipc:///tmp/log.ipc --log-console -L debug --log-file f --log-flush --debugger"
            + " --notifications-addr ipc:///tmp/n -- --grpc-server-addr 127.0.0.1:50051 --cpu-port"
            + " 255 --drop-port 511 --priority-queues 2 --enable-swap --disable-swap"
            + " --log-file-max-size 1 --log-file-max-files 2 --dump-packet-data 64 --max-port-count"
            + " 16 --max-mc-groups 1 --max-l1-entries 2 --max-l2-entries 3";
    assertThat(command.execute(script.split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            sluice switch: --thrift-port does nothing here: there is no Thrift server; use P4Runtime
            sluice switch: --log-console does nothing here: ./sluice trace shows what becomes of packets
            sluice switch: --log-file does nothing here: ./sluice trace shows what becomes of packets
            sluice switch: --log-flush does nothing here: there is no packet log
            sluice switch: --nanolog does nothing here: ./sluice trace shows what becomes of packets
            sluice switch: --notifications-addr does nothing here: P4Runtime and gNMI tell of events
            sluice switch: --debugger does nothing here: ./sluice trace shows what becomes of packets
            sluice switch: --enable-swap does nothing here: programs can always be replaced, over P4Runtime
            sluice switch: --disable-swap does nothing here: programs can always be replaced, over P4Runtime
            sluice switch: --log-file-max-size does nothing here: there is no packet log
            sluice switch: --log-file-max-files does nothing here: there is no packet log
            sluice switch: --dump-packet-data does nothing here: ./sluice trace shows what becomes of packets
            sluice switch: --max-port-count does nothing here: there may be 511 ports
            sluice switch: --max-mc-groups does nothing here: the number of multicast groups has no limit
            sluice switch: --max-l1-entries does nothing here: the number of multicast groups has no limit
            sluice switch: --max-l2-entries does nothing here: the number of multicast groups has no limit
            sluice switch: --priority-queues does nothing here: each port has 8, one for each priority there is
            sluice: -i 1@nosuch1: cannot open interface 'nosuch1': there is no such interface
            """);
  }

  @Test
  void anAddressInUseIsOneClearLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String tap = "sl" + Long.toString(ProcessHandle.current().pid(), 36);
      String text = refusal("-i", "1@tap:" + tap, "--grpc", "127.0.0.1:" + taken.getLocalPort());
      // Who may not even make a TAP device is told that first.
      assertThat(text)
          .matches(
              ("sluice: (cannot serve P4Runtime on 127.0.0.1:%s: .*Address already in use|-i"
                      + " 1@tap:%s: cannot open TAP device '%s': no permission; it takes root or"
                      + " CAP_NET_ADMIN)")
                  .formatted(taken.getLocalPort(), tap, tap));
      assertThat(Path.of("/sys/class/net", tap)).doesNotExist();
    }
  }
}
