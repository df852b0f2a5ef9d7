package net.sluice.fpga;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Registers that remember every access, hold what is written to them, and can be told to fail. The
 * addresses of the counters are spelled out here once more, so that the layout is tested against
 * something.
 */
final class RecordedRegisters implements LocalBus {
  private final Map<Integer, Integer> words = new HashMap<>();
  private final List<String> trace = new ArrayList<>();
  private IntUnaryOperator counterHigh = id -> 0;
  private int selected = -1;
  private int failingAddress = -1;

  @Override
  public synchronized int readWord(int address) throws IOException {
    failIfToldTo(address);
    int word = words.getOrDefault(address, 0);
    if (address == 0x0200_0004) {
      word = selected < 0 ? 0xcafebabe : selected;
    } else if (address == 0x0200_0008) {
      word = selected < 0 ? 0xcafebabe : counterHigh.applyAsInt(selected);
    }
    trace.add(String.format("read  %08x = %08x", address, word));
    return word;
  }

  @Override
  public synchronized void writeWord(int address, int value) throws IOException {
    failIfToldTo(address);
    trace.add(String.format("write %08x = %08x", address, value));
    if (address == 0x0200_0000) {
      selected = value;
    } else {
      words.put(address, value);
    }
  }

  private void failIfToldTo(int address) throws IOException {
    if (address == failingAddress) {
      throw new IOException("no answer");
    }
  }

  /** A queue's counters read as its id, and this of its id. */
  synchronized void counterHigh(IntUnaryOperator ofId) {
    counterHigh = ofId;
  }

  /** Every access to this address fails. */
  synchronized void failAt(int address) {
    failingAddress = address;
  }

  synchronized void set(int address, int word) {
    words.put(address, word);
  }

  synchronized Map<Integer, Integer> words() {
    return new HashMap<>(words);
  }

  synchronized List<String> trace() {
    return new ArrayList<>(trace);
  }
}
