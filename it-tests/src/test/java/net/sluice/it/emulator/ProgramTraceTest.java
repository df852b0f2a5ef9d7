package net.sluice.it.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.RootCommand;
import net.sluice.emulator.cli.EmulatorMain;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import picocli.CommandLine;

/** {@code sluice trace} shows packets' ways through the product's own program. */
class ProgramTraceTest {

  private static final int ACCESS = 0;
  private static final int CORE = 1;
  private static final int PATIENCE_SECONDS = 60;

  /** UDP from 192.0.2.9:4000 to 10.0.0.1:5000 with 8 bytes of payload and a good IPv4 checksum. */
  private static final String TO_SUBSCRIBER =
      "025a00000001 025b00000001 0800"
          + " 45000024000740004011 6eb8 c0000209 0a000001"
          + " 0fa01388 00100000 0102030405060708";

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  @TempDir private Path folder;
  private Path json;
  private Path p4info;
  private Path entries;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static List<Update> entries() {
    List<SwitchEntry> entries = new ArrayList<>();
    PROGRAM.profile().rateBins().entries().forEach(entries::add);
    RandomRates.BITS_16.entries().forEach(entries::add);
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      entries.add(new PolicyValueEntry(1, bin, 60_000 - bin));
    }
    entries.add(new PortRoleEntry(ACCESS, PortRole.ACCESS, Direction.UP));
    entries.add(new PortRoleEntry(CORE, PortRole.CORE, Direction.DOWN));
    entries.add(new EgressPortEntry(ACCESS, 0x02_5a_00_00_00_00L, 0x02_5b_00_00_00_00L, false));
    SubscriberData data = new SubscriberData(7, 1, ACCESS, 0, false, false);
    entries.add(new SubscriberPrefixEntry(IpPrefix.parse("10.0.0.1/32"), data));
    entries.add(new RouteEntry(IpPrefix.parse("192.0.2.0/24"), CORE));
    return entries.stream()
        .map(
            entry ->
                Update.newBuilder()
                    .setType(Update.Type.INSERT)
                    .setEntity(Entity.newBuilder().setTableEntry(PROGRAM.entries().encode(entry)))
                    .build())
        .toList();
  }

  @BeforeEach
  void files() throws IOException {
    json = folder.resolve("program.json");
    p4info = folder.resolve("program.txtpb");
    entries = folder.resolve("entries.txtpb");
    Files.write(json, PROGRAM.deviceConfig().toByteArray());
    Files.writeString(p4info, TextFormat.printer().printToString(PROGRAM.p4Info()));
    Files.writeString(
        entries,
        TextFormat.printer()
            .printToString(WriteRequest.newBuilder().addAllUpdates(entries()).build()));
  }

  private int run(String... arguments) {
    CommandLine command = RootCommand.with(EmulatorMain.commands());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("trace"));
    for (String argument : arguments) {
      all.add(argument.replace("FOLDER", folder.toString()));
    }
    return command.execute(all.toArray(String[]::new));
  }

  private int runOffline(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("--json", json.toString(), "--p4info", p4info.toString(), "--entries"));
    all.add(entries.toString());
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void aPacketsWayAsText() throws IOException {
    assertThat(runOffline("--port", "1", TO_SUBSCRIBER)).as(err.toString()).isZero();
    Golden.check("trace-sent.txt", out.toString());
  }

  @Test
  void theDocumentedTraceIsReal() throws IOException {
    String page = Files.readString(Path.of("../docs/emulator-trace.md"));
    List<String> real = Files.readAllLines(Path.of("src/test/resources/golden/trace-sent.txt"));
    List<String> shown =
        page.substring(page.indexOf("\npacket 1 "), page.indexOf("```\n\nPlaces"))
            .strip()
            .lines()
            .filter(line -> !line.strip().equals("..."))
            .toList();
    assertThat(shown).hasSizeGreaterThan(40);
    assertThat(real).containsAll(shown);
  }

  @Test
  void aPacketsWayAsJson() throws IOException {
    assertThat(runOffline("--port", "1", "--format", "json", TO_SUBSCRIBER)).isZero();
    Golden.check("trace-sent.json", out.toString());
    // What is written is what the schema says, and nothing of it is lost.
    Trace.Builder read = Trace.newBuilder();
    JsonFormat.parser().merge(out.toString(), read);
    assertThat(JsonFormat.printer().print(read) + "\n").isEqualTo(out.toString());
  }

  @Test
  void whyPacketsAreDropped() throws IOException {
    // Bad checksum, no route, cut in the IPv4 header.
    runOffline("--port", "1", TO_SUBSCRIBER.replace("6eb8", "6eb9"));
    runOffline(
        "--port", "1", TO_SUBSCRIBER.replace("6eb8", "6db8").replace("0a000001", "0b000001"));
    runOffline("--port", "1", TO_SUBSCRIBER.substring(0, 51));
    runOffline("--port", "9", TO_SUBSCRIBER);
    assertThat(err.toString()).isEmpty();
    Golden.check("trace-dropped.txt", out.toString());
  }
}
