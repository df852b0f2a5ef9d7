package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.NEXT_SWITCH;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;

/**
 * An emulated switch that shows the bin of every packet to one of three subscribers as its packet
 * value. Without {@link #draw} the bin is that of the measured rate.
 */
final class MarkerProbe implements AutoCloseable {
  private static final int VALUE_AT = 14;

  private final EmulatedSwitch dut;

  private MarkerProbe(EmulatedSwitch dut) {
    this.dut = dut;
  }

  static MarkerProbe start(ProgramUnderTest program, RateBins bins, long seed) {
    return start(program, bins.entries().toList(), seed, 1, 2, 3);
  }

  /** The same with subscribers of these indices, at 10.0.0.1 and on. */
  static MarkerProbe start(
      ProgramUnderTest program, List<? extends SwitchEntry> bins, long seed, int... indices) {
    EmulatedSwitch dut = EmulatedSwitch.start(program, seed);
    List<SwitchEntry> entries = new ArrayList<>(PipelineContract.ports());
    entries.addAll(bins);
    IntStream.range(0, RateBins.BINS)
        .mapToObj(bin -> new PolicyValueEntry(1, bin, bin))
        .forEach(entries::add);
    for (int i = 0; i < indices.length; i++) {
      entries.add(prefix("10.0.0." + (i + 1) + "/32", unshaped(indices[i], 1, NEXT_SWITCH)));
    }
    dut.control().insert(entries);
    return new MarkerProbe(dut);
  }

  /** Takes bins off by chance from now on. */
  void draw(RandomRates rates) {
    dut.control().insert(rates.entries().toList());
  }

  /** A frame of that length to the subscriber at 10.0.0.{@code subscriber}. */
  static ByteString frame(int subscriber, int frameBytes) {
    return TestFrame.from("203.0.113.1", "10.0.0." + subscriber)
        .payload(TestFrame.udp(1, 2, frameBytes - 14 - 20 - 8))
        .bytes();
  }

  /** The bin of a frame that comes at that time. */
  int bin(long micros, ByteString frame) {
    List<PortFrame> out = dut.passAt(micros, new PortFrame(CORE, frame));
    assertThat(out).hasSize(1);
    ByteString bytes = out.get(0).bytes();
    return (bytes.byteAt(VALUE_AT) & 0xff) << 8 | (bytes.byteAt(VALUE_AT + 1) & 0xff);
  }

  @Override
  public void close() {
    dut.close();
  }
}
