package net.sluice.emulator.ports.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.sluice.emulator.ports.stf.StfRunner;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.Probe;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.load.ProgramLoader;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.trace.TraceJson;
import net.sluice.emulator.v1model.trace.TraceSession;
import net.sluice.emulator.v1model.trace.TraceText;
import net.sluice.emulator.v1model.trace.TracedProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tracing changes nothing, and costs nothing while no session is open. */
class TransparencyTest {

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TransparencyTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "programs/constructs",
        "stf/stacks",
        "stf/meters",
        "stf/unions",
        "stf/valuesets",
        "stf/varbits",
        "stf/wide",
        "stf/language",
        "stf/parsing",
        "stf/profiles",
        "stf/copies"
      })
  void whatUntracedPacketsGoThroughKnowsNothingOfTraces(String name) throws IOException {
    byte[] json = resource("/" + name + ".json");
    PipelineCompiler compiler = PipelineCompiler.compile(ProgramLoader.load(json));
    String source = compiler.source();
    assertThat(source.toLowerCase(java.util.Locale.ROOT)).doesNotContain("trace");
    compiler.instantiateTraced(compiler.newState(1));
    assertThat(compiler.source()).isEqualTo(source);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stacks",
        "meters",
        "unions",
        "varbits",
        "wide",
        "language",
        "parsing",
        "amounts",
        "loops",
        "casts",
        "signs",
        "numbers"
      })
  void tracedPacketsComeOutAsTheOthersDo(String name) throws IOException {
    LoadedProgram program = LoadedProgram.load(resource("/stf/" + name + ".json"), 1);
    String test = new String(resource("/stf/" + name + ".stf"), StandardCharsets.UTF_8);
    V1modelSwitch device = TracedProgram.device(program);
    TraceSession session = TracedProgram.follow(device);
    assertThat(StfRunner.run(device, test)).isEmpty();
    List<Trace> traces = TracedProgram.all(session);
    long packets = test.lines().filter(line -> line.strip().startsWith("packet ")).count();
    assertThat(traces).hasSize((int) packets);
    for (Trace trace : traces) {
      assertThat(trace.hasOutcome()).isTrue();
      assertThat(TraceText.of(trace)).startsWith("packet ").endsWith("\n");
      assertThat(TraceJson.line(trace)).startsWith("{\"number\":\"");
    }
  }

  /** Packets through every operation of the program, with random contents. */
  private static List<String> results(LoadedProgram program, int sampleOneIn) {
    if (sampleOneIn > 0) {
      TracedProgram.follow(program, TraceFilter.newBuilder().setSampleOneIn(sampleOneIn).build());
    }
    Random random = new Random(7);
    List<String> results = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = Probe.op(random.nextInt(64)).bytes();
      byte[] content = new byte[Probe.headerBytes() - 1];
      random.nextBytes(content);
      System.arraycopy(content, 0, bytes, Probe.ETHERNET_BYTES + 1, content.length);
      SwitchPacket packet = program.pipeline().acquire();
      packet.setBytes(bytes, 0, bytes.length);
      program.pipeline().ingress(packet, random.nextInt(4), i);
      if (!packet.dropped) {
        program.pipeline().egress(packet, i);
      }
      results.add(
          packet.dropped
              ? "dropped"
              : packet.egressPort + " " + HexFormat.of().formatHex(packet.toByteArray()));
      program.pipeline().release(packet);
    }
    for (RegisterArray register : program.state().registers()) {
      for (int i = 0; i < Math.min(register.size(), 1_000); i++) {
        results.add(register.name() + " " + i + " " + register.getBig(i));
      }
    }
    program.state().counters().forEach(counter -> results.add(counter.contentHash() + ""));
    results.add("next random " + program.state().random().between(0, Long.MAX_VALUE));
    results.add("out of range " + program.pipeline().outOfRangeAccesses());
    return results;
  }

  @Test
  void resultsAndStateAreTheSameWithAndWithoutTraces() {
    byte[] json = TestProgram.resource("constructs.json");
    List<String> without = results(LoadedProgram.load(json, 42), 0);
    assertThat(results(LoadedProgram.load(json, 42), 1)).isEqualTo(without);
    // Traced and untraced packets turn by turn, on the same registers and random numbers.
    assertThat(results(LoadedProgram.load(json, 42), 2)).isEqualTo(without);
  }
}
