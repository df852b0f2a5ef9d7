package net.sluice.emulator.ports.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.sluice.emulator.ports.stf.StfRunner;
import net.sluice.emulator.trace.v1.DropReason;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.Probe;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.trace.TraceSession;
import net.sluice.emulator.v1model.trace.TraceText;
import net.sluice.emulator.v1model.trace.TracedProgram;
import org.junit.jupiter.api.Test;

/** The text of a trace, for every construct, against golden files. */
class TraceTextTest {

  private final TestProgram program = TestProgram.load("constructs");
  private final TraceSession session = TracedProgram.follow(program.loaded);
  private final StringBuilder texts = new StringBuilder();

  /** Compares with a file, or writes it with {@code -Dgolden.update=true}. */
  private static void golden(String name, String actual) throws IOException {
    Path file = Path.of("src/test/resources/trace", name);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, actual);
    }
    assertThat(actual).as("golden file %s", name).isEqualTo(Files.readString(file));
  }

  private void trace(String what, byte[] packet) {
    program.send(packet);
    texts.append("# ").append(what).append('\n');
    TracedProgram.all(session).forEach(trace -> texts.append(TraceText.of(trace)));
  }

  private void trace(String what, Probe probe) {
    trace(what, probe.bytes());
  }

  @Test
  void constructs() throws IOException {
    program.insert(
        "In.exact_table",
        List.of(TestProgram.exact(7), TestProgram.exact(0x1234)),
        0,
        "In.answer_wide",
        5,
        3);
    program.insert(
        "In.lpm_wide",
        List.of(TestProgram.prefix("20010db8000000000000000000000000", 32), TestProgram.exact(7)),
        0,
        "In.answer",
        1);
    program.insert(
        "In.ternary_table",
        List.of(TestProgram.pair(0x100, 0xff00), TestProgram.pair(0, 0), TestProgram.exact(0)),
        10,
        "In.answer",
        2);
    program.insert(
        "In.optional_table",
        List.of(TestProgram.exact(5), TestProgram.pair(0, 0)),
        20,
        "In.answer",
        3);
    program.insert(
        "In.range_mixed",
        List.of(TestProgram.pair(10, 20), TestProgram.exact(7), TestProgram.pair(0x1200, 0xff00)),
        30,
        "In.answer",
        4);
    Probe exact = Probe.op(1).with("small", 7).with("medium", 0x1234);
    trace("exact match with a direct counter", exact);
    trace("a miss with a default action", Probe.op(2));
    trace(
        "longest prefix",
        Probe.op(4)
            .with("wide", new java.math.BigInteger("20010db8000000000000000000000001", 16))
            .with("small", 7));
    trace("ternary match", Probe.op(5).with("word", 0x0177));
    trace("optional match", Probe.op(6).with("word", 5).with("small", 9));
    trace("range", Probe.op(8).with("word", 15).with("small", 7).with("medium", 0x1299));
    trace("constant entry", Probe.op(9).with("word", 0x12));
    trace("exit", Probe.op(10).with("small", 3));
    trace("branches in an action", Probe.op(12).with("small", 30));
    trace("random", Probe.op(15).with("small", 1).with("medium", 100));
    trace("hash", Probe.op(17).with("word", 1));
    trace("registers", Probe.op(20).with("word", 2));
    trace("registers beyond their arrays", Probe.op(20).with("word", 4));
    trace("headers come and go", Probe.op(22).with("medium", 3));
    trace("counter beyond its array", Probe.op(0xf1).rest((byte) 1, (byte) 2, (byte) 3, (byte) 4));
    byte[] cut = Arrays.copyOf(exact.bytes(), 20);
    trace("a packet that is too short", cut);
    byte[] dropped = new byte[20];
    dropped[12] = (byte) 0xbe;
    dropped[13] = (byte) 0xef;
    trace("the drop port as egress port", dropped);
    byte[] ahead = new byte[40];
    ahead[12] = (byte) 0xa0;
    trace("skipping and looking ahead", ahead);
    golden("constructs.txt", texts.toString());
  }

  private static String stf(String name, int from, int to) throws IOException {
    byte[] json;
    byte[] test;
    try (InputStream in = TraceTextTest.class.getResourceAsStream("/stf/" + name + ".json")) {
      json = in.readAllBytes();
    }
    try (InputStream in = TraceTextTest.class.getResourceAsStream("/stf/" + name + ".stf")) {
      test = in.readAllBytes();
    }
    LoadedProgram loaded = LoadedProgram.load(json, 1);
    V1modelSwitch device = TracedProgram.device(loaded);
    TraceSession session = TracedProgram.follow(device);
    StfRunner.run(device, new String(test, StandardCharsets.UTF_8));
    StringBuilder texts = new StringBuilder();
    for (Trace trace : TracedProgram.all(session).subList(from, to)) {
      texts.append(TraceText.of(trace));
    }
    return texts.toString();
  }

  @Test
  void meters() throws IOException {
    golden("meters.txt", stf("meters", 0, 8));
  }

  @Test
  void headerStacks() throws IOException {
    golden("stacks.txt", stf("stacks", 0, 3));
  }

  @Test
  void variableLengths() throws IOException {
    golden("varbits.txt", stf("varbits", 0, 3));
  }

  /** A command of the program {@code copies}: what ingress and egress do at first, and for whom. */
  private static String command(int inFirst, int outFirst, int session, int group) {
    return String.format(
        "packet 3 %02x00 %02x00 0000 %04x %04x 0000 0004 0000 0000",
        inFirst, outFirst, session, group);
  }

  @Test
  void copiesHaveTracesOfTheirOwn() throws IOException {
    LoadedProgram loaded;
    try (InputStream in = TraceTextTest.class.getResourceAsStream("/stf/copies.json")) {
      loaded = LoadedProgram.load(in.readAllBytes(), 1);
    }
    V1modelSwitch device = TracedProgram.device(loaded);
    TraceSession traces = TracedProgram.follow(device);
    int clone = 1;
    int again = 4;
    int group = 16;
    int digest = 32;
    int cut = 64;
    String test =
        String.join(
            "\n",
            "mirroring_add 5 7",
            "mc_mgrp_create 9",
            "mc_node_create 1 4 6",
            "mc_node_associate 9 0",
            command(clone, 0, 5, 0),
            "expect 4",
            "expect 7",
            command(0, clone, 5, 0),
            "expect 4",
            "expect 7",
            command(again | digest, 0, 0, 0),
            "expect 4",
            command(0, again | cut, 0, 0),
            "expect 4",
            command(group, 0, 0, 9),
            "expect 4",
            "expect 6",
            command(group, 0, 0, 8));
    assertThat(StfRunner.run(device, test)).isEmpty();
    StringBuilder copies = new StringBuilder();
    for (Trace trace : TracedProgram.all(traces)) {
      copies.append(TraceText.of(trace));
    }
    golden("copies.txt", copies.toString());
  }

  @Test
  void messagesAndFailures() throws IOException {
    LoadedProgram loaded;
    try (InputStream in = TraceTextTest.class.getResourceAsStream("/stf/language.json")) {
      loaded = LoadedProgram.load(in.readAllBytes(), 1);
    }
    List<String> said = new ArrayList<>();
    V1modelSwitch device = TracedProgram.device(loaded);
    device.onMessage(said::add);
    TraceSession traces = TracedProgram.follow(device);
    StfRunner.run(device, "packet 3 07 ff 00 00 00000000 ffffffffffffffffffffffffffffffff fffe");
    StfRunner.run(device, "packet 3 08 05 00 00 00000000 00000000000000000000000000000000 0000");
    List<Trace> all = TracedProgram.all(traces);
    // log_msg still goes to its usual destination.
    assertThat(said).contains("op 7 leaves");
    assertThat(all).hasSize(2);
    assertThat(TraceText.of(all.get(0))).contains("      op 7 leaves");
    assertThat(all.get(1).getOutcome().getDropped().getReason())
        .isEqualTo(DropReason.PROGRAM_FAILURE);
    assertThat(TraceText.of(all.get(1)))
        .contains("assert failed: assert(h.op.a < 5)")
        .contains("\n  dropped: the program failed, by action ");
  }

  @Test
  void aTraceHoldsSoManyEventsAndCountsTheOthers() {
    Trace trace = Trace.newBuilder().setNumber(1).setOrigin("received").setOmittedEvents(3).build();
    assertThat(TraceText.of(trace)).contains("\n  3 further events omitted\n");
  }
}
